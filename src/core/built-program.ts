import { accessSync, closeSync, constants, mkdirSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { programFile } from './program.ts'

/** Where src/cli/build.ts puts the program as a clone runs it: in few files it takes less memory, and starts sooner. */
export const BUILD = programFile('build')
/** Says what a build was made of. */
export const RECORD = join(BUILD, 'record.json')
const PROGRAM = join(BUILD, 'server/commands.js')

export interface BuildRecord {
  digest: string
  /** Folders of the packages inside. */
  packages: string[]
  /** What was built: paths below BUILD, and their sizes in bytes. */
  files: [path: string, bytes: number][]
  /** Those of the build before it, of which a server may still be running. */
  former: string[]
}

const BUFFER_BYTES = 256 * 1024
const SOURCES = ['src/**/*', 'patches/*', 'package.json', 'bun.lock', 'tsconfig.json']

/** The digest of all that decides what is built. @param packages folders of the packages inside */
export function buildDigest(packages: string[]): string {
  const root = programFile('.')
  const sources = SOURCES.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })])
  const hash = new Bun.CryptoHasher('sha256').update(Bun.version)
  // One buffer for all: what a start leaves behind, the process keeps.
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  for (const path of [...sources.toSorted(), ...packages.map((folder) => join(folder, 'package.json'))]) {
    hash.update(`\n${path}\n`)
    const file = openSync(join(root, path), 'r')
    for (let length = BUFFER_BYTES; length === BUFFER_BYTES;)
      hash.update(buffer.subarray(0, (length = readSync(file, buffer, 0, BUFFER_BYTES, null))))
    closeSync(file)
  }
  return hash.digest('hex')
}

/** The record of the last build. @throws Error when there is none */
export const readRecord = (): BuildRecord => JSON.parse(readFileSync(RECORD, 'utf8'))

function isCurrent(): boolean {
  try {
    const { digest, packages, files } = readRecord()
    const isWhole = files.every(([path, bytes]) => statSync(join(BUILD, path)).size === bytes)
    return isWhole && digest === buildDigest(packages)
  } catch {
    return false
  }
}

function isWritable(): boolean {
  try {
    mkdirSync(BUILD, { recursive: true })
    accessSync(BUILD, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The path of the program as it was built of these very sources, which is done now where it was not yet: by another
 * process, since it leaves much memory behind. Undefined where it cannot be written.
 */
export function builtProgram(): string | undefined {
  if (isCurrent()) return PROGRAM
  if (!isWritable()) return undefined
  const build = [process.execPath, programFile('src/cli/build.ts')]
  Bun.spawnSync(build, { cwd: programFile('.'), stdio: ['ignore', 'ignore', 'inherit'] })
  return isCurrent() ? PROGRAM : undefined
}
