import { describe, expect, test } from 'bun:test'
import { boot, person, until } from '../support/harness.ts'
import { by, inCommon } from '../support/installation.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { connect } from '../support/socket.ts'
import { dataDirectory, launch, SPAWN_MS, spawnParley } from '../support/spawned.ts'

describe.if(redisProgram !== undefined)('the death of a node', async () => {
  const redis = await redisServer()
  const one = await boot({ REDIS_URL: redis.url })
  const another = () => spawnParley(dataDirectory(), inCommon(one))
  const took = async (work: Promise<unknown>): Promise<number> => {
    const began = performance.now()
    await work
    return performance.now() - began
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
      const out_ms = await took(alice.post('/api/auth/logout').then(({ status }) => expect(status).toBe(200)))
      expect(out_ms).toBeLessThan(9_000)
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
    'a killed node does not delay a logout',
    async () => {
      const { child } = await another()
      const alice = await person(one, 'alice')
      child.kill('SIGKILL')
      const out_ms = await took(alice.post('/api/auth/logout').then(({ status }) => expect(status).toBe(200)))
      expect(out_ms).toBeLessThan(2_000)
    },
    SPAWN_MS,
  )

  test(
    'a second process without the Redis of the first logs shared.missing',
    async () => {
      const child = launch(dataDirectory(), { DATABASE_URL: inCommon(one).DATABASE_URL ?? '', LOG_LEVEL: 'error' })
      let said = ''
      for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
        said += chunk
        if (said.includes('shared.missing')) break
      }
      expect(said).toContain('"variable":"REDIS_URL"')
      child.kill('SIGKILL')
    },
    SPAWN_MS,
  )
})
