import { afterAll, expect, test } from 'bun:test'
import { topic } from '../../src/core/events.ts'
import { columns, openDatabase } from '../../src/database/database.ts'
import { NeedsPrimary } from '../../src/database/replicas.ts'
import { Server as ServerModel } from '../../src/features/access/model.ts'
import { consistentRead } from '../../src/gateway/access.ts'
import { eventsSince, markNow, markOnStandby, withNews } from '../../src/gateway/replay.ts'
import { accessOf, ServerViews } from '../../src/gateway/server-views.ts'
import type { Parley } from '../../src/parley.ts'
import { happenings, type Pick, seeded, usual, type World } from '../support/happenings.ts'
import { newServer, type Person, person, say, stop, until } from '../support/harness.ts'
import { replicaMetric, replicaName, withReplicas } from '../support/replicas.ts'
import { goOffline, isResumed, replayed, resume } from '../support/resuming.ts'
import { connect } from '../support/socket.ts'
import { SPAWN_MS } from '../support/spawned.ts'
import { primaryAndStandby, type Server } from '../support/standby.ts'

const servers = await primaryAndStandby()
afterAll(() => Promise.all([servers?.primary.crash(), servers?.standby.crash()]))

const readsOf = (parley: Parley, kind: string, server?: Server) =>
  replicaMetric(parley, 'parley_replica_reads_total', server ? replicaName(server) : 'primary', kind)

/** Repeats work until the standby has served a read of the kind. On a busy machine the primary serves some. */
async function onStandby<T>(parley: Parley, standby: Server, kind: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    await until(async () => (await replicaMetric(parley, 'parley_replica_used', replicaName(standby))) === 1)
    const before = await readsOf(parley, kind, standby)
    const value = await work()
    if ((await readsOf(parley, kind, standby)) > before) return value
  }
}

/** Resolves once the standby has replayed what is on the primary now. */
const caughtUp = ({ primary, standby }: { primary: Server; standby: Server }) => {
  const position = primary.psql('select pg_current_wal_flush_lsn()')
  return until(() => standby.psql(`select pg_last_wal_replay_lsn() >= '${position}'`) === 't')
}

/** A write that has begun, and stays open until `end`. */
async function openWrite(parley: Parley, owner: Person, server_id: number, name: string) {
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = parley.parts.write(async (sql, emit) => {
    const [server] = await sql<[ServerModel]>`
      update servers set name = ${name} where id = ${server_id} returning ${columns(sql, ServerModel)}`
    emit(topic.server(server_id), 'server.updated', server)
    begun.resolve()
    await mayEnd.promise
  })
  await begun.promise
  // Later transactions commit before it, on the server of somebody else.
  const { channel_id } = await newServer(owner)
  await say(owner, channel_id, 'Later, and committed')
  return {
    end: () => {
      mayEnd.resolve()
      return ended
    },
  }
}

test.skipIf(!servers)(
  'handshakes, opened servers and replays are read on the replica, and metrics count them',
  async () => {
    if (!servers) return
    const { primary, standby } = servers
    const parley = await withReplicas(primary, [standby])
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const fresh = await onStandby(parley, standby, 'openings', () => connect(bob, '&servers=0'))
    expect(fresh.of('ready')[0]?.d.servers).toMatchObject([{ id: server_id }])
    const opened = await onStandby(parley, standby, 'openings', () =>
      fresh.command('server.open', { server_ids: [server_id] }),
    )
    expect(opened.d).toEqual({ server_ids: [server_id] })
    fresh.close()
    const s = await onStandby(parley, standby, 'replays', () => goOffline(bob))
    const { id } = await say(alice, channel_id, 'A bittern')
    const live = await onStandby(parley, standby, 'openings', () => resume(bob, s))
    expect(isResumed(live)).toBe(true)
    expect(replayed(live).map(({ d }) => d.id)).toContain(id)
    live.close()
    await stop(parley)
  },
  SPAWN_MS,
)

