import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openDatabase } from '../../../src/database/database.ts'
import type { Parley } from '../../../src/parley.ts'
import { type Person, person, say, stop, until } from '../../support/harness.ts'
import { by, inCallBy, joinAgain, nodesOn } from '../../support/installation.ts'
import { befriend } from '../../support/people.ts'
import { redisProgram, type RedisServer, redisServer } from '../../support/redis.ts'
import { connect } from '../../support/socket.ts'
import { stopwatch } from '../../support/stopwatch.ts'
import { joinVoice, MIC, presentIn, refusedWith, voiceChannel, voiceServer } from '../../support/voice-people.ts'

/** Well below the time that a seat without a socket lasts. */
const GONE_MS_MAX = 10_000

describe.if(redisProgram !== undefined)('joins that the owner of the room answers too late', () => {
  let redis: RedisServer
  let [one, two] = [] as unknown as [Parley, Parley]
  beforeAll(async () => {
    redis = await redisServer()
    ;[one, two] = await nodesOn(redis)
  })
  afterAll(() => Promise.all([one, two].map(stop)))

  /** Alice in a call that the first node owns; bob at the second one. */
  async function stage() {
    const [alice, bob] = (await Promise.all(['alice', 'bob'].map((name) => person(one, name)))) as [Person, Person]
    const { channel_id, server_id } = await voiceServer(alice, bob)
    const a = await inCallBy(one, alice, channel_id)
    const gateway = await connect(by(two, bob))
    /** A socket whose account has just joined a server reads its permissions anew, and answers nothing meanwhile. */
    const caughtUp = async () => {
      const name = `Birds at ${performance.now()}`
      await alice.put(`/api/servers/${server_id}`, { name })
      for (const live of [a.gateway, gateway]) await live.next('server.updated', ({ d }) => d.name === name)
      await Promise.all([received(two, one), received(one, two)])
      for (const live of [a.gateway, gateway]) await live.command('ping', {})
    }
    await caughtUp()
    const presentAt = (node: Parley) => presentIn(by(node, alice), channel_id)
    return { a, alice, bob, gateway, channel_id, server_id, presentAt, caughtUp }
  }

  /** Blocks every node that reads permissions from this table until `end` is called. */
  async function slowAccess(table: 'members' | 'calls' = 'members') {
    const sql = openDatabase({ url: one.parts.environment.DATABASE_URL }, 1)
    const lock = await sql.reserve()
    await lock`begin`
    await lock`lock table ${lock(table)} in access exclusive mode`
    return {
      /** Resolves when a join waits. */
      async awaited() {
        const waiting = () => lock`select 1 from pg_locks where relation = ${table}::regclass and not granted`
        await until(async () => (await waiting()).length > 0)
      },
      async end() {
        await lock`commit`
        lock.release()
        await sql.end()
      },
    }
  }

  /** Resolves when a node has received everything that the other one has sent: messages arrive in order. */
  function received(from = two, to = one): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    to.parts.nodes.onMessage('probe', () => resolve())
    from.parts.nodes.send(to.parts.nodes.id, 'probe', null)
    return promise
  }

  test('a join given up because the owner is slow takes no seat, and nobody sees a member', async () => {
    const { a, alice, gateway, channel_id, presentAt } = await stage()
    const access = await slowAccess()
    const refused = refusedWith(gateway, 'voice.join', { channel_id, ...MIC })
    await access.awaited()
    expect(await refused).toBe('unavailable')
    await received()
    await access.end()
    await until(() => one.parts.sql`select 1 from members limit 1`.then(() => true))
    // The owner finishes the first join before it runs this one.
    await joinVoice(a.gateway, channel_id)
    for (const node of [one, two]) expect(await presentAt(node)).toEqual([alice.id])
    expect(a.gateway.of('voice.peer_joined')).toEqual([])
    const again = await joinVoice(gateway, channel_id)
    expect(again.peers).toHaveLength(1)
    for (const live of [a.gateway, gateway]) live.close()
  })

  test('a join whose answer Redis holds up is given up by both nodes', async () => {
    const { a, alice, gateway, channel_id, presentAt } = await stage()
    const access = await slowAccess()
    const refused = refusedWith(gateway, 'voice.join', { channel_id, ...MIC })
    await access.awaited()
    redis.freeze()
    await access.end()
    // The owner cannot know yet that the caller gave up.
    const joined = await a.gateway.next('voice.peer_joined')
    expect(await refused).toBe('unavailable')
    const passed = stopwatch()
    const { d } = await a.gateway.next('voice.peer_left')
    expect(passed()).toBeLessThan(GONE_MS_MAX)
    expect(d).toEqual({ voice_session_id: joined.d.voice_session_id })
    redis.thaw()
    for (const node of [one, two]) await until(async () => Bun.deepEquals(await presentAt(node), [alice.id]))
    expect(a.gateway.of('voice.disconnected')).toEqual([])
    for (const live of [a.gateway, gateway]) live.close()
  })

  test('a client that goes away while the owner is looked for leaves no seat behind', async () => {
    const { a, alice, gateway, channel_id, presentAt } = await stage()
    redis.freeze()
    void gateway.command('voice.join', { channel_id, ...MIC }).catch(() => {})
    gateway.close()
    await gateway.closed
    redis.thaw()
    // The second node forwards this after everything that it forwarded for bob.
    const after = await connect(by(two, alice))
    await until(async () => (await refusedWith(after, 'voice.join', { channel_id, ...MIC })) === undefined)
    await until(async () => Bun.deepEquals(await presentAt(one), [alice.id]))
    expect(a.gateway.of('voice.peer_joined')).toEqual([])
    for (const live of [a.gateway, after]) live.close()
  })

  test('a room that is given up while a member joins refuses the join, which the other node then takes', async () => {
    const [alice, bob] = (await Promise.all(['alice', 'bob'].map((name) => person(one, name)))) as [Person, Person]
    const { channel_id } = await voiceServer(alice, bob)
    const [a, b] = [await connect(by(two, alice)), await connect(by(one, bob))]
    redis.freeze()
    // Each node takes the lease without Redis; the second one has the room.
    await joinVoice(a, channel_id)
    const access = await slowAccess()
    const joining = joinAgain(b, channel_id)
    await access.awaited()
    redis.thaw()
    await until(async () => (await one.parts.leases.take(`voice:${channel_id}`)) === two.parts.nodes.id)
    await access.end()
    expect((await joining).peers.map((peer) => peer.user.id)).toEqual([alice.id])
    for (const node of [one, two])
      await until(async () => Bun.deepEquals(await presentIn(by(node, alice), channel_id), [alice.id, bob.id]))
    for (const live of [a, b]) live.close()
  })

  test('a client that gave up a join which ended its seat elsewhere is asked to join again', async () => {
    const { a, alice, bob, gateway, channel_id, server_id, presentAt } = await stage()
    const other = await voiceChannel(alice, server_id, 'dusk')
    const seat = await joinVoice(gateway, other)
    const row = two.parts.nodes.table('voice').at(String(bob.id)).get(two.parts.nodes.id) ?? '{}'
    const [, id] = JSON.parse(row).holder.split(':')
    const [session] = await one.parts.sql<{ id: number }[]>`select id from sessions where user_id = ${bob.id}`
    const client = { id: Number(id), user_id: bob.id, session_id: session?.id, base: 'http://localhost' }
    // Nobody confirms the join. The owner needs time to run it, also on a slow machine, before it gives it up.
    const late = { n: 1e6, client, op: 'voice.join', d: { channel_id, ...MIC }, wait_ms: 4_000 }
    two.parts.nodes.send(one.parts.nodes.id, 'voice.command', late)
    const { d } = await gateway.next('voice.disconnected')
    expect(d).toEqual({ voice_session_id: seat.voice_session_id, reason: 'rejoin' })
    await joinVoice(gateway, other)
    await until(async () => Bun.deepEquals(await presentAt(one), [alice.id]))
    for (const node of [one, two])
      await until(async () => Bun.deepEquals(await presentIn(by(node, alice), other), [bob.id]))
    for (const live of [a.gateway, gateway]) live.close()
  })

  test('a member who leaves before another node answers a join has it refused at once, and takes no seat', async () => {
    const { a, alice, bob, gateway, channel_id, presentAt } = await stage()
    const access = await slowAccess()
    const refused = refusedWith(gateway, 'voice.join', { channel_id, ...MIC })
    await access.awaited()
    expect(await refusedWith(gateway, 'voice.leave', {})).toBe('not_found')
    expect(await refused).toBe('not_found')
    const again = joinVoice(gateway, channel_id)
    await received()
    await access.end()
    expect((await again).peers).toHaveLength(1)
    for (const node of [one, two]) await until(async () => Bun.deepEquals(await presentAt(node), [alice.id, bob.id]))
    await a.gateway.next('voice.peer_joined')
    expect(a.gateway.of('voice.peer_joined')).toHaveLength(1)
    for (const live of [a.gateway, gateway]) live.close()
  })

  test('a member who leaves during the lookup of the room’s owner takes no seat', async () => {
    const { a, alice, gateway, server_id } = await stage()
    const other = await voiceChannel(alice, server_id, 'dusk')
    redis.freeze()
    const refused = refusedWith(gateway, 'voice.join', { channel_id: other, ...MIC })
    expect(await refusedWith(gateway, 'voice.leave', {})).toBe('not_found')
    expect(await refused).toBe('not_found')
    redis.thaw()
    for (const node of [one, two]) expect(await presentIn(by(node, alice), other)).toEqual([])
    for (const live of [a.gateway, gateway]) live.close()
  })

  test('a member who leaves a call while another node answers a join to the next one is in neither', async () => {
    const { a, alice, gateway, channel_id, server_id, presentAt, caughtUp } = await stage()
    const other = await voiceChannel(alice, server_id, 'dusk')
    const seat = await joinVoice(gateway, other)
    await caughtUp()
    const access = await slowAccess()
    const refused = refusedWith(gateway, 'voice.join', { channel_id, ...MIC })
    await access.awaited()
    expect(await refusedWith(gateway, 'voice.leave', {})).toBeUndefined()
    expect(await refused).toBe('not_found')
    await access.end()
    for (const node of [one, two])
      await until(async () =>
        Bun.deepEquals([await presentAt(node), await presentIn(by(node, alice), other)], [[alice.id], []]),
      )
    expect(await refusedWith(gateway, 'voice.resume', { voice_session_id: seat.voice_session_id, epoch: 1 })).toBe(
      'not_found',
    )
    for (const live of [a.gateway, gateway]) live.close()
  })

  test('the seat that a client leaves behind ends without giving up the join that follows', async () => {
    const { a, alice, bob, gateway, channel_id, server_id, presentAt, caughtUp } = await stage()
    const carol = await person(one, 'carol')
    await befriend(bob, carol)
    const direct: number = (await bob.post('/api/channels/direct', { recipient_ids: [carol.id] })).body.id
    await say(bob, direct, 'Hello')
    const c = await inCallBy(one, carol, direct)
    const other = await voiceChannel(alice, server_id, 'dusk')
    await joinVoice(gateway, channel_id)
    await caughtUp()
    const access = await slowAccess('calls')
    const next = gateway.command('voice.join', { channel_id: direct, ...MIC })
    await access.awaited()
    await joinVoice(gateway, other)
    await a.gateway.next('voice.peer_left')
    await access.end()
    expect((await next).d?.channel_id).toBe(direct)
    const bobs = (node: Parley, channel: number) => presentIn(by(node, bob), channel)
    for (const node of [one, two])
      await until(async () =>
        Bun.deepEquals([await bobs(node, direct), await bobs(node, other)], [[carol.id, bob.id], []]),
      )
    expect(await presentAt(one)).toEqual([alice.id])
    for (const live of [a.gateway, c.gateway, gateway]) live.close()
  })

  test('a client that goes away while it joins leaves no seat behind', async () => {
    const { a, alice, gateway, channel_id, presentAt } = await stage()
    const access = await slowAccess()
    void gateway.command('voice.join', { channel_id, ...MIC }).catch(() => {})
    await access.awaited()
    gateway.close()
    await gateway.closed
    await access.end()
    await joinVoice(a.gateway, channel_id)
    for (const node of [one, two]) await until(async () => Bun.deepEquals(await presentAt(node), [alice.id]))
    a.gateway.close()
  })
})
