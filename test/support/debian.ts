/**
 * The path of a program of a Debian package, which is installed when it is missing and that can be done.
 * @returns undefined, said loudly, where it cannot: the tests that need it are skipped
 */
export function debianProgram(program: string, packageName: string): string | undefined {
  const there = Bun.which(program)
  if (there) return there
  if (process.getuid?.() === 0 && Bun.which('apt-get')) {
    const apt = (...args: string[]) =>
      Bun.spawnSync(['apt-get', '-qq', ...args], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    apt('update')
    apt('install', '-y', '--no-install-recommends', packageName)
  }
  const installed = Bun.which(program)
  if (!installed)
    console.error(`SKIPPED LOUDLY: no ${program} on this machine (Debian: apt-get install ${packageName})`)
  return installed ?? undefined
}
