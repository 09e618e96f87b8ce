import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { buildEnvironment } from '../core/built-program.ts'
import { builtValues } from '../core/built-values.ts'
import { programFile } from '../core/program.ts'
import { oldBrowserScript } from './browsers.ts'
import { namedByContent } from './content-names.ts'
import { leftOutImports } from './left-out-imports.ts'

/** Folder of the built files; only defined in a built program. */
declare const BUILT_CLIENT: string | undefined
/** The service worker, whose name must never change. */
export const WORKER = 'worker.js'
const ROOT = programFile('src/web')

export type Files = Map<string, Uint8Array>

/** True in a built program, which includes the client. */
export const isClientBuilt = typeof BUILT_CLIENT !== 'undefined'

/** The files of the web client by name, which contains a hash of the content. A built program includes them. */
export async function clientFiles(): Promise<Files> {
  const pack = typeof BUILT_CLIENT === 'undefined' ? await packedClient() : readFileSync(programFile(BUILT_CLIENT))
  let start = pack.indexOf('\n') + 1
  const sizes: [string, number][] = JSON.parse(pack.toString('utf8', 0, start))
  return new Map(sizes.map(([name, bytes]) => [name, pack.subarray(start, (start += bytes))]))
}

/**
 * Builds the client into one file, in a separate process: Bun would bundle the server's variant of a package that this
 * process has loaded.
 * @throws Error if the build fails
 */
async function packedClient(): Promise<Buffer> {
  const child = Bun.spawn([process.execPath, programFile('src/cli/pack-client.ts')], {
    env: buildEnvironment(),
    stderr: 'inherit',
  })
  const pack = Buffer.from(await new Response(child.stdout).arrayBuffer())
  if ((await child.exited) !== 0) throw new Error('The web client does not build')
  return pack
}

/** Packs the client into one file: a line with names and sizes, then the bytes. */
export function packClient(files: Files): Uint8Array {
  const sizes = [...files].map(([name, { length }]) => [name, length])
  return Buffer.concat([Buffer.from(`${JSON.stringify(sizes)}\n`), ...files.values()])
}

/** Builds for browsers. @param inputs collects the paths of all input files */
async function buildFor(inputs: Set<string>, config: Omit<Bun.BuildConfig, 'target' | 'minify'>) {
  const { outputs, metafile } = await Bun.build({
    ...config,
    plugins: [...(config.plugins ?? []), builtValues],
    target: 'browser',
    minify: true,
    metafile: true,
  })
  for (const path of Object.keys(metafile?.inputs ?? {})) inputs.add(resolve(path))
  return outputs
}

/** Builds the web client from src/web. @param inputs collects the paths of the scripts and styles */
export async function buildClient(inputs = new Set<string>()): Promise<Files> {
  const fonts: Files = new Map()
  const pictures = pictureFiles()
  const noise = noiseFiles()
  const level = await buildAlone(inputs, 'voice/level-worklet.ts', 'level.js')
  const frames = await buildAlone(inputs, 'voice/sealing/frame-worker.ts', 'frames.js')
  const outputs = await buildFor(inputs, {
    entrypoints: ['main.tsx', 'style.css'].map((name) => join(ROOT, name)),
    splitting: true,
    // Bun's preload table would add 2.7 KiB to the first script; modules needed soon are loaded when idle.
    modulePreload: false,
    jsx: { development: false },
    // Shared chunks are named after an entry, so they need a prefix.
    naming: { entry: '[name]-[hash].[ext]', chunk: 'part-[name]-[hash].[ext]' },
    publicPath: '/assets/',
    plugins: [fontFiles(fonts), leftOutImports],
    define: {
      ICONS: JSON.stringify({ icon: pathOf(pictures, 'any-192'), badge: pathOf(pictures, 'badge-96') }),
      FRAMES: JSON.stringify(`/assets/${frames[0]}`),
      LEVEL: JSON.stringify(`/assets/${level[0]}`),
      NOISE: JSON.stringify(
        Object.fromEntries([...noise.keys()].map((name) => [name.split('-')[1], `/assets/${name}`])),
      ),
    },
  })
  const builtFiles = await Promise.all(
    outputs.map(async (output) => [basename(output.path), await bytesOf(output)] as const),
  )
  const icon = readFileSync(join(ROOT, 'icon.svg'))
  const check = Buffer.from(oldBrowserScript())
  const files: Files = new Map([
    ...namedByContent(builtFiles.map(withoutAny)),
    ...fonts,
    ...pictures,
    ...noise,
    level,
    frames,
    [hashedName('icon.svg', icon), icon],
    [hashedName('check.js', check), check],
  ])
  return files.set(WORKER, await buildWorker(inputs, files))
}

