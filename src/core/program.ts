import { join } from 'node:path'

/** True in the executable of a release, which needs neither Bun nor a clone. */
export const isExecutable = import.meta.path.startsWith('/$bunfs/')

/** True in the program that src/cli/build.ts made of a clone: build/<folder>/server. */
const isBuilt = !isExecutable && import.meta.path.endsWith('.js')

/** Bun shows the files inside an executable below this path. */
const ROOT = isExecutable ? '/$bunfs/root' : join(import.meta.dir, isBuilt ? '../../..' : '../..')

/**
 * Path of one of the program's files: in the clone, or inside the executable.
 * @param path its path in the clone; src/cli/release.ts lists what an executable contains
 */
export const programFile = (path: string): string => join(ROOT, path)

/**
 * Entry file of a worker thread.
 * @param path of its source below src, without the extension
 */
export const threadFile = (path: string): string =>
  isBuilt ? join(import.meta.dir, `${path}.js`) : programFile(`src/${path}.ts`)

/** A command of this program, as the operator types it. */
export const typedCommand = (command: string): string => (isExecutable ? `parley ${command}` : `bun run ${command}`)
