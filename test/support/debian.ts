import { existsSync } from 'node:fs'

/** No two installations at once, since test processes run side by side: each takes the lock on apt's directory. */
const INSTALL = `
  apt='apt-get -qq -oDPkg::Lock::Timeout=300'
  $apt update || { sleep 10; $apt update; }
  $apt install -y --no-install-recommends "$@"`

/** The programs that tests use, each with its Debian package. */
const PACKAGES = {
  caddy: 'caddy',
  chromium: 'chromium',
  'firefox-esr': 'firefox-esr',
  haproxy: 'haproxy',
  ip: 'iproute2',
  nft: 'nftables',
  nginx: 'nginx',
  promtool: 'prometheus',
  'redis-server': 'redis-server',
  Xvfb: 'xvfb',
  turnutils_uclient: 'coturn',
}

/** Installs Debian packages, where that can be done. */
export function installPackages(...packages: string[]): void {
  if (packages.length === 0 || process.getuid?.() !== 0 || !Bun.which('apt-get')) return
  Bun.spawnSync(['flock', '/etc/apt', 'sh', '-c', INSTALL, 'sh', ...packages], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
}

/** Installs every missing program that the tests use. */
export const installMissing = (): void =>
  installPackages(...Object.entries(PACKAGES).flatMap(([program, name]) => (Bun.which(program) ? [] : [name])))

/**
 * The path of a program of a Debian package, which is installed when it is missing and that can be done.
 * @returns undefined, said loudly, where it cannot: the tests that need it are skipped
 */
export function debianProgram(program: string, packageName: string): string | undefined {
  const there = Bun.which(program)
  if (there) return there
  installPackages(packageName)
  const installed = Bun.which(program)
  if (!installed)
    console.error(`SKIPPED LOUDLY: no ${program} on this machine (Debian: apt-get install ${packageName})`)
  return installed ?? undefined
}

/**
 * Debian's Python, with a library of a Debian package, which is installed when it is missing and that can be done.
 * @returns undefined, said loudly, where it cannot
 */
export function debianPython(library: string, packageName: string): string | undefined {
  const python = '/usr/bin/python3'
  const has = () =>
    Bun.file(python).size > 0 && Bun.spawnSync([python, '-c', `import ${library}`], { stderr: 'ignore' }).exitCode === 0
  if (has()) return python
  installPackages(packageName)
  if (has()) return python
  console.error(`SKIPPED LOUDLY: no ${library} for Python on this machine (Debian: apt-get install ${packageName})`)
  return undefined
}

/**
 * Debian's Go, with a library of a Debian package, both of which are installed when they are missing and that can be
 * done. A library in `$GOPATH` counts too.
 * @returns undefined, said loudly, where it cannot
 */
export function debianGo(library: string, packageName: string) {
  const paths = [process.env.GOPATH, '/usr/share/gocode'].flatMap((path) => path ?? [])
  const has = () => paths.some((path) => existsSync(`${path}/src/${library}`))
  // The compiler is large: it is only worth its installation with the library.
  if (!has()) installPackages(packageName)
  const program = has() ? debianProgram('go', 'golang-go') : undefined
  if (program) return { program, variables: { GO111MODULE: 'off', GOPATH: paths.join(':'), GOFLAGS: '' } }
  console.error(`SKIPPED LOUDLY: no ${library} for Go on this machine (Debian: apt-get install ${packageName})`)
  return undefined
}
