import { expect, test } from 'bun:test'
import { BATCH_MAX, pruneChannel } from '../../../src/features/retention/prune-messages.ts'
import type { Parley } from '../../../src/parley.ts'
import { boot, person, type Person, newServer, say, stop, until } from '../../support/harness.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { connect } from '../../support/socket.ts'

/** Fills a channel with messages of two days ago, and one of now. @returns the ids of the old ones */
async function fill(who: Person, channel_id: number, count: number): Promise<number[]> {
  const { sql } = who.parley.parts
  const rows = await sql<{ id: number }[]>`
    insert into messages (channel_id, author_id, content, created_at)
    select ${channel_id}, ${who.id}, 'Old ' || n, now() - interval '2 days' from generate_series(1, ${count}) n
    returning id`
  await sql`insert into events (type, topic, channel_id, resource, body)
    select 'message.created', 'server:0', ${channel_id}, 'message:' || id, '{"old":true}' from unnest(
      ${rows.map((row) => row.id)}::bigint[]) id`
  await say(who, channel_id, 'young')
  return rows.map((row) => row.id)
}

/** The deleted messages match the channel and the event log exactly. */
async function expectConsistent({ parts: { sql } }: Parley, channel_id: number, old: number[]): Promise<number[]> {
  const remainingIds = (
    await sql<{ id: number }[]>`select id from messages where channel_id = ${channel_id} order by id`
  ).map((row) => row.id)
  const [channel] = await sql<{ before_id: number | null }[]>`
    select pruned_before_id as before_id from channels where id = ${channel_id}`
  const beforeId = channel?.before_id ?? 0
  expect(remainingIds.slice(0, -1)).toEqual(old.filter((id) => id >= beforeId))
  const prunings = await sql<{ before_id: number }[]>`select (body ->> 'before_id')::bigint as before_id from events
    where type = 'channel.pruned' and channel_id = ${channel_id} order by id`
  expect(prunings.at(-1)?.before_id ?? 0).toBe(beforeId)
  const logged = await sql<{ id: number }[]>`select substr(resource, 9)::bigint as id from events
    where channel_id = ${channel_id} and type = 'message.created' and body ->> 'old' = 'true' order by 1`
  expect(logged.map((row) => row.id)).toEqual(old.filter((id) => id >= beforeId))
  return prunings.map((row) => row.before_id)
}

test('a send is answered while a batch is deleted, and a batch is bounded', async () => {
  const parley = await boot()
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  const old = await fill(alice, channel_id, BATCH_MAX + 1)
  const [hold, done] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()]
  const batch = parley.parts.write(async (sql, emit) => {
    hold.resolve(await pruneChannel(sql, emit, channel_id, 1))
    await done.promise
  })
  expect(await hold.promise).toBe(true)
  await say(alice, channel_id, 'Meanwhile')
  done.resolve()
  await batch
  expect((await alice.get(`/api/channels/${channel_id}/messages`)).body).toHaveLength(3)
  await alice.put(`/api/channels/${channel_id}`, { message_retention_days: 1 })
  await parley.sweep()
  const prunings = await parley.parts.sql<{ before_id: number }[]>`
    select (body ->> 'before_id')::bigint as before_id from events where type = 'channel.pruned' order by id`
  expect(prunings.map((row) => row.before_id)).toEqual(
    [old[BATCH_MAX - 1] ?? 0, old[BATCH_MAX] ?? 0].map((id) => id + 1),
  )
  await stop(parley)
})

test('a database that dies in the middle leaves whole batches, and the next run goes on', async () => {
  const parley = await boot()
  const { sql } = parley.parts
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  const old = await fill(alice, channel_id, 6 * BATCH_MAX)
  await alice.put(`/api/channels/${channel_id}`, { message_retention_days: 1 })
  const count = async () =>
    (
      await sql<[{ n: number }]>`
    select count(*)::int as n from messages where channel_id = ${channel_id}`
    )[0].n
  const run = parley.sweep().then(
    () => 'done',
    () => 'broken',
  )
  await until(async () => (await count()) < old.length)
  // A separate connection, because the pool's are cut.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
  await run
  const before = await expectConsistent(parley, channel_id, old)
  expect(before.length).toBeGreaterThan(0)
  await until(() =>
    parley.sweep().then(
      () => true,
      () => false,
    ),
  )
  await expectConsistent(parley, channel_id, old)
  expect(await count()).toBe(1)
  await stop(parley)
})

test.if(redisProgram !== undefined)(
  'if several nodes run at once, one deletes each batch, and all clients get the events in order',
  async () => {
    const redis = await redisServer()
    const one = await boot({ REDIS_URL: redis.url })
    const nodes = [one, await boot({}, one), await boot({}, one)]
    const alice = await person(one, 'alice')
    const { channel_id } = await newServer(alice)
    const old = await fill(alice, channel_id, 4 * BATCH_MAX)
    await alice.put(`/api/channels/${channel_id}`, { message_retention_days: 1 })
    const sockets = await Promise.all(nodes.map((parley) => connect({ ...alice, parley } as Person)))
    const countRemaining = async () =>
      (await one.parts.sql`select 1 from messages where channel_id = ${channel_id}`).length
    while ((await countRemaining()) > 1) await Promise.all(nodes.map((parley) => parley.sweep()))
    const prunings = await expectConsistent(one, channel_id, old)
    expect(prunings).toEqual([1, 2, 3, 4].map((n) => (old[n * BATCH_MAX - 1] ?? 0) + 1))
    for (const socket of sockets) {
      const prunedEvents = () => socket.frames.filter(({ t }) => t === 'channel.pruned').map(({ d }) => d.before_id)
      await until(() => prunedEvents().length >= prunings.length)
      expect(prunedEvents().toSorted((a, b) => a - b)).toEqual(prunings)
      socket.close()
    }
    for (const parley of nodes) await stop(parley)
  },
  120_000,
)
