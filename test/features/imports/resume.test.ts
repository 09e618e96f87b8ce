import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boot, person } from '../../support/harness.ts'
import { exported, exportedChannel, imports, runImport, startImport } from '../../support/imports.ts'
import { SPAWN_MS } from '../../support/spawned.ts'
import { until } from '../../support/until.ts'

const parley = await boot()
const { sql } = parley.parts
const alice = await person(parley, 'alice')
const COUNT = 3_000
const LATER = '960000000000000002'

const idAt = (at: number) => String(900_000_000_000_000_000n + BigInt(at))
const folder = mkdtempSync(join(tmpdir(), 'export-'))
const reply = (at: number) => ({ type: 'Reply', reference: { messageId: idAt(at), channelId: '960000000000000001' } })
const messages = Array.from({ length: COUNT }, (_, at) =>
  exported(idAt(at + 1), `Message ${at + 1}`, at > 1 ? reply(at - 1) : {}),
)
const later = Array.from({ length: COUNT }, (_, at) => exported(idAt(COUNT + at + 1), `Later ${at + 1}`))
writeFileSync(join(folder, 'one.json'), JSON.stringify(exportedChannel(messages)))
writeFileSync(join(folder, 'two.json'), JSON.stringify(exportedChannel(later, { id: LATER, name: 'later' })))

const seen = async () => (await alice.get('/api/servers')).body.length
const stored = async () => (await sql`select count(*)::int as count from messages`)[0]?.count

test(
  'a half-finished import after a kill is invisible, and the next run resumes it',
  async () => {
    const child = startImport(parley, folder, '--owner', String(alice.id))
    const importedParts = async () => (await sql`select 1 from import_parts where source = ${LATER}`).length > 0
    await until(importedParts)
    // Writing to the second channel blocks, so the first one is complete when the import is killed.
    await sql.begin(async (tx) => {
      await tx`select 1 from import_parts where source = ${LATER} for update`
      await until(async () => (await stored()) >= COUNT)
      child.kill('SIGKILL')
      await child.exited
    })
    expect(await stored()).toBeLessThan(2 * COUNT)
    expect(await seen()).toBe(0)
    await imports(parley, folder, '--owner', String(alice.id))
    expect(await stored()).toBe(2 * COUNT)
    expect(await seen()).toBe(1)
    const wrong = await sql`select content from messages m where content <> 'Message 1' and content <> 'Message 2'
      and content not like 'Later%' and not exists (select from messages r where r.id = m.reply_to_id
        and r.content = 'Message ' || (substr(m.content, 9)::int - 2))`
    expect(wrong).toHaveLength(0)
    expect(await sql`select 1 from import_messages`).toHaveLength(0)
    expect(await sql`select 1 from events where type = 'message.created'`).toHaveLength(0)
  },
  SPAWN_MS,
)

test(
  'an import without an owner is refused, and one of another kind',
  async () => {
    expect((await runImport(parley, folder)).error).toContain('Name the owner of the server with --owner <account>')
    expect((await runImport(parley, folder, '--owner', 'nobody')).code).toBe(1)
  },
  SPAWN_MS,
)

test(
  'messages with many reactions are not all written in one transaction',
  async () => {
    const many = mkdtempSync(join(tmpdir(), 'export-'))
    const users = Array.from({ length: 11_000 }, (_, at) => ({ id: String(at + 1), name: 'x' }))
    const reactions = [{ emoji: { name: '\u{1F426}' }, count: users.length, users }]
    const popular = [1, 2, 3].map((at) => exported(idAt(at), `Popular ${at}`, { reactions }))
    const guild = { id: '911111111111111112', name: 'Popular' }
    writeFileSync(join(many, 'one.json'), JSON.stringify({ ...exportedChannel(popular), guild }))
    await imports(parley, many, '--owner', String(alice.id))
    const written = await sql<{ transaction: string; people: number; count: number }[]>`
      select m.xmin::text as transaction,
        (select count(*)::int from message_reactions r where r.message_id = m.id) as people,
        (select c.count from reaction_counts c where c.message_id = m.id) as count
      from messages m where m.content like 'Popular%' order by m.id`
    expect(written.map(({ people, count }) => [people, count])).toEqual(Array(3).fill([11_000, 11_000]))
    expect(written[1]?.transaction).toBe(written[0]?.transaction ?? '')
    expect(written[2]?.transaction).not.toBe(written[0]?.transaction)
  },
  SPAWN_MS,
)
