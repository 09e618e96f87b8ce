import { describe, expect, test } from 'bun:test'
import { boot, Person, person, until } from '../support/harness.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { connect } from '../support/socket.ts'
import { dataDirectory, launch, SPAWN_MS, spawnParley } from '../support/spawned.ts'

describe.if(redisProgram !== undefined)('the death of a node', async () => {
  const redis = await redisServer()
  const one = await boot({ REDIS_URL: redis.url })
  const common = Object.fromEntries(
    Object.entries(one.parts.environment).filter(([name]) => /^(DATABASE_URL$|REDIS_|S3_)/.test(name)),
  ) as Record<string, string>
  const another = () => spawnParley(dataDirectory(), common)
  const took = async (work: Promise<unknown>): Promise<number> => {
    const began = performance.now()
    await work
    return performance.now() - began
  }

  test(
    'a node that stands still holds up a logout for seconds at most, and believes no token when it wakes',
    async () => {
      const { child, parley } = await another()
      const alice = await person(one, 'alice')
      const there = new Person(parley, alice.id, alice.username, alice.email, alice.display_name, alice.token)
      expect((await there.get('/api/auth/me')).status).toBe(200)
      const live = await connect(there)
      child.kill('SIGSTOP')
      const out_ms = await took(alice.post('/api/auth/logout').then(({ status }) => expect(status).toBe(200)))
      expect(out_ms).toBeLessThan(9_000)
      child.kill('SIGCONT')
      expect((await there.get('/api/auth/me')).body.code).toBe('token_revoked')
      expect((await live.closed).code).toBe(4003)
      // It serves on, as one that others reach.
      const bob = await person(one, 'bob')
      const again = new Person(parley, bob.id, bob.username, bob.email, bob.display_name, bob.token)
      await until(async () => (await again.get('/api/auth/me')).status === 200)
      child.kill('SIGKILL')
    },
    SPAWN_MS,
  )

  test(
    'a node that was killed holds up nobody',
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
    'a second process that does not share the Redis of the first says so',
    async () => {
      const child = launch(dataDirectory(), { DATABASE_URL: common.DATABASE_URL ?? '', LOG_LEVEL: 'error' })
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
