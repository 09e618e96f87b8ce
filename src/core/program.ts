import { join } from 'node:path'

/** Whether this is the executable of a release, which needs neither Bun nor a clone. */
export const isExecutable = import.meta.path.startsWith('/$bunfs/')

/** Whether this is what src/cli/build.ts makes of a clone: in build/<folder>/server. */
const isBuilt = !isExecutable && import.meta.path.endsWith('.js')

/** In an executable, Bun shows the files inside it below this path. */
const ROOT = isExecutable ? '/$bunfs/root' : join(import.meta.dir, isBuilt ? '../../..' : '../..')

/**
 * Where a file of the program can be read: in the clone, or inside the executable.
 * @param path its path in the clone; src/cli/release.ts lists the files and folders that an executable has
 */
export const programFile = (path: string): string => join(ROOT, path)

/** The program of a thread. @param path that of its source below src, without the ending */
export const threadFile = (path: string): string =>
  isBuilt ? join(import.meta.dir, `${path}.js`) : programFile(`src/${path}.ts`)

/** How an operator writes a command of this program. */
export const written = (command: string): string => (isExecutable ? `parley ${command}` : `bun run ${command}`)
