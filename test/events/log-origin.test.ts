import { expect, test } from 'bun:test'
import { openLog } from '../../src/core/log.ts'
import { openDatabase } from '../../src/database/database.ts'
import { LogOrigin } from '../../src/events/log-origin.ts'
import type { Parley } from '../../src/parley.ts'
import { boot, createDatabase, inCommon, Person, person, newServer, say, stop } from '../support/harness.ts'
import { goOffline, isResumed, replayed, resume } from '../support/resuming.ts'
import { connect } from '../support/socket.ts'

/** The same account at another process. */
const at = (parley: Parley, { id, username, email, display_name, token }: Person) =>
  new Person(parley, id, username, email, display_name, token)

/** An account that has seen some messages and disconnected; then the server stops. */
async function installation() {
  const parley = await boot()
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  await say(alice, channel_id, 'Before')
  return { parley, alice, channel_id, s: await goOffline(alice), database: inCommon(parley) }
}

/** The events of a client that resumes after a new message. */
async function afterRestore(database: Record<string, string>, who: Person, channel_id: number, s: number) {
  const parley = await boot(database)
  const alice = at(parley, who)
  const { id } = await say(alice, channel_id, 'Since')
  const live = await resume(alice, s)
  const outcome = [isResumed(live), replayed(live).some(({ d }) => d.id === id)]
  const synced = live.frames.find(({ t }) => t === 'synced')?.d.s
  live.close()
  // A client that has begun by then can resume.
  const again = await resume(alice, synced)
  expect(isResumed(again)).toBe(true)
  again.close()
  const [row] = await parley.parts.sql<[{ old: number }]>`
    select count(*)::int as old from events where type <> 'log.started' and created_at < now() - interval '1 hour'`
  await stop(parley)
  return { told: outcome, old: row.old }
}

test('a restart keeps the event log: a client resumes, and receives later events', async () => {
  const { parley, alice, channel_id, s, database } = await installation()
  await stop(parley)
  expect(await afterRestore(database, alice, channel_id, s)).toEqual({ told: [true, true], old: 0 })
})

test('two checks at once that find an older log renew its origin once', async () => {
  const parley = await boot()
  const database = inCommon(parley)
  await stop(parley)
  const sql = openDatabase({ url: database.DATABASE_URL }, 1)
  const fates: string[] = []
  const origin = new LogOrigin(sql, openLog('silent'), (fate) => fates.push(fate))
  expect(await origin.check(sql)).toBe(false)
  await sql`select setval('events_id_seq', 1)`
  expect(await Promise.all([origin.check(sql), origin.check(sql)])).toEqual([true, false])
  expect(fates).toEqual(['lost'])
  // A check that fails keeps back no other one.
  const away = openDatabase({ url: 'postgres://parley@127.0.0.1:1/parley' }, 1)
  const failed = origin.check(away).catch(() => 'failed')
  expect(await Promise.all([failed, origin.check(sql)])).toEqual(['failed', false])
  await Promise.all([sql, away].map((each) => each.end({ timeout: 1 })))
})

test('a log whose transaction ids lie ahead of this cluster is emptied, and everyone begins fresh', async () => {
  const { parley, alice, channel_id, s, database } = await installation()
  const { sql } = parley.parts
  await sql`update events set created_at = now() - interval '2 hours',
    xid = (xid::text::bigint + 1000000000)::text::xid8`
  await stop(parley)
  expect(await afterRestore(database, alice, channel_id, s)).toEqual({ told: [false, false], old: 0 })
})

test('a log that was written in another cluster is emptied, and everyone begins fresh', async () => {
  const { parley, alice, channel_id, s, database } = await installation()
  await parley.parts.sql`update event_log_origin set system_identifier = system_identifier - 1`
  await parley.parts.sql`update events set created_at = now() - interval '2 hours'`
  await stop(parley)
  expect(await afterRestore(database, alice, channel_id, s)).toEqual({ told: [false, false], old: 0 })
})

test('after an older backup was restored, a client that has seen later events begins fresh', async () => {
  const { parley, alice, channel_id, database } = await installation()
  await stop(parley)
  const url = new URL(database.DATABASE_URL ?? '')
  const copy = await createDatabase('restored', url.pathname.slice(1))

  const original = await boot(database)
  for (let at_ = 0; at_ < 5; at_++) await say(at(original, alice), channel_id, 'Lost with the restore')
  const seen = await goOffline(at(original, alice))
  await stop(original)

  const restored = { ...database, DATABASE_URL: copy }
  expect((await afterRestore(restored, alice, channel_id, seen)).told).toEqual([false, false])
})

test('ids go on above all earlier ones, whatever the clock of the data', async () => {
  const { parley, alice, s, database } = await installation()
  await stop(parley)
  const next = await boot(database)
  const live = await connect(at(next, alice))
  const { id } = (await at(next, alice).post('/api/servers', { name: 'Later' })).body
  const created = await live.next('server.created', ({ d }) => d.id === id)
  expect(created.s).toBeGreaterThan(s)
  expect(String(created.s).length).toBe(15)
  live.close()
  await stop(next)
})