test.skipIf(!servers)(
  'a transaction that was open during a handshake on the replica is neither lost nor sent twice',
  async () => {
    if (!servers) return
    const { primary, standby } = servers
    const parley = await withReplicas(primary, [standby])
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const open = await openWrite(parley, alice, server_id, 'Renamed late')
    const before = await onStandby(parley, standby, 'openings', () => connect(bob))
    expect(before.of('server.snapshot').at(-1)?.d.server.name).toBe('Birdwatchers')
    await open.end()
    await before.next('server.updated', ({ d }) => d.name === 'Renamed late')
    await before.settled()
    expect(before.of('server.updated')).toHaveLength(1)
    before.close()
    // The process has cached the server as it was before the commit.
    const after = await onStandby(parley, standby, 'openings', () => connect(bob))
    expect(after.of('server.snapshot').at(-1)?.d.server.name).toBe('Renamed late')
    await say(alice, channel_id, 'Hello')
    await after.next('message.created', ({ d }) => d.content === 'Hello')
    after.close()
    await stop(parley)
  },
  SPAWN_MS,
)

test.skipIf(!servers)(
  'the mark of a handshake on the replica has exactly the events which its snapshot shows, whatever is open',
  async () => {
    if (!servers) return
    const { primary, standby } = servers
    const parley = await withReplicas(primary, [standby])
    const alice = await person(parley, 'alice')
    const { server_id } = await newServer(alice)
    const random = seeded(17)
    const [writers, reader] = [
      openDatabase({ url: primary.url() }, 6),
      openDatabase({ url: standby.url(), isReplica: true }, 1),
    ]
    const open: { commit(isUndone: boolean): void; done: Promise<unknown> }[] = []
    const begin = async () => {
      const [begun, fate] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()]
      const done = writers
        .begin(async (tx) => {
          const resource = `server:${server_id}:${random()}`
          await tx`insert into events (type, topic, resource, server_id, body)
            values ('server.updated', ${`server:${server_id}`}, ${resource}, ${server_id}, '{}')`
          begun.resolve()
          if (await fate.promise) throw new Error('undone')
        })
        .catch((error: Error) => expect(error.message).toBe('undone'))
      await begun.promise
      open.push({ commit: fate.resolve, done })
    }
    const end = async () => {
      const [one] = open.splice(Math.floor(random() * open.length), 1)
      one?.commit(random() < 0.2)
      await one?.done
    }
    const marks: { mark: Awaited<ReturnType<typeof markNow>>; seen: Set<number> }[] = []
    for (let step = 0; step < 60; step++) {
      if (open.length < 5 && random() < 0.6) await begin()
      else await end()
      if (step % 3 > 0) continue
      await caughtUp(servers)
      marks.push(
        await consistentRead(reader, async (sql) => ({
          mark: await markOnStandby(sql),
          seen: new Set((await sql<{ id: number }[]>`select id from events`).map(({ id }) => id)),
        })),
      )
    }
    while (open.length > 0) await end()
    await caughtUp(servers)
    const views = new ServerViews(parley.parts.sql)
    const { memberships } = await views.read((_sql, load) => load([alice.id]))
    const access = accessOf(alice.id, memberships.get(alice.id) ?? [])
    const all = (
      await parley.parts.sql<{ id: number }[]>`
      select id from events where server_id = ${server_id} and user_id is null and body is not null`
    ).map(({ id }) => id)
    for (const sql of [reader, parley.parts.sql])
      for (const { mark, seen } of marks) {
        const [events] = await eventsSince(sql, [{ mark, access }])
        const later = all.filter((id) => !seen.has(id))
        expect(events?.map(({ id }) => id)).toEqual(later)
        expect(await withNews(sql, [{ mark, access }])).toHaveLength(later.length > 0 ? 1 : 0)
      }
    expect(marks.filter(({ mark }) => mark.seen.endsWith(':')).length).toBeLessThan(marks.length)
    views.stop()
    for (const sql of [writers, reader]) await sql.end()
    await stop(parley)
  },
  SPAWN_MS,
)

test.skipIf(!servers)(
  'while a transaction stays open behind a thousand others, the primary serves handshakes, and the replica the rest',
  async () => {
    if (!servers) return
    const { primary, standby } = servers
    const parley = await withReplicas(primary, [standby])
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const open = await openWrite(parley, alice, server_id, 'Renamed at last')
    primary.psql(`do $$ begin for n in 1..1100 loop begin perform pg_current_xact_id(); commit; end; end loop; end $$`)
    await say(alice, channel_id, 'A crane')
    await caughtUp(servers)
    const reader = openDatabase({ url: standby.url(), isReplica: true }, 1)
    await expect(consistentRead(reader, markOnStandby)).rejects.toBeInstanceOf(NeedsPrimary)
    const before = await readsOf(parley, 'openings')
    const live = await connect(bob)
    expect(await readsOf(parley, 'openings')).toBeGreaterThan(before)
    expect(live.of('server.snapshot').at(-1)?.d.server.name).toBe('Birdwatchers')
    await onStandby(parley, standby, 'history', () => bob.get(`/api/channels/${channel_id}/messages`))
    await open.end()
    await live.next('server.updated', ({ d }) => d.name === 'Renamed at last')
    live.close()
    await reader.end()
    await stop(parley)
  },
  SPAWN_MS,
)

