import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { leftOutImports } from '../api/left-out-imports.ts'

// Builds the package's exports `./bot`, `./client` and `./voice` into dist: JavaScript for Bun, Node and browsers, and
// types. `pack` (run before npm packs the project) also replaces the project's manifest, which depends on the server's
// packages, by the one for clients; `unpack` undoes that.

const ROOT = join(import.meta.dir, '../..')
const MANIFEST = join(ROOT, 'package.json')
/** Backup of the project's manifest while it is replaced. */
const KEPT_MANIFEST = join(ROOT, 'package.json.kept')
const DIST = join(ROOT, 'dist')
const ENTRIES = { bot: 'src/web/client/bot.ts', client: 'src/web/client/client.ts', voice: 'src/web/voice/call.ts' }

/** Each entry becomes one self-contained module; only calls over the SFU load mediasoup-client. */
async function buildModules(): Promise<void> {
  for (const [name, entry] of Object.entries(ENTRIES)) {
    await Bun.build({
      entrypoints: [join(ROOT, entry)],
      outdir: DIST,
      naming: { entry: `${name}.js`, chunk: `${name}-[hash].js` },
      target: 'browser',
      format: 'esm',
      splitting: true,
      plugins: [leftOutImports],
    })
  }
}

/**
 * The compiler writes the declarations. Their imports are then changed to `.js`, which every module resolution
 * understands.
 */
function buildTypes(): void {
  const config = join(DIST, 'tsconfig.json')
  const compilerOptions = { noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: 'types' }
  const files = Object.values(ENTRIES).map((entry) => `../${entry}`)
  const settings = { extends: '../tsconfig.json', compilerOptions: { ...compilerOptions, rootDir: '../src' }, files }
  writeFileSync(config, JSON.stringify({ ...settings, include: [] }))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { exitCode } = Bun.spawnSync([process.execPath, tsc, '-p', config], { stdio: ['ignore', 'inherit', 'inherit'] })
  rmSync(config)
  if (exitCode !== 0) throw new Error('The compiler refused the typed client')
  for (const file of new Bun.Glob('types/**/*.d.ts').scanSync({ cwd: DIST, absolute: true })) {
    const types = readFileSync(file, 'utf8')
    writeFileSync(file, types.replace(/((?:from|module|import) ?\(?['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'))
  }
}

/** Restores the project's manifest, also after an interrupted packing: the one for clients has no scripts. */
function restoreManifest(): void {
  if (!existsSync(KEPT_MANIFEST)) return
  if (JSON.parse(readFileSync(MANIFEST, 'utf8')).scripts) rmSync(KEPT_MANIFEST)
  else renameSync(KEPT_MANIFEST, MANIFEST)
}

function replaceManifest(): void {
  const {
    name,
    version,
    type,
    private: isPrivate,
    exports,
    files,
    dependencies,
  } = JSON.parse(readFileSync(MANIFEST, 'utf8'))
  const manifestFields = { name, version, private: isPrivate, type, exports, files }
  // The modules bundle their code. Only their types need these packages, so programs without types can omit them.
  const { zod, 'mediasoup-client': mediasoup } = dependencies
  const manifest = {
    ...manifestFields,
    peerDependencies: { zod: `^${zod}`, 'mediasoup-client': `^${mediasoup}` },
    peerDependenciesMeta: { zod: { optional: true }, 'mediasoup-client': { optional: true } },
  }
  renameSync(MANIFEST, KEPT_MANIFEST)
  writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`)
}

restoreManifest()
if (process.argv[2] !== 'unpack') {
  rmSync(DIST, { recursive: true, force: true })
  await buildModules()
  buildTypes()
  if (process.argv[2] === 'pack') replaceManifest()
}
