import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { programFile } from './program.ts'

/** Where src/cli/build.ts puts the program as a clone runs it: in few files it takes less memory, and starts sooner. */
export const BUILD = programFile('build')
/** Says which folder of BUILD has the program. Written last, once that is on the disk. */
export const RECORD = join(BUILD, 'record.json')

export interface BuildRecord {
  /** The folder, below BUILD. */
  folder: string
  /** Of all that decides what is built. */
  digest: string
  /** Paths of the files of packages that went in, below the clone. */
  packages: string[]
  /** Paths of what was built, below the folder, and their sizes in bytes. */
  files: [path: string, bytes: number][]
}

const SOURCES = ['src/**/*', 'patches/*', 'package.json', 'bun.lock', 'tsconfig.json']
const BUFFER_BYTES = 256 * 1024
const BUILD_SECONDS_MAX = 120

/** The digest of what a program is built from. @param packages paths of the files of packages that go in */
export function buildDigest(packages: string[]): string {
  const root = programFile('.')
  const sources = SOURCES.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })])
  const hash = new Bun.CryptoHasher('sha256').update(Bun.version)
  // One buffer for all: what a start leaves behind, the process keeps.
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  for (const path of [...sources.toSorted(), ...packages]) {
    hash.update(`\n${path}\n`)
    const file = openSync(join(root, path), 'r')
    for (let length = BUFFER_BYTES; length === BUFFER_BYTES;)
      hash.update(buffer.subarray(0, (length = readSync(file, buffer, 0, BUFFER_BYTES, null))))
    closeSync(file)
  }
  return hash.digest('hex')
}

/** The environment of a process that builds: whatever the server's own, all build the same. */
export function buildEnvironment(): Record<string, string | undefined> {
  const { BUN_OPTIONS: _, ...environment } = process.env
  return { ...environment, NODE_ENV: 'production' }
}

/** The record of the last build. @throws Error when there is none */
export const readRecord = (): BuildRecord => JSON.parse(readFileSync(RECORD, 'utf8'))

/** The path of the program that was built of these very sources; undefined without one that is whole. */
function currentProgram(): string | undefined {
  try {
    const { folder, digest, packages, files } = readRecord()
    for (const [path, bytes] of files) {
      accessSync(join(BUILD, folder, path), constants.R_OK)
      if (statSync(join(BUILD, folder, path)).size !== bytes) return undefined
    }
    return digest === buildDigest(packages) ? join(BUILD, folder, 'server/commands.js') : undefined
  } catch {
    return undefined
  }
}

/** Whether a build can be kept: of a link, Bun would look for packages and documents where it points to. */
function mayBuild(): boolean {
  try {
    mkdirSync(BUILD, { recursive: true })
    accessSync(BUILD, constants.W_OK)
    return !lstatSync(BUILD).isSymbolicLink()
  } catch {
    return false
  }
}

/**
 * The program as it was built of these very sources. If it was not yet, it is now, by another process, which leaves no
 * memory behind here.
 * @returns its path; or what stands in its way, and then the program runs from its sources
 */
export function builtProgram(): { path: string } | { lack: string } {
  const built = currentProgram()
  if (built !== undefined) return { path: built }
  if (!mayBuild()) return { lack: `${BUILD} has no build of them and cannot be written. Its owner runs: bun run build` }
  Bun.spawnSync([process.execPath, programFile('src/cli/build.ts')], {
    env: buildEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: BUILD_SECONDS_MAX * 1000,
  })
  const path = currentProgram()
  return path === undefined ? { lack: 'their build failed' } : { path }
}
