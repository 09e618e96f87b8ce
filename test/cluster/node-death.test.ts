import { describe, expect, test } from 'bun:test'
import { boot, person, newServer, say, until } from '../support/harness.ts'
import { by, inCommon } from '../support/installation.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { connect } from '../support/socket.ts'
import { stopwatch } from '../support/stopwatch.ts'
import { dataDirectory, launch, SPAWN_MS, spawnParley } from '../support/spawned.ts'

describe.if(redisProgram !== undefined)('the death of a node', async () => {
  const redis = await redisServer()
  const one = await boot({ REDIS_URL: redis.url })
  const another = () => spawnParley(dataDirectory(), inCommon(one))
  const took = async (work: Promise<unknown>): Promise<number> => {
    const passed = stopwatch()
    await work
    return passed()
  }

  test(
    'a suspended node delays a logout for seconds at most, and accepts no revoked token when it resumes',
    async () => {
      const { child, parley } = await another()
      const alice = await person(one, 'alice')
      const there = by(parley, alice)
      expect((await there.get('/api/auth/me')).status).toBe(200)
      const live = await connect(there)
      child.kill('SIGSTOP')
      const outMs = await took(alice.post('/api/auth/logout').then(({ status }) => expect(status).toBe(200)))
      expect(outMs).toBeLessThan(9_000)
      child.kill('SIGCONT')
      expect((await there.get('/api/auth/me')).body.code).toBe('token_revoked')
      expect((await live.closed).code).toBe(4003)
      // The node serves again.
      const bob = await person(one, 'bob')
      const again = by(parley, bob)
      await until(async () => (await again.get('/api/auth/me')).status === 200)
      child.kill('SIGKILL')
    },
    SPAWN_MS,
  )

  test(
    'messages after a kick do not reach the member’s socket at a node that stood still meanwhile',
    async () => {
      const { child, parley } = await another()
      const [alice, bob, carol] = [await person(one, 'alice'), await person(one, 'bob'), await person(one, 'carol')]
      const { server_id, channel_id } = await newServer(alice, bob, carol)
      const [his, hers] = [await connect(by(parley, bob)), await connect(by(parley, carol))]
      child.kill('SIGSTOP')
      await alice.delete(`/api/servers/${server_id}/members/${bob.id}`)
      for (let n = 0; n < 20; n++) await say(alice, channel_id, `secret ${n}`)
      child.kill('SIGCONT')
      // A member who still sees the messages receives them all.
      await until(() => hers.of('message.created').length === 20)
      expect(his.of('message.created')).toEqual([])
      for (const live of [his, hers]) live.close()
      child.kill('SIGKILL')
    },
    SPAWN_MS,
  )

  test('a node that stood still delivers nothing until it has checked everything again', async () => {
    expect(one.parts.bus.receivesNotices()).toBe(true)
    Bun.sleepSync(6_000)
    // The notices of that time are still unread.
    expect(one.parts.bus.receivesNotices()).toBe(false)
    const alice = await person(one, 'alice')
    await until(() => one.parts.bus.receivesNotices())
    const live = await connect(alice)
    const { channel_id } = await newServer(alice)
    await say(alice, channel_id, 'Hello')
    await live.next('message.created')
    live.close()
  })

  test(
    'a killed node does not delay a logout',
    async () => {
      const { child } = await another()
      const alice = await person(one, 'alice')
      child.kill('SIGKILL')
      const outMs = await took(alice.post('/api/auth/logout').then(({ status }) => expect(status).toBe(200)))
      // Waiting for it would take 6 s.
      expect(outMs).toBeLessThan(4_000)
    },
    SPAWN_MS,
  )

  test(
    'a second process without the Redis of the first logs shared.missing',
    async () => {
      const child = launch(dataDirectory(), { DATABASE_URL: inCommon(one).DATABASE_URL ?? '', LOG_LEVEL: 'error' })
      let output = ''
      for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
        output += chunk
        if (output.includes('shared.missing')) break
      }
      expect(output).toContain('"variable":"REDIS_URL"')
      child.kill('SIGKILL')
    },
    SPAWN_MS,
  )
})
