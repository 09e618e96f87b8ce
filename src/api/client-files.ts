import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { programFile } from '../core/program.ts'

/** Where an executable has the built files. */
export const BUILT_CLIENT = 'packed/client.json'
const ROOT = programFile('src/web')

/** The files of the web client by name, which holds the hash of the content: inside an executable they are built. */
export async function clientFiles(): Promise<Map<string, string>> {
  const built = programFile(BUILT_CLIENT)
  return existsSync(built) ? new Map(JSON.parse(readFileSync(built, 'utf8'))) : await buildClient()
}

/** Builds the web client from src/web. */
export async function buildClient(): Promise<Map<string, string>> {
  const { outputs } = await Bun.build({
    entrypoints: ['main.tsx', 'style.css'].map((name) => join(ROOT, name)),
    target: 'browser',
    minify: true,
    splitting: true,
    // What is loaded later may share code, which has the entry's name.
    naming: { entry: '[name]-[hash].[ext]', chunk: 'part-[name]-[hash].[ext]' },
    publicPath: '/assets/',
  })
  const texts = await Promise.all(outputs.map(async (output) => [basename(output.path), await output.text()] as const))
  const icon = await Bun.file(join(ROOT, 'icon.svg')).text()
  return new Map([...texts, [`icon-${Bun.hash(icon).toString(36)}.svg`, icon]])
}
