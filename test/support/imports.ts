import { expect } from 'bun:test'
import { join } from 'node:path'
import type { Database } from '../../src/database/database.ts'
import type { Parley } from '../../src/parley.ts'
import { operating } from './operator.ts'

/** An export that holds everything that the format has. */
export const EXPORT = join(import.meta.dir, '../features/imports/export')
const PROGRAM = [process.execPath, join(import.meta.dir, '../../src/cli/import.ts')]

/** Starts `bun run import` as the operator would. @param variables in addition to those that name the installation */
export const startImportWith = (variables: Record<string, string>, { parts }: Parley, ...typed: string[]) => {
  const { DATABASE_URL = '', DATA_DIR } = parts.environment
  return Bun.spawn([...PROGRAM, 'discord', ...typed], {
    env: operating({ DATABASE_URL, DATA_DIR, ...variables }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

export const startImport = (parley: Parley, ...typed: string[]) => startImportWith({}, parley, ...typed)

/** Runs `bun run import` to its end. */
export const runImport = (parley: Parley, ...typed: string[]) => ended(startImport(parley, ...typed))

/** Final answer of an import, without the progress every ten seconds. */
export async function ended(child: ReturnType<typeof startImport>) {
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out, error: error.replace(/^(Reading|Making|Writing)\b.*\n/gm, ''), code }
}

/** An import that succeeds: what it says. */
export async function imports(parley: Parley, ...typed: string[]): Promise<string> {
  const { out, error, code } = await runImport(parley, ...typed)
  expect({ typed, code, error }).toEqual({ typed, code: 0, error: '' })
  return out
}

/** A message as DiscordChatExporter writes it, with the least that there can be. */
export const exported = (id: string, content: string, more: object = {}) => ({
  id,
  type: 'Default',
  timestamp: '2020-01-01T12:00:00.000+00:00',
  content,
  author: { id: '830000000000000001', name: 'ann' },
  ...more,
})

/** A file of an export. */
export const exportedChannel = (messages: object[], channel: object = {}) => ({
  guild: { id: '911111111111111111', name: 'Small' },
  channel: { id: '960000000000000001', type: 'GuildTextChat', name: 'general', ...channel },
  messages,
})

/** Makes an imported author of a server by SQL: the id. */
export async function importedAuthor(sql: Database, serverId: number): Promise<number> {
  await sql`insert into imports (server_id, source, finished_at) values (${serverId}, '1', now())`
  const [author] = await sql<[{ id: number }]>`select make_placeholders(array['Ann'], 'none') as id`
  await sql`insert into import_parts (import_id, kind, source, target_id)
    select id, 'author', '1', ${author.id} from imports where server_id = ${serverId}`
  return author.id
}
