import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openDatabase } from '../../../src/database/database.ts'
import type { Parley } from '../../../src/parley.ts'
import { type Person, person, stop, until } from '../../support/harness.ts'
import { by, inCallBy, joinAgain, nodesOn } from '../../support/installation.ts'
import { redisProgram, type RedisServer, redisServer } from '../../support/redis.ts'
import { connect } from '../../support/socket.ts'
import { joinVoice, MIC, presentIn, refusedWith, voiceChannel, voiceRoom } from '../../support/voice-people.ts'

/** Well below the time for which a seat without a socket is kept. */
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
    const { channel_id, server_id } = await voiceRoom(alice, bob)
    const a = await inCallBy(one, alice, channel_id)
    const gateway = await connect(by(two, bob))
    const shown = (node: Parley) => presentIn(by(node, alice), channel_id)
    return { a, alice, bob, gateway, channel_id, server_id, shown }
  }

  /** Makes every node that asks what a member may do wait, until the returned function is called. */
  async function slowAccess() {
    const sql = openDatabase({ url: one.parts.environment.DATABASE_URL }, 1)
    const lock = await sql.reserve()
    await lock`begin`
    await lock`lock table members in access exclusive mode`
    return {
      /** Resolves when a join waits. */
      async awaited() {
        const waiting = () => lock`select 1 from pg_locks where relation = 'members'::regclass and not granted`
        await until(async () => (await waiting()).length > 0)
      },
      async end() {
        await lock`commit`
        lock.release()
        await sql.end()
      },
    }
  }

  test('a join given up because the owner is slow takes no seat, and nobody is shown a member', async () => {
    const { a, alice, gateway, channel_id, shown } = await stage()
    const access = await slowAccess()
    const refused = refusedWith(gateway, 'voice.join', { channel_id, ...MIC })
    await access.awaited()
    expect(await refused).toBe('unavailable')
    await access.end()
    await until(() => one.parts.sql`select 1 from members limit 1`.then(() => true))
    // Whatever the owner does with the join is done before it runs this one.
    await joinVoice(a.gateway, channel_id)
    for (const node of [one, two]) expect(await shown(node)).toEqual([alice.id])
    expect(a.gateway.of('voice.peer_joined')).toEqual([])
    const again = await joinVoice(gateway, channel_id)
    expect(again.peers).toHaveLength(1)
    for (const live of [a.gateway, gateway]) live.close()
  })

  test('a join whose answer Redis holds up is given up by both nodes', async () => {
    const { a, alice, gateway, channel_id, shown } = await stage()
    const access = await slowAccess()
    const refused = refusedWith(gateway, 'voice.join', { channel_id, ...MIC })
    await access.awaited()
    redis.freeze()
    await access.end()
    // The owner cannot learn yet that nobody waits any more.
    const joined = await a.gateway.next('voice.peer_joined')
    expect(await refused).toBe('unavailable')
    const { d } = await a.gateway.next('voice.peer_left', () => true, GONE_MS_MAX)
    expect(d).toEqual({ voice_session_id: joined.d.voice_session_id })
    redis.thaw()
    for (const node of [one, two]) await until(async () => Bun.deepEquals(await shown(node), [alice.id]))
    expect(a.gateway.of('voice.disconnected')).toEqual([])
    for (const live of [a.gateway, gateway]) live.close()
  })

  test('a client that goes away while the owner is looked for leaves no seat behind', async () => {
    const { a, alice, gateway, channel_id, shown } = await stage()
    redis.freeze()
    void gateway.command('voice.join', { channel_id, ...MIC }).catch(() => {})
    gateway.close()
    await gateway.closed
    redis.thaw()
    // What the second node forwards now comes after whatever it forwarded for bob.
    const after = await connect(by(two, alice))
    await until(async () => (await refusedWith(after, 'voice.join', { channel_id, ...MIC })) === undefined)
    await until(async () => Bun.deepEquals(await shown(one), [alice.id]))
    expect(a.gateway.of('voice.peer_joined')).toEqual([])
    for (const live of [a.gateway, after]) live.close()
  })

  test('a room that is given up while a member joins refuses the join, which the other node then takes', async () => {
    const [alice, bob] = (await Promise.all(['alice', 'bob'].map((name) => person(one, name)))) as [Person, Person]
    const { channel_id } = await voiceRoom(alice, bob)
    const [a, b] = [await connect(by(two, alice)), await connect(by(one, bob))]
    redis.freeze()
    // Each node takes the lease without asking; the second one has the room.
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

  test('a client whose seat elsewhere ends by a join that it gave up is asked to join again', async () => {
    const { a, alice, bob, gateway, channel_id, server_id, shown } = await stage()
    const other = await voiceChannel(alice, server_id, 'dusk')
    const seat = await joinVoice(gateway, other)
    const row = two.parts.nodes.table('voice').at(String(bob.id)).get(two.parts.nodes.id) ?? '{}'
    const [, id] = JSON.parse(row).holder.split(':')
    const [session] = await one.parts.sql<{ id: number }[]>`select id from sessions where user_id = ${bob.id}`
    const client = { id: Number(id), user_id: bob.id, session_id: session?.id, base: 'http://localhost' }
    const late = { n: 1e6, client, op: 'voice.join', d: { channel_id, ...MIC }, wait_ms: 1 }
    two.parts.nodes.send(one.parts.nodes.id, 'voice.command', late)
    const { d } = await gateway.next('voice.disconnected')
    expect(d).toEqual({ voice_session_id: seat.voice_session_id, reason: 'rejoin' })
    await joinVoice(gateway, other)
    await until(async () => Bun.deepEquals(await shown(one), [alice.id]))
    for (const node of [one, two])
      await until(async () => Bun.deepEquals(await presentIn(by(node, alice), other), [bob.id]))
    for (const live of [a.gateway, gateway]) live.close()
  })

  test('a client that goes away while it joins leaves no seat behind', async () => {
    const { a, alice, gateway, channel_id, shown } = await stage()
    const access = await slowAccess()
    void gateway.command('voice.join', { channel_id, ...MIC }).catch(() => {})
    await access.awaited()
    gateway.close()
    await gateway.closed
    await access.end()
    await joinVoice(a.gateway, channel_id)
    for (const node of [one, two]) await until(async () => Bun.deepEquals(await shown(node), [alice.id]))
    a.gateway.close()
  })
})
