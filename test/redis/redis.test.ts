import { describe, expect, test } from 'bun:test'
import { boot, call, stop, until } from '../support/harness.ts'
import { linkTo, redisProgram, redisServer } from '../support/redis.ts'
import { stopwatch } from '../support/stopwatch.ts'
import { RedisBus } from '../../src/events/redis-bus.ts'

describe.if(redisProgram !== undefined)('rate limits in Redis', () => {
  const guess = (parley: Awaited<ReturnType<typeof boot>>, username: string) =>
    call(parley, 'POST', '/api/auth/login', { body: { username, password: 'Wrong-Guess-99!' } })

  test('two processes share their counts, and each counts separately while Redis is away', async () => {
    const redis = await redisServer()
    const variables = { RATE_LIMITS: 'on', REDIS_URL: redis.url }
    const one = await boot(variables)
    const two = await boot({ RATE_LIMITS: 'on' }, one)
    await until(async () => (await call(one, 'GET', '/readyz')).status === 200)
    const statuses: number[] = []
    for (const parley of [one, two, one, two, one, two]) statuses.push((await guess(parley, 'mallory')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])

    await redis.kill()
    expect((await guess(one, 'mallory')).status).toBe(401)
    await redis.restart()
    await until(async () => {
      const { status } = await guess(one, 'trent')
      return status === 429
    })
    for (const parley of [one, two]) await stop(parley)
  })
})

test.if(redisProgram !== undefined)(
  'while Redis stands still, only the first of many subscriptions waits',
  async () => {
    const redis = await redisServer()
    const bus = new RedisBus(await linkTo(redis.url), 'one')
    redis.freeze()
    const passed = stopwatch()
    // Imitates members of a node who join one server after another.
    for (let id = 1; id <= 5; id++) await bus.follow([`server:${id}`])
    const tookMs = passed()
    redis.thaw()
    expect(tookMs).toBeLessThan(4_000)
  },
)
