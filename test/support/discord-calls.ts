import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'bun:test'
import type { Parley } from '../../src/parley.ts'

const DOCUMENT = join(import.meta.dir, '../../docs/discord.md')

/**
 * Prints each call of Discord's API that the programs of a test made on a server, as docs/discord.md describes it.
 * Fails for a call that the document does not name, or names as missing.
 * @param missing calls that a test makes because they are missing
 */
export async function expectListed({ url }: Pick<Parley, 'url'>, missing: string[] = []): Promise<void> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const calls = [...metrics.matchAll(/method="([A-Z]+)",route="\/discord\/api(\/[^"]*)"/g)]
  const recorded = [...new Set(calls.map(([, method, path]) => `${method} ${path}`))].toSorted()
  expect(recorded).not.toEqual([])
  const lines = readFileSync(DOCUMENT, 'utf8').split('\n')
  const rows = recorded.map((name) => lines.find((line) => line.startsWith(`| \`${name}\` |`)) ?? `absent: ${name}`)
  console.info(rows.join('\n'))
  const unlisted = rows.filter((row) => /^absent|\| not \|/.test(row))
  expect(unlisted.filter((row) => !missing.some((name) => row.startsWith(`| \`${name}\` |`)))).toEqual([])
}
