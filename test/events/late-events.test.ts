import { describe, expect, test } from 'bun:test'
import type { Notice } from '../../src/events/bus.ts'
import { LogFollower } from '../../src/events/log-follower.ts'
import { NoticeListener } from '../../src/events/notice-listener.ts'
import { RedisBus } from '../../src/events/redis-bus.ts'
import { newNodeId } from '../../src/cluster/nodes.ts'
import { openLog } from '../../src/core/log.ts'
import { openRedis } from '../../src/redis/client.ts'
import { eventFrame, topic } from '../../src/core/events.ts'
import { permissions } from '../../src/core/permissions.ts'
import { NOTICE_LISTENER_NAME } from '../../src/database/database.ts'
import { boot, call, Person, person, newServer, say, until } from '../support/harness.ts'
import { befriend, write } from '../support/people.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { connect, type Frame, Gateway, gatewayUrl, newestS } from '../support/socket.ts'

const view = permissions('view_channel')

describe.if(redisProgram !== undefined)('events that reach a node late', async () => {
  const redis = await redisServer()
  const one = await boot({ REDIS_URL: redis.url })
  const two = await boot({}, one)
  const isReady = async (parley: typeof one) => (await call(parley, 'GET', '/readyz')).body.status === 'ok'
  await until(async () => (await isReady(one)) && isReady(two))

  /** A socket of the person at the other node. */
  const elsewhere = ({ id, username, email, display_name, token }: Person, query = '') =>
    connect(new Person(two, id, username, email, display_name, token), query)

  /** A channel that alice always sees, and bob only while it is open to everyone. */
  async function hall() {
    const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
    const path = `/api/channels/${channel_id}/permissions/${everyone.id}`
    const [live, passing] = [await elsewhere(alice), await elsewhere(bob)]
    const set = async (deny: number) => expect((await alice.put(path, { deny })).status).toBe(200)
    return { alice, live, passing, channel_id, hide: () => set(view), open: () => set(0) }
  }

  /** Begins a transaction; it has its id when this resolves, and stays open until `end` is called. */
  async function oldestTransaction() {
    const [begun, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const ended = one.parts.sql.begin(async (tx) => {
      await tx`select pg_current_xact_id()`
      begun.resolve()
      await ending.promise
    })
    await Promise.race([begun.promise, ended])
    return { ended, end: () => ending.resolve() }
  }

  test('a message that Redis delivers after its channel changed reaches members who see it throughout', async () => {
    const { alice, live, passing, channel_id, hide, open } = await hall()
    for (let n = 0; n < 8; n++) {
      await hide()
      for (const [what, change] of [
        ['before it was opened', open],
        ['before it was hidden', hide],
      ] as const) {
        const content = `${what}, ${n}`
        redis.freeze()
        try {
          await say(alice, channel_id, content)
          await change()
        } finally {
          redis.thaw()
        }
        await live.next('message.created', ({ d }) => d.content === content)
      }
    }
    live.close()
    passing.close()
  })

  test('a member who lost sight of a channel receives no message of it after the change was answered', async () => {
    const { alice, live, passing, channel_id, hide, open } = await hall()
    for (let n = 0; n < 3; n++) {
      redis.freeze()
      let before = 0
      try {
        await say(alice, channel_id, `just before, ${n}`)
        await hide()
        await passing.settled()
        before = passing.of('message.created').length
      } finally {
        redis.thaw()
      }
      await live.next('message.created', ({ d }) => d.content === `just before, ${n}`)
      await Bun.sleep(1_500)
      expect(passing.of('message.created')).toHaveLength(before)
      await open()
    }
    live.close()
    passing.close()
  })

  test('a late event is followed by the newest event of its resource', async () => {
    const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const { sql, bus } = one.parts
    const before = await elsewhere(alice)
    // The log is final only up to the oldest transaction: until that ends, no follower delivers later events.
    const { ended: oldest, end: late } = await oldestTransaction()
    const message = { ...(await say(alice, channel_id, 'first')), id: 3_000_001 }
    const logged = async (type: string, content: string) => {
      const body = JSON.stringify({ ...message, content })
      const [row] = await sql<[{ id: number }]>`
        insert into events (type, resource, topic, server_id, channel_id, body) values (${type},
          ${`message:${message.id}`}, ${`server:${server_id}`}, ${server_id}, ${channel_id}, ${body}::text::json)
        returning id`
      return () => bus.publish(eventFrame(topic.server(server_id), type, row.id, body))
    }
    // One event of a node that died before it published, and one of a node that did not.
    await logged('message.created', 'first')
    const publish = await logged('message.updated', 'edited')
    publish()
    await before.next('message.updated')
    const live = await elsewhere(bob)
    late()
    await oldest
    const isIt = ({ d }: Frame) => d.id === message.id
    await live.next('message.created', isIt)
    await live.settled()
    expect(live.frames.filter(isIt).map(({ t, d }) => [t, d.content])).toEqual([
      ['message.created', 'first'],
      ['message.updated', 'edited'],
    ])
    before.close()
    live.close()
  })

  for (const way of ['the log', 'Redis'])
    test(`a dm that was read stays read for a new client if ${way} brings its message late`, async () => {
      const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
      await befriend(alice, bob)
      const { sql, bus } = one.parts
      const before = await elsewhere(bob)
      const { ended: oldest, end: late } = await oldestTransaction()
      const { id } = await write(alice, bob, 'Look, a wren')
      await before.next('message.created', ({ d }) => d.id === id)
      // The same event once more, which its node has not published.
      const [logged] = await sql<[{ s: number; body: string }]>`
        insert into events (type, resource, topic, user_id, channel_id, body)
        select type, resource, topic, user_id, channel_id, body from events
        where type = 'message.created' and user_id = ${bob.id} and resource = ${`message:${id}`}
        returning id as s, body::text as body`
      expect((await bob.post(`/api/dm/messages/${id}/read`)).status).toBe(200)
      await before.next('dm.read')
      const live = await elsewhere(bob)
      // An event counts as late only if a newer one was delivered some time before.
      await Bun.sleep(200)
      if (way === 'Redis') bus.publish(eventFrame(topic.user(bob.id), 'message.created', logged.s, logged.body))
      else late()
      await live.next('message.created', ({ s }) => s === logged.s)
      await live.next('dm.read')
      const counts = live.frames.flatMap(({ d: { unread_count } }) => unread_count ?? [])
      expect(counts).toEqual([1, 0])
      late()
      await oldest
      before.close()
      live.close()
    })

  test('a client that received a newer event does not resume past events that its node received late', async () => {
    const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const { sql } = one.parts
    const message = await say(alice, channel_id, 'first')
    // The log might be read in time once by chance.
    for (let round = 0; round < 4; round++) {
      const live = await elsewhere(bob)
      await two.parts.bus.notify({ kind: 'disconnected' })
      // Committed while the database was lost, and so published by no node.
      const missed = [40, 30, 20, 10].map((seconds_ago, n) => ({ seconds_ago, id: 3_000_100 + 10 * round + n }))
      for (const { seconds_ago, id } of missed)
        await sql`insert into events (type, resource, topic, server_id, channel_id, body, created_at)
          values ('message.created', ${`message:${id}`}, ${`server:${server_id}`}, ${server_id}, ${channel_id},
            ${JSON.stringify({ ...message, id })}::text::json, now() - ${seconds_ago} * interval '1 second')`
      const isNewer = ({ d }: Frame) => d.content.startsWith(`newer ${round}`)
      let hasArrived = false
      const newer: Promise<Frame> = live.next('message.created', isNewer).finally(() => (hasArrived = true))
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = ${NOTICE_LISTENER_NAME} and datname = current_database()`
      for (let n = 0; !hasArrived; n++) await say(alice, channel_id, `newer ${round} ${n}`)
      const { s } = await newer
      live.close()
      const again = await elsewhere(bob, `&s=${s}`)
      expect(again.frames[0]?.d.resumed).toBe(true)
      const upTo = live.frames.slice(
        0,
        live.frames.findIndex((frame) => frame.s === s),
      )
      const seen = new Set([...upTo, ...again.frames].map(({ d }) => d.id))
      expect(missed.filter(({ id }) => !seen.has(id))).toEqual([])
      again.close()
    }
  })

  test('a node that has not read the log to its end for seconds delivers nothing until it has', async () => {
    const link = openRedis(redis.url, 'late-events', false, openLog('silent'))
    const bus = new RedisBus(link, newNodeId())
    const kinds: Notice['kind'][] = []
    bus.onNotice(({ kind }) => void kinds.push(kind))
    // Not started: it reads only when the listener has a new connection.
    const follower = new LogFollower(bus, () => {}, openLog('silent'))
    const address = { url: one.parts.environment.DATABASE_URL }
    const listener = new NoticeListener(address, one.parts.sql, bus, newNodeId(), () => {}, openLog('silent'), follower)
    await listener.start()
    expect(bus.receivesNotices()).toBe(true)
    await until(() => !bus.receivesNotices())
    const readUntil = follower.readUntil()
    await until(() => bus.receivesNotices())
    expect(follower.readUntil()).toBeGreaterThan(readUntil)
    const first = kinds.indexOf('disconnected')
    expect(kinds.slice(first, first + 3)).toEqual(['disconnected', 'recheck_all', 'connected'])
    await listener.stop()
    link.stop()
  })

  test('after a reconnect, a late frame of a hidden channel goes to nobody who lost sight of it', async () => {
    const { alice, live, passing, channel_id, hide } = await hall()
    const { sql, bus } = one.parts
    const message = await say(alice, channel_id, 'first')
    await live.next('message.created')
    // Until this ends, no follower reads later events.
    const { ended: oldest, end: late } = await oldestTransaction()
    const id = 3_000_200
    const body = JSON.stringify({ ...message, id })
    const [event] = await sql<[{ id: number; topic: string }]>`
      insert into events (type, resource, topic, server_id, channel_id, body)
      select 'message.created', ${`message:${id}`}, channel_topic(c), server_id, c.id, ${body}::text::json
      from channels c where c.id = ${channel_id} returning id, topic`
    await hide()
    const connected = Promise.withResolvers<void>()
    two.parts.bus.onNotice(({ kind }) => void (kind === 'connected' && connected.resolve()))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${NOTICE_LISTENER_NAME} and datname = current_database()`
    await connected.promise
    bus.publish(eventFrame({ topic: event.topic, channel_id }, 'message.created', event.id, body))
    await say(alice, channel_id, 'after it was hidden')
    await live.next('message.created', ({ d }) => d.content === 'after it was hidden')
    late()
    await oldest
    await live.next('message.created', ({ d }) => d.id === id)
    await passing.settled()
    expect(passing.frames.filter(({ d }) => d.id === id)).toEqual([])
    live.close()
    passing.close()
  })

  test('events missed during a handshake arrive only after the node has checked access again', async () => {
    const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
    const [leftServer, keptServer] = [await newServer(alice, bob), await newServer(alice, bob)]
    const message = await say(alice, keptServer.channel_id, 'first')
    const { sql } = one.parts
    const { bus } = two.parts
    const [read, standing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const follow = bus.follow.bind(bus)
    // The handshake has been read by now, but not sent.
    bus.follow = async (topics) => {
      read.resolve()
      await standing.promise
      return follow(topics)
    }
    const live = new Gateway(gatewayUrl(two, `token=${bob.token}`))
    try {
      await read.promise
      await bus.notify({ kind: 'disconnected' })
      // The other node did not wait for this one: no notice of the end of bob's membership arrives here.
      await sql`delete from members where server_id = ${leftServer.server_id} and user_id = ${bob.id}`
      for (const [id, { server_id, channel_id }] of [
        [3_000_301, leftServer],
        [3_000_302, keptServer],
      ] as const)
        await sql`insert into events (type, resource, topic, server_id, channel_id, body) values ('message.created',
          ${`message:${id}`}, ${`server:${server_id}`}, ${server_id}, ${channel_id},
          ${JSON.stringify({ ...message, id, channel_id })}::text::json)`
    } finally {
      bus.follow = follow
      standing.resolve()
    }
    await live.next('server.snapshot', ({ d }) => d.server.id === keptServer.server_id)
    await Bun.sleep(500)
    expect(live.frames.filter(({ t }) => t === 'synced' || t === 'message.created')).toEqual([])
    await bus.notify({ kind: 'recheck_all' })
    await bus.notify({ kind: 'connected' })
    await live.next('synced')
    await live.settled()
    expect(live.of('server.deleted').map(({ d }) => d.id)).toEqual([leftServer.server_id])
    // Older events may be repeated.
    const missed = live.of('message.created').map(({ d }) => d.id)
    expect(missed).toContain(3_000_302)
    expect(missed).not.toContain(3_000_301)
    live.close()
  })

  test('a client that keeps a channel hidden during a catch-up does not resume past what its node missed', async () => {
    const { alice, live, passing, hide } = await hall()
    const { server_id, channel_id } = await newServer(alice)
    const { sql } = one.parts
    const message = await say(alice, channel_id, 'first')
    await live.next('message.created')
    const near = await connect(alice)
    await two.parts.bus.notify({ kind: 'disconnected' })
    const missed = [40, 30, 20, 10].map((seconds_ago, n) => ({ seconds_ago, id: 3_000_400 + n }))
    for (const { seconds_ago, id } of missed)
      await sql`insert into events (type, resource, topic, server_id, channel_id, body, created_at)
        values ('message.created', ${`message:${id}`}, ${`server:${server_id}`}, ${server_id}, ${channel_id},
          ${JSON.stringify({ ...message, id })}::text::json, now() - ${seconds_ago} * interval '1 second')`
    await hide()
    await Promise.race([live.settled(), live.closed])
    const s = newestS(live)
    live.close()
    // The other node has delivered them, so only the replay brings them to a new socket.
    for (const { id } of missed) await near.next('message.created', ({ d }) => d.id === id)
    const again = await connect(alice, `&s=${s}`)
    expect(again.frames[0]?.d.resumed).toBe(true)
    const seen = new Set([...live.frames, ...again.frames].map(({ d }) => d.id))
    expect(missed.filter(({ id }) => !seen.has(id))).toEqual([])
    await two.parts.bus.notify({ kind: 'connected' })
    for (const socket of [near, again, passing]) socket.close()
  })

  test('members hear of the end of a server also at a node that is catching up', async () => {
    const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
    const { server_id } = await newServer(alice, bob)
    const live = await elsewhere(bob)
    await two.parts.bus.notify({ kind: 'disconnected' })
    expect((await alice.delete(`/api/servers/${server_id}`)).status).toBe(204)
    expect((await live.next('server.deleted')).d).toEqual({ id: server_id })
    await two.parts.bus.notify({ kind: 'connected' })
    live.close()
  })
})
