import { expect, test } from 'bun:test'
import type { Notice } from '../../src/events/bus.ts'
import { type Person, person, standard, until } from '../support/harness.ts'
import { connect } from '../support/socket.ts'
import { inVoice, joinVoice, MIC, presentIn, voiceServer } from '../support/voice-people.ts'

const parley = await standard()
const { sql, bus } = parley.parts

/** The read that the test blocks: the table that is locked, and a part of the query. */
const ACCESS = { table: 'members', query: 'as server_mute' }
const SESSIONS = { table: 'sessions', query: 'select id from sessions where id = any' }

/** Makes the server read because of `begin`; `meanwhile` runs before the read has its answer. */
async function whileReading<T>(
  begin: () => Promise<T>,
  meanwhile: () => Promise<unknown>,
  { table, query } = ACCESS,
): Promise<T> {
  const following = Promise.withResolvers<T>()
  // Awaited below.
  following.promise.catch(() => {})
  await sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in access exclusive mode`
    begin().then(following.resolve, following.reject)
    await until(async () => {
      const waiting = await sql`select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like ${`%${query}%`}`
      return waiting.length > 0
    })
    await meanwhile()
  })
  return following.promise
}

const whileRead = (notice: Notice, meanwhile: () => Promise<unknown>) =>
  whileReading(() => bus.notify(notice), meanwhile)

/** Alice and bob in alice's voice channel, with other members. */
async function call(...others: Person[]) {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const place = await voiceServer(alice, bob, ...others)
  const [a, b] = [await inVoice(alice, place.channel_id), await inVoice(bob, place.channel_id)]
  return { alice, bob, a, b, ...place }
}

for (const kind of ['recheck_all', 'access_changed'] as const)
  test(`a member who leaves while the server reads permissions stays out of the call (${kind})`, async () => {
    const { alice, bob, a, b, channel_id } = await call()
    const notice: Notice = kind === 'recheck_all' ? { kind } : { kind, user_ids: [bob.id] }
    await whileRead(notice, () => b.gateway.command('voice.leave'))
    expect(await presentIn(alice, channel_id)).toEqual([alice.id])
    await a.gateway.settled()
    expect(a.gateway.of('voice.peer_updated')).toEqual([])
    for (const { gateway } of [a, b]) gateway.close()
  })

test('a recheck that cannot read permissions is refused, and removes nobody from a call', async () => {
  const { alice, bob, a, b, channel_id } = await call()
  const cut = () => sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and query like '%as server_mute%'`
  await expect(whileRead({ kind: 'recheck_all' }, cut)).rejects.toThrow()
  expect(await presentIn(alice, channel_id)).toEqual([alice.id, bob.id])
  await bus.notify({ kind: 'recheck_all' })
  expect(await presentIn(alice, channel_id)).toEqual([alice.id, bob.id])
  for (const { gateway } of [a, b]) {
    await gateway.settled()
    expect(gateway.of('voice.disconnected')).toEqual([])
    gateway.close()
  }
})

test('a member who leaves before a join is answered takes no seat', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await voiceServer(alice, bob)
  const gateway = await connect(bob)
  const answer = await whileReading(
    () => gateway.command('voice.join', { channel_id, ...MIC }),
    async () => expect((await gateway.command('voice.leave')).error?.code).toBe('not_found'),
  )
  expect(answer.error?.code).toBe('not_found')
  expect(await presentIn(alice, channel_id)).toEqual([])
  const again = await gateway.command('voice.join', { channel_id, ...MIC })
  expect(again.error).toBeUndefined()
  expect(await presentIn(alice, channel_id)).toEqual([bob.id])
  gateway.close()
})

test('a member who joins while sessions are read keeps the seat, unless the session has ended', async () => {
  const carol = await person(parley, 'carol')
  const { alice, bob, a, b, channel_id } = await call(carol)
  const gateway = await connect(carol)
  await sql`delete from sessions where user_id = ${bob.id}`
  const joining = () => joinVoice(gateway, channel_id)
  await whileReading(() => bus.notify({ kind: 'recheck_all' }), joining, SESSIONS)
  expect(await presentIn(alice, channel_id)).toEqual([alice.id, carol.id])
  for (const each of [a.gateway, b.gateway, gateway]) each.close()
})
