import { describe, expect, test } from 'bun:test'
import { boot, call, type Person, person, newServer, say, until } from '../support/harness.ts'
import { by } from '../support/installation.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { connect, type Gateway } from '../support/socket.ts'
import type { Parley } from '../../src/parley.ts'
import { stopwatch } from '../support/stopwatch.ts'
import { upload } from '../support/uploads.ts'

const isReady = async (parley: Parley, status: string) => (await call(parley, 'GET', '/readyz')).body.status === status
const sees = (live: Gateway, content: string) => live.next('message.created', ({ d }) => d.content === content)
/** The events of a type, without repetitions of a number, which clients ignore. */
const fieldsOf = (live: Gateway, t: Parameters<Gateway['of']>[0]) => [
  ...new Map(live.of(t).map((frame) => [frame.s, frame])).values(),
]
const seenBy = (live: Gateway) => fieldsOf(live, 'message.created').map(({ d }) => d.content)

describe.if(redisProgram !== undefined)('several nodes', async () => {
  const redis = await redisServer()
  const one = await boot({ REDIS_URL: redis.url })
  const two = await boot({}, one)
  await until(async () => (await isReady(one, 'ok')) && isReady(two, 'ok'))
  const people = () => Promise.all(['alice', 'bob'].map((name) => person(one, name))) as Promise<[Person, Person]>

  test('messages sent on one node arrive on the other in order and once', async () => {
    const [alice, bob] = await people()
    const { channel_id } = await newServer(alice, bob)
    const live = await connect(by(two, bob))
    for (let n = 0; n < 50; n++) await say(alice, channel_id, `${n}`)
    await sees(live, '49')
    // Longer than the log follower takes.
    await Bun.sleep(1_500)
    expect(seenBy(live)).toEqual(Array.from({ length: 50 }, (_, n) => `${n}`))
    const typing = await connect(alice)
    await typing.command('typing.start', { channel_id })
    expect((await live.next('typing.started')).d).toMatchObject({ channel_id, user: { id: alice.id } })
    typing.close()
    live.close()
  })

  test('a message with several files arrives complete on the other node', async () => {
    const [alice, bob] = await people()
    const { channel_id } = await newServer(alice, bob)
    const live = await connect(by(two, bob))
    const files = [
      await upload(alice, 'a', 'text/plain', Buffer.from('a')),
      await upload(alice, 'b', 'text/plain', Buffer.from('b')),
    ]
    const file_ids = files.map(({ id }) => id)
    const sent = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'Two files', file_ids })
    expect(sent.status).toBe(201)
    expect((await sees(live, 'Two files')).d).toEqual(sent.body)
    live.close()
  })

  test('one node ends a timeout, and the members on every node get one event', async () => {
    const [alice, bob] = await people()
    const { server_id } = await newServer(alice, bob)
    const lives = [await connect(alice), await connect(by(two, bob))]
    const ends = (live: Gateway) => fieldsOf(live, 'member.updated').filter(({ d }) => d.timed_out_until === null)
    const timed_out_until = new Date(Date.now() + 3_600_000).toISOString()
    expect((await alice.put(`/api/servers/${server_id}/members/${bob.id}`, { timed_out_until })).status).toBe(200)
    // Lets the hour pass at once.
    await one.parts.sql`update timeouts set until = now() where user_id = ${bob.id}`
    for (const live of lives) await live.next('member.updated', ({ d }) => d.timed_out_until === null)
    await Promise.all([one.sweep(), two.sweep()])
    for (const live of lives) {
      await live.settled()
      expect(ends(live)).toHaveLength(1)
      live.close()
    }
  })

  test('when a logout is answered, the other node has refused the token and closed the socket', async () => {
    const [alice] = await people()
    const elsewhere = by(two, alice)
    const live = await connect(elsewhere)
    expect((await elsewhere.get('/api/auth/me')).status).toBe(200)
    expect((await alice.post('/api/auth/logout')).status).toBe(200)
    const [me, { code }] = await Promise.all([elsewhere.get('/api/auth/me'), live.closed])
    expect([me.body.code, code]).toEqual(['token_revoked', 4003])
  })

  test('a member kicked on one node receives nothing on the other sent after the kick', async () => {
    const [alice, bob] = await people()
    const { server_id, channel_id } = await newServer(alice, bob)
    const live = await connect(by(two, bob))
    await say(alice, channel_id, 'before')
    await sees(live, 'before')
    expect((await alice.delete(`/api/servers/${server_id}/members/${bob.id}`)).status).toBe(204)
    await say(alice, channel_id, 'after')
    await say(by(two, alice), channel_id, 'after, by the other node')
    expect((await live.next('server.deleted')).d).toEqual({ id: server_id })
    await Bun.sleep(1_500)
    expect(seenBy(live)).toEqual(['before'])
    live.close()
  })

  test('a member who gains or loses a channel by one node receives its messages on the other accordingly', async () => {
    const [alice, bob] = await people()
    const { server_id, channel_id } = await newServer(alice, bob)
    const roles = (await alice.get(`/api/servers/${server_id}/roles`)).body
    const { id: everyoneId } = roles.find((role: { is_everyone: boolean }) => role.is_everyone)
    const everyone = `/api/channels/${channel_id}/permissions/${everyoneId}`
    const live = await connect(by(two, bob))
    const viewChannel = 1 << 10
    expect((await alice.put(everyone, { deny: viewChannel })).status).toBe(200)
    await say(alice, channel_id, 'hidden')
    expect((await alice.put(everyone, { deny: 0 })).status).toBe(200)
    await say(alice, channel_id, 'open again')
    await sees(live, 'open again')
    await Bun.sleep(1_500)
    expect(seenBy(live)).toEqual(['open again'])
    expect(fieldsOf(live, 'channel.deleted')).toHaveLength(1)
    expect(fieldsOf(live, 'channel.created')).toHaveLength(1)
    live.close()
  })

  test('a client that resumes on another node gets a replay of missed events', async () => {
    const [alice, bob] = await people()
    const { channel_id } = await newServer(alice, bob)
    const before = await connect(bob)
    const { d } = await before.next('synced')
    before.close()
    await before.closed
    await say(alice, channel_id, 'meanwhile')
    const after = await connect(by(two, bob), `&s=${d.s}`)
    expect((await after.next('ready')).d.resumed).toBe(true)
    expect(seenBy(after)).toEqual(['meanwhile'])
    after.close()
  })

  test('events that a node committed and did not publish arrive anyway', async () => {
    const [alice] = await people()
    const { server_id } = await newServer(alice)
    const live = await connect(alice)
    const logged = (tx: typeof one.parts.sql, id: number) => tx`
      insert into events (type, topic, server_id, resource, body) values ('server.deleted',
        'server:' || ${server_id}::bigint, ${server_id}, 'server:' || ${id}::bigint,
        json_build_object('id', ${id}::bigint))`
    const { sql } = one.parts
    const late = Promise.withResolvers<void>()
    // The transaction that began first is committed last.
    const first = sql.begin(async (tx) => {
      await logged(tx as never, 1_000_001)
      await late.promise
    })
    await until(async () => (await sql`select 1 from pg_locks where locktype = 'transactionid' and granted`).length > 0)
    await logged(sql, 1_000_002)
    await Bun.sleep(1_200)
    late.resolve()
    await first
    const of = (id: number) => live.next('server.deleted', (frame) => frame.d.id === id)
    await Promise.all([of(1_000_001), of(1_000_002)])
    await Bun.sleep(1_200)
    expect(
      live
        .of('server.deleted')
        .map((frame) => frame.d.id)
        .toSorted(),
    ).toEqual([1_000_001, 1_000_002])
    live.close()
  })

  test('while Redis is away each node reports it, and no client misses anything or has to reconnect', async () => {
    const [alice, bob] = await people()
    const { server_id, channel_id } = await newServer(alice, bob)
    const carol = await person(one, 'carol')
    const lives = [await connect(alice), await connect(by(two, bob))]
    await redis.kill()
    await until(async () => (await isReady(one, 'degraded')) && isReady(two, 'degraded'))
    await say(alice, channel_id, 'by one')
    await say(by(two, bob), channel_id, 'by two')
    for (const live of lives) for (const content of ['by one', 'by two']) await sees(live, content)
    const [, far] = lives as [Gateway, Gateway]
    // Access changes apply as usual, and a new connection receives messages of the other node.
    const { code } = (await alice.post('/api/invites', { server_id })).body
    expect((await carol.post(`/api/invites/${code}/join`)).status).toBe(201)
    const late = await connect(by(two, carol))
    expect((await alice.delete(`/api/servers/${server_id}/members/${bob.id}`)).status).toBe(204)
    await say(alice, channel_id, 'without bob')
    await sees(late, 'without bob')
    await redis.restart()
    await until(async () => (await isReady(one, 'ok')) && isReady(two, 'ok'))
    await say(by(two, alice), channel_id, 'again')
    await Promise.all([sees(late, 'again'), sees(lives[0] as Gateway, 'again')])
    await Bun.sleep(1_200)
    expect(seenBy(far).toSorted()).toEqual(['by one', 'by two'])
    for (const live of [...lives, late]) live.close()
  })

  test('a frozen Redis delays nothing for long, and nothing is lost', async () => {
    const [alice, bob] = await people()
    const { channel_id } = await newServer(alice, bob)
    const live = await connect(by(two, bob))
    redis.freeze()
    try {
      const passed = stopwatch()
      await say(alice, channel_id, 'into the silence')
      await sees(live, 'into the silence')
      const late = await connect(by(two, bob))
      expect(passed()).toBeLessThan(10_000)
      late.close()
      await until(async () => (await isReady(one, 'degraded')) && isReady(two, 'degraded'))
    } finally {
      redis.thaw()
    }
    await until(async () => (await isReady(one, 'ok')) && isReady(two, 'ok'))
    await say(alice, channel_id, 'and after')
    await sees(live, 'and after')
    live.close()
  })
})
