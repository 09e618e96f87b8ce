import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { programFile } from '../../core/program.ts'
import { type Errand, run } from './commands.ts'

const INSTALL_SECONDS_MAX = 600
const SETUP_SECONDS_MAX = 300
const COMPILE_SECONDS_MAX = 3600
const APT_LOCK_SECONDS_MAX = 300
/** A container with a processor limit still sees all processors of its host, so bound the jobs. */
const JOBS_MAX = 4

/** Programs that the build runs, and libraries that pkg-config must find, with the Debian package of each. */
const TOOLS = {
  meson: 'meson',
  ninja: 'ninja-build',
  'g++': 'g++',
  strip: 'binutils',
  'pkg-config': 'pkg-config',
  flatc: 'flatbuffers-compiler',
}
const LIBRARIES = {
  libuv: 'libuv1-dev',
  openssl: 'libssl-dev',
  libsrtp2: 'libsrtp2-dev',
  absl_flat_hash_map: 'libabsl-dev',
  flatbuffers: 'libflatbuffers-dev',
}

/** Patches to upstream's sources, to compile and work with the system's libraries. */
const CHANGES: { file: string; from: RegExp; to: string }[] = [
  // Debian 12 has meson 1.0.1; nothing in the file needs the newer version that it demands.
  { file: 'meson.build', from: /meson_version: '[^']*'/, to: "meson_version: '>= 1.0.0'" },
  // After each operation, a BIO callback gets the operation with the bit BIO_CB_RETURN, and must return `ret`. Upstream
  // compares with ==, which is never true. BIO_get_ktls_send() is then true: if OpenSSL has kernel TLS, as Debian's
  // has, libssl allocates no write buffer, and the first DTLS handshake crashes.
  {
    file: 'src/RTC/DtlsTransport.cpp',
    from: /\(operationType == BIO_CB_RETURN\) \?/,
    to: '(operationType & BIO_CB_RETURN) ?',
  },
  // The function's name in libsrtp 2; overlay/libsrtp3 adapts the rest of libsrtp 3's interface.
  { file: 'include/RTC/SrtpSession.hpp', from: /srtp_stream_remove/g, to: 'srtp_remove_stream' },
]

/**
 * Builds the worker from the npm package's sources against the system's libraries. Takes 2.5 to 4 minutes on two
 * cores. Downloads only Debian's packages.
 * @param sources the package's directory `worker`
 * @param work an empty directory for the build
 * @param output path of the executable to make
 * @param log path of the file for the tools' output
 * @throws Error with one sentence: what is missing, or which step failed and where to read on
 */
export async function buildWorker(sources: string, work: string, output: string, log: string, errand: Errand) {
  const { report, signal } = errand
  await provideTools(log, errand)
  report('preparing the sources')
  const tree = join(work, 'worker')
  await cp(sources, tree, { recursive: true })
  // The overlay replaces upstream's downloads.
  await rm(join(tree, 'subprojects'), { recursive: true })
  await cp(programFile('src/voice/worker/overlay'), join(tree, 'subprojects'), { recursive: true })
  await mkdir(join(tree, 'build'))
  for (const change of CHANGES) await apply(tree, change)
  const setup = ['meson', 'setup', 'build', '--buildtype', 'release']
  await run({ command: setup, cwd: tree, secondsMax: SETUP_SECONDS_MAX, signal, log })
  report('compiling, which takes some minutes')
  const command = ['ninja', '-C', 'build', '-j', `${Math.min(JOBS_MAX, availableParallelism())}`, 'mediasoup-worker']
  const onLine = percentages((percent) => report(`compiled ${percent} %`))
  await run({ command, cwd: tree, secondsMax: COMPILE_SECONDS_MAX, signal, log, onLine })
  const strip = ['strip', '-o', output, 'build/mediasoup-worker']
  await run({ command: strip, cwd: tree, secondsMax: SETUP_SECONDS_MAX, signal, log })
}

async function apply(tree: string, { file, from, to }: (typeof CHANGES)[number]): Promise<void> {
  const path = join(tree, file)
  const source = await readFile(path, 'utf8')
  const patched = source.replace(from, to)
  if (patched === source) throw new Error(`${file} of mediasoup has changed upstream: the build has to be looked at`)
  await writeFile(path, patched)
}

/** Parses ninja's `[120/261] Compiling …` and reports each tenth once. */
function percentages(report: (percent: number) => void): (line: string) => void {
  let reportedPercent = 0
  return (line) => {
    const [, stepsDone = 0, stepsAll = 1] = (/^\[(\d+)\/(\d+)\]/.exec(line) ?? []).map(Number)
    const percent = Math.floor((10 * stepsDone) / stepsAll) * 10
    if (percent <= reportedPercent) return
    reportedPercent = percent
    report(percent)
  }
}

/** Debian's packages for the missing tools and libraries. */
function missingPackages(): string[] {
  const tools = Object.entries(TOOLS).filter(([tool]) => !Bun.which(tool))
  const isPresent = (library: string) =>
    Bun.which('pkg-config') !== null && Bun.spawnSync(['pkg-config', '--exists', library]).exitCode === 0
  const libraries = Object.entries(LIBRARIES).filter(([library]) => !isPresent(library))
  return [...tools, ...libraries].map(([, name]) => name)
}

async function provideTools(log: string, { report, signal }: Errand): Promise<void> {
  const packages = missingPackages()
  if (packages.length === 0) return
  const mayInstall = process.getuid?.() === 0 && Bun.which('apt-get') !== null
  if (!mayInstall)
    throw new Error(`To build the media worker install what is missing: apt-get install ${packages.join(' ')}`)
  report(`installing ${packages.join(' ')} by apt-get`)
  const apt = [
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    `-oDPkg::Lock::Timeout=${APT_LOCK_SECONDS_MAX}`,
    '-y',
  ]
  const timing = { secondsMax: INSTALL_SECONDS_MAX, signal, log }
  await run({ command: [...apt, 'update'], ...timing })
  await run({ command: [...apt, 'install', '--no-install-recommends', ...packages], ...timing })
}
