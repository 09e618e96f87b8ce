import { expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOTICE_LISTENER_NAME, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { boot, createDatabase, stop } from '../support/harness.ts'
import { fixtureAnswers, fixturePerson } from '../support/migration/answers.ts'
import before from '../support/migration/answers.json'
import { goOffline, resume } from '../support/resuming.ts'

const SQL = join(import.meta.dir, '../../sql')
const FIXTURE = join(import.meta.dir, '../support/migration/fixture.sql')
/** The last migration of version 0.14.0. */
const LAST = '0018_quiet_reads.sql'

/** A database as version 0.14.0 left it, with the fixture's data. */
async function oldDatabase(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sql-'))
  for (const name of readdirSync(SQL)) if (name <= LAST) copyFileSync(join(SQL, name), join(folder, name))
  const url = await createDatabase('old')
  const sql = openDatabase({ url }, 2)
  await migrate(sql, { folder })
  await sql.unsafe(readFileSync(FIXTURE, 'utf8'))
  await sql.end()
  return url
}

/** Direct messages were moved behind the newest message of a channel. */
const DISTANCE = 15

/** An answer of the old version, with the new ids of direct messages. */
function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved)
  if (typeof value !== 'object' || value === null) return value
  const row: Record<string, any> = Object.fromEntries(Object.entries(value).map(([name, of]) => [name, moved(of)]))
  if ('recipient_id' in row) row['id'] += DISTANCE
  if (row['dm_message_id']) row['message_id'] = row['dm_message_id'] += DISTANCE
  // The fixture is younger than its answers.
  if (row['filename'] === 'draft.txt') delete row['created_at']
  return row
}

/** The part of an answer that the old version had too: later versions may add fields. */
function likewise(now: unknown, then: unknown): unknown {
  if (Array.isArray(now) && Array.isArray(then)) return now.map((item, at) => likewise(item, then[at]))
  if (typeof now !== 'object' || typeof then !== 'object' || !now || !then) return now
  const sharedTables = Object.entries(now).filter(([name]) => name in then)
  return Object.fromEntries(sharedTables.map(([name, of]) => [name, likewise(of, then[name as keyof typeof then])]))
}

test('data of the last version open: every account sees the same as before, by the new ids', async () => {
  const parley = await boot({ DATABASE_URL: await oldDatabase() })
  const then = moved(before)
  expect(likewise(await fixtureAnswers(parley), then)).toEqual(then as never)
  const { sql } = parley.parts
  expect(await sql`select user_id, server_id, channel_ids, message_ids from read_mark_lists order by user_id`).toEqual([
    { user_id: 1, server_id: 1, channel_ids: [1], message_ids: [9] },
    { user_id: 3, server_id: 1, channel_ids: [1], message_ids: [12] },
  ] as never)
  await stop(parley)
})

test('after the migration everything goes on: writing, reading, receipts, hiding, and nonces from before', async () => {
  const parley = await boot({ DATABASE_URL: await oldDatabase() })
  const [alice, bob, carol, mallory] = await Promise.all([1, 2, 3, 6].map((id) => fixturePerson(parley, id)))
  if (!alice || !bob || !carol || !mallory) throw new Error('four people')
  const dm = (nonce: string, content: string, file_ids: number[] = []) =>
    alice.post('/api/dm/messages', { recipient_id: 2, content, file_ids, nonce })

  const again = await dm('feather', 'A feather', [2])
  expect([again.status, again.body.id]).toEqual([200, 12 + DISTANCE])
  expect((await dm('feather', 'Another feather', [2])).body.code).toBe('nonce_conflict')
  expect((await dm('regretted', 'Regretted')).body.code).toBe('nonce_conflict')
  const draft = { content: 'A kingfisher, <@2>!', nonce: 'kingfisher' }
  expect((await alice.post('/api/channels/1/messages', draft)).status).toBe(200)

  const [conversation] = (await bob.get('/api/dm/conversations')).body
  const { channel_id } = conversation
  const s = await goOffline(alice)
  const sent = await bob.post(`/api/channels/${channel_id}/messages`, { content: 'Thanks', reply_to_id: 12 + DISTANCE })
  expect([sent.status, sent.body.id > 20 + DISTANCE]).toEqual([201, true])
  const live = await resume(alice, s)
  expect(live.of('message.created').map(({ d }) => d.id)).toEqual([sent.body.id])
  expect((await bob.post('/api/dm/1/read-all')).body.unread_count).toBe(0)
  live.close()

  // Alice had hidden carol, who comes back by writing.
  expect((await alice.get('/api/dm/conversations')).body.map((row: any) => row.user.id)).toEqual([2, 5])
  expect((await carol.post('/api/dm/messages', { recipient_id: 1, content: 'Hello?' })).status).toBe(201)
  expect((await alice.get('/api/dm/conversations')).body.map((row: any) => row.user.id)).toEqual([3, 2, 5])

  // The quiet reading stays quiet until the block is lifted.
  expect((await mallory.post('/api/dm/messages', { recipient_id: 2, content: 'Hey' })).body.code).toBe('cannot_contact')
  await bob.post('/api/friends/6/unblock')
  await bob.post('/api/dm/6/read-all')
  const read = (await mallory.get('/api/dm/2/messages')).body.map((row: any) => row.read_at !== null)
  expect(read).toEqual([true, true, true])
  await stop(parley)
})

test('a client from before the migration begins afresh, and events go on above its `s`', async () => {
  const url = await oldDatabase()
  const sql = openDatabase({ url }, 1)
  const [{ s }] = await sql<[{ s: number }]>`select max(id) as s from events`
  await sql.end()
  const parley = await boot({ DATABASE_URL: url })
  const live = await resume(await fixturePerson(parley, 2), s)
  expect(live.frames[0]?.d.resumed).toBe(false)
  expect((await live.next('synced')).d.s).toBeGreaterThan(s)
  live.close()
  await stop(parley)
})

test('a migration is refused while a server of another version works on the database', async () => {
  const url = await oldDatabase()
  const [other, sql] = [openDatabase({ url }, 1, NOTICE_LISTENER_NAME), openDatabase({ url }, 1)]
  await other`select 1`
  await expect(migrate(sql)).rejects.toThrow('A server of an earlier version runs on this database: stop it first.')
  expect((await other`select 1 from dm_messages`).length).toBeGreaterThan(0)
  await other.end()
  await migrate(sql)
  expect(await sql`select to_regclass('dm_messages')::text as old`).toEqual([{ old: null }] as never)
  await sql.end()
})
