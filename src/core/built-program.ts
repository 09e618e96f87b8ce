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

/**
 * Folder of the bundles that src/cli/build.ts makes of a clone. A few large files start sooner and take less memory.
 */
export const BUILD = programFile('build')
/** Names the current folder in BUILD. Written last, after that folder is synced to disk. */
export const RECORD = join(BUILD, 'record.json')

export interface BuildRecord {
  /** The folder, below BUILD. */
  folder: string
  /** Hash of everything that decides the output. */
  digest: string
  /** Paths of bundled package files, relative to the clone. */
  packages: string[]
  /** Built files: path relative to the folder, size in bytes. */
  files: [path: string, bytes: number][]
}

const SOURCES = ['src/**/*', 'patches/*', 'package.json', 'bun.lock', 'tsconfig.json']
const BUFFER_BYTES = 256 * 1024
const BUILD_SECONDS_MAX = 120

/**
 * Hashes the inputs of a build.
 * @param packages paths of the bundled package files
 */
export function buildDigest(packages: string[]): string {
  const root = programFile('.')
  const sources = SOURCES.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })])
  const hash = new Bun.CryptoHasher('sha256').update(Bun.version)
  // Shared by all reads: memory that a start allocates is never returned to the system.
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

/**
 * Environment of the build process. It does not depend on the server's environment, so that every build has the same
 * output.
 */
export function buildEnvironment(): Record<string, string | undefined> {
  const { BUN_OPTIONS: _, ...environment } = process.env
  return { ...environment, NODE_ENV: 'production' }
}

/** The record of the last build. @throws Error when there is none */
export const readRecord = (): BuildRecord => JSON.parse(readFileSync(RECORD, 'utf8'))

/** Path of the program built from the current sources; undefined if it is missing or incomplete. */
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

/** Bun resolves packages through a symbolic link at its target, so a linked folder cannot be built. */
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
 * Finds the program built from the current sources, or builds it. The build runs in its own process, so that its
 * memory is freed.
 * @returns the program's path; otherwise the reason why the sources have to run instead
 */
export function builtProgram(): { path: string } | { lack: string } {
  const current = currentProgram()
  if (current !== undefined) return { path: current }
  if (!mayBuild()) return { lack: `${BUILD} has no build of them and cannot be written. Its owner runs: bun run build` }
  Bun.spawnSync([process.execPath, programFile('src/cli/build.ts')], {
    env: buildEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: BUILD_SECONDS_MAX * 1000,
  })
  const path = currentProgram()
  return path === undefined ? { lack: 'their build failed' } : { path }
}

/** The environment of another program that this one starts: its own variables and the path of commands, no secrets. */
export const childEnvironment = (variables: Record<string, string>): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  ...variables,
})