/** Icons of the installed program. */
const pictureFiles = (): Files =>
  new Map(
    readdirSync(join(ROOT, 'icons')).map((name) => {
      const bytes = readFileSync(join(ROOT, 'icons', name))
      return [hashedName(name, bytes), bytes]
    }),
  )

/** The microphone's noise suppression, loaded only by calls that use it. */
const noiseFiles = (): Files =>
  new Map(
    (
      [
        ['noise-worklet.js', 'rnnoiseWorklet.js'],
        ['noise-wasm.wasm', 'rnnoise.wasm'],
        ['noise-simd.wasm', 'rnnoise_simd.wasm'],
      ] as const
    ).map(([name, source]) => {
      const bytes = readFileSync(Bun.resolveSync(`@sapphi-red/web-noise-suppressor/${source}`, ROOT))
      return [hashedName(name, bytes), bytes]
    }),
  )

/** The path of the file whose name begins with `start`. @throws Error if there is none */
export function pathOf(files: Files, start: string): string {
  const name = [...files.keys()].find((candidate) => candidate.startsWith(`${start}-`))
  if (name === undefined) throw new Error(`The build has no ${start}`)
  return `/assets/${name}`
}

/** Files that the page needs first, by the start of their names. */
export const FIRST_FILES = {
  check: 'check',
  script: 'main',
  style: 'style',
  icon: 'icon',
  font: 'inter-latin-wght-normal',
} as const

/** Builds the service worker. Its version changes whenever any built file changes. */
async function buildWorker(inputs: Set<string>, files: Files): Promise<Uint8Array> {
  const version = Bun.hash([...files.keys()].toSorted().join()).toString(36)
  const first = Object.values(FIRST_FILES).map((start) => pathOf(files, start))
  const [worker] = await buildFor(inputs, {
    entrypoints: [join(ROOT, 'worker/worker.ts')],
    define: {
      BUILD: JSON.stringify({ version, files: first, page: '/app', languages: languageFiles(files) }),
      ICONS: JSON.stringify({ icon: pathOf(files, 'any-192'), badge: pathOf(files, 'badge-96') }),
    },
  })
  if (!worker) throw new Error('src/web/worker/worker.ts has no output')
  return bytesOf(worker)
}

/** Language files by code: the only chunks with names of two letters. */
const languageFiles = (files: Files): Record<string, string> =>
  Object.fromEntries(
    [...files.keys()].flatMap((name) => {
      const [, code] = /^part-([a-z]{2})-\w+\.js$/.exec(name) ?? []
      return code === undefined ? [] : [[code, `/assets/${name}`]]
    }),
  )

/** Builds the page of all controls, which a clone serves at /design. @returns the script's name and bytes */
export const buildDesign = () => buildAlone(new Set(), 'design.tsx', 'design.js')

/** Builds a standalone script. @returns its name and bytes */
async function buildAlone(
  inputs: Set<string>,
  source: string,
  name: string,
): Promise<[name: string, bytes: Uint8Array]> {
  const [script] = await buildFor(inputs, { entrypoints: [join(ROOT, source)] })
  if (!script) throw new Error(`src/web/${source} has no output`)
  const bytes = await bytesOf(script)
  return [hashedName(name, bytes), bytes]
}

const WITH_ANY = /[^{}]*:-(?:webkit|moz)-any\([^{}]*\{[^{}]*\}/g
/**
 * Bun repeats each `:is()` rule with `:-webkit-any()` and `:-moz-any()`, for browsers that we do not support; in
 * Chromium the copy outranks the rules that follow it.
 */
const withoutAny = ([name, bytes]: readonly [string, Uint8Array]): [string, Uint8Array] =>
  name.endsWith('.css') ? [name, Buffer.from(Buffer.from(bytes).toString().replace(WITH_ANY, ''))] : [name, bytes]

const bytesOf = async (output: Blob): Promise<Uint8Array> => new Uint8Array(await output.arrayBuffer())

const hashedName = (name: string, bytes: Uint8Array): string =>
  name.replace(/(?=\.\w+$)/, `-${Bun.hash(bytes).toString(36)}`)

/** Keeps the fonts out of the style sheet, so that the browser loads a font only when a page uses its letters. */
const fontFiles = (fonts: Files): Bun.BunPlugin => ({
  name: 'font files',
  setup(build) {
    build.onResolve({ filter: /\.woff2$/ }, ({ path, resolveDir }) => {
      const bytes = readFileSync(join(resolveDir, path))
      const name = hashedName(basename(path), bytes)
      fonts.set(name, bytes)
      return { path: `/assets/${name}`, external: true }
    })
  },
})
