import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openDatabase } from '../../../src/database/database.ts'
import type { Parley } from '../../../src/parley.ts'
import { type Person, person, stop, until } from '../../support/harness.ts'
import { by, inCallBy, nodesOn } from '../../support/installation.ts'
import { redisProgram, type RedisServer, redisServer } from '../../support/redis.ts'
import { connect } from '../../support/socket.ts'
import { joinVoice, MIC, presentIn, refusedWith, voiceRoom } from '../../support/voice-people.ts'

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
    const { channel_id } = await voiceRoom(alice, bob)
    const a = await inCallBy(one, alice, channel_id)
    const gateway = await connect(by(two, bob))
    const shown = (node: Parley) => presentIn(by(node, alice), channel_id)
    return { a, alice, bob, gateway, channel_id, shown }
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