test.skipIf(!servers)(
  'what was cached on the replica is not used on the primary, which may not show it yet',
  async () => {
    if (!servers) return
    const { primary, standby } = servers
    const parley = await withReplicas(primary, [standby])
    const alice = await person(parley, 'alice')
    const { server_id } = await newServer(alice)
    await caughtUp(servers)
    const { sql } = parley.parts
    const reader = openDatabase({ url: standby.url(), isReplica: true }, 4)
    const views = new ServerViews(sql, undefined, (_kind, work) => work(reader, 'replica'))
    const textsOf = async (where: 'read' | 'readOpenings') => {
      const { memberships } = await views[where]((_sql, load) => load([alice.id]))
      return memberships.get(alice.id)?.find(({ view }) => view.id === server_id)?.view.texts
    }
    const cached = await textsOf('readOpenings')
    expect(await textsOf('readOpenings')).toBe(cached)
    const newer = await textsOf('read')
    expect(newer).not.toBe(cached)
    // All that the primary shows, the replica has when it serves a read.
    expect(await textsOf('readOpenings')).toBe(newer)
    expect(await textsOf('read')).toBe(newer)
    views.stop()
    await reader.end()
    await stop(parley)
  },
  SPAWN_MS,
)

/** Anything, with its lists in one order: the servers may have theirs in different ones. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(sorted).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sorted(inner)]))
}

/** The contents of a handshake, apart from the time and who is online. */
async function contentsFor(who: Person): Promise<unknown> {
  const live = await connect(who)
  const { server_time, presences, ...ready } = live.of('ready')[0]?.d ?? {}
  expect([server_time, presences]).not.toContain(undefined)
  live.close()
  return sorted([ready, live.of('server.snapshot').map(({ d }) => d)])
}

test.skipIf(!servers)(
  'after many changes by chance, a handshake on the replica says what one on the primary says',
  async () => {
    if (!servers) return
    const { primary, standby } = servers
    const parley = await withReplicas(primary, [standby])
    const people = [await person(parley, 'alice'), await person(parley, 'bob'), await person(parley, 'carol')]
    const [alice, ...others] = people as [Person, ...Person[]]
    const { server_id, channel_id } = await newServer(alice, ...others)
    const { id } = await say(alice, channel_id, 'Remember the owls')
    for (const who of people) expect((await who.put(`/api/saved/${id}`, {})).status).toBe(200)
    await parley.parts.sql`update saved_messages set remind_at = now() - interval '1 minute' where message_id = ${id}`
    const thread = await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Owls', message_id: id })
    expect(thread.status).toBe(201)
    const lists = { servers: [server_id], channels: [channel_id], messages: [id] }
    const world: World = { people, ...lists, invites: [], roles: [], directs: [], clients: [] }
    const random = seeded(5)
    const pick: Pick = (list) => list[Math.floor(random() * list.length)]
    const names = [...Object.keys(happenings), ...usual]
    for (let n = 0; n < 150; n++) await happenings[pick(names) ?? 'say']?.(world, pick(people) ?? alice, pick, n)
    const stranger = await person(parley, 'stranger')
    /** The handshake on the replica, and on the primary, because the replica is late. */
    const both = async (who: Person): Promise<unknown[]> => {
      const onReplica = await onStandby(parley, standby, 'openings', () => contentsFor(who))
      standby.psql('select pg_wal_replay_pause()')
      await newServer(stranger)
      const before = await readsOf(parley, 'openings')
      const onPrimary = await contentsFor(who)
      expect(await readsOf(parley, 'openings')).toBeGreaterThan(before)
      standby.psql('select pg_wal_replay_resume()')
      return [onReplica, onPrimary]
    }
    for (const who of people) {
      let answers: unknown[] = []
      // A background job may change something between the two.
      await until(async () => Bun.deepEquals(...((answers = await both(who)) as [unknown, unknown]))).catch(() => {})
      expect(answers[0]).toEqual(answers[1])
    }
    await stop(parley)
  },
  SPAWN_MS,
)
