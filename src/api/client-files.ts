import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { programFile } from '../core/program.ts'

/** Where an executable has the built files. */
export const BUILT_CLIENT = 'packed/client.json'
const ROOT = programFile('src/web')

type Files = Map<string, Uint8Array>

/** The files of the web client by name, which holds the hash of the content: inside an executable they are built. */
export async function clientFiles(): Promise<Files> {
  const built = programFile(BUILT_CLIENT)
  if (!existsSync(built)) return buildClient()
  const packed: [string, string][] = JSON.parse(readFileSync(built, 'utf8'))
  return new Map(packed.map(([name, text]) => [name, Buffer.from(text, 'base64')]))
}

/** The built client as an executable holds it. */
export const packClient = (files: Files): string =>
  JSON.stringify([...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]))

/** Builds the web client from src/web. */
export async function buildClient(): Promise<Files> {
  const fonts: Files = new Map()
  const { outputs } = await Bun.build({
    entrypoints: ['main.tsx', 'style.css'].map((name) => join(ROOT, name)),
    target: 'browser',
    minify: true,
    splitting: true,
    jsx: { development: false },
    // What is loaded later may share code, which has the entry's name.
    naming: { entry: '[name]-[hash].[ext]', chunk: 'part-[name]-[hash].[ext]' },
    publicPath: '/assets/',
    plugins: [fontFiles(fonts)],
  })
  const built = await Promise.all(
    outputs.map(async (output) => [basename(output.path), await bytesOf(output)] as const),
  )
  const icon = readFileSync(join(ROOT, 'icon.svg'))
  return new Map([...built.map(withoutAny), ...fonts, [hashed('icon.svg', icon), icon]])
}

/** Builds the page of every control, which a clone serves beside the client. @returns the script's name and bytes */
export async function buildDesign(): Promise<[name: string, bytes: Uint8Array]> {
  const { outputs } = await Bun.build({ entrypoints: [join(ROOT, 'design.tsx')], target: 'browser', minify: true })
  const [script] = outputs
  if (!script) throw new Error('src/web/design.tsx has no output')
  const bytes = await bytesOf(script)
  return [hashed('design.js', bytes), bytes]
}

const WITH_ANY = /[^{}]*:-(?:webkit|moz)-any\([^{}]*\{[^{}]*\}/g
/**
 * Bun repeats a rule with `:is()` with `:-webkit-any()` and `:-moz-any()`, for browsers that no other rule here serves;
 * in Chromium such a rule outweighs those that follow it.
 */
const withoutAny = ([name, bytes]: readonly [string, Uint8Array]): [string, Uint8Array] =>
  name.endsWith('.css') ? [name, Buffer.from(Buffer.from(bytes).toString().replace(WITH_ANY, ''))] : [name, bytes]

const bytesOf = async (output: Blob): Promise<Uint8Array> => new Uint8Array(await output.arrayBuffer())

const hashed = (name: string, bytes: Uint8Array): string =>
  name.replace(/(?=\.\w+$)/, `-${Bun.hash(bytes).toString(36)}`)

/** Leaves the fonts of the style sheet in files of their own, which the browser loads when it meets their letters. */
const fontFiles = (fonts: Files): Bun.BunPlugin => ({
  name: 'font files',
  setup(build) {
    build.onResolve({ filter: /\.woff2$/ }, ({ path, resolveDir }) => {
      const bytes = readFileSync(join(resolveDir, path))
      const name = hashed(basename(path), bytes)
      fonts.set(name, bytes)
      return { path: `/assets/${name}`, external: true }
    })
  },
})
