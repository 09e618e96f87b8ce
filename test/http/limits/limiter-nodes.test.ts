import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type BucketState,
  isWindow,
  judgeBucket,
  judgeWindow,
  type Limiter,
  memoryLimiter,
  type Policy,
  type WindowPolicy,
} from '../../../src/http/limits/limiter.ts'
import { limiterOn, linkTo, redisCluster, redisProgram, redisServer } from '../../support/redis.ts'
import { openLog } from '../../../src/core/log.ts'
import { redisLimiter } from '../../../src/http/limits/redis-limiter.ts'
import { stopwatch } from '../../support/stopwatch.ts'
import { until } from '../../support/until.ts'

const START = 1_700_000_000_000
// Long windows: Redis expires keys by its own clock, and this machine may pause for a second.
const windows = fc.record({ max: fc.integer({ min: 1, max: 20 }), windowS: fc.integer({ min: 60, max: 3600 }) })
const buckets = fc.record({
  burst: fc.integer({ min: 20, max: 60 }),
  refillPerS: fc.constantFrom(0.1, 0.3, 0.5, 0.7, 1),
})
const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(2_000), fc.nat(400_000)), { minLength: 1, maxLength: 60 })

/** The verdicts of the pure functions on the same attempts. */
function judge(policy: Policy, times: number[], cost: number) {
  let [window, bucket]: [number[], BucketState | undefined] = [[], undefined]
  return times.map((at) => {
    const [verdict, next] = isWindow(policy) ? judgeWindow(policy, window, at) : judgeBucket(policy, bucket, at, cost)
    if (Array.isArray(next)) window = next
    else bucket = next
    return verdict
  })
}

describe.if(redisProgram !== undefined)('limits that several processes share', () => {
  const all = async (limiters: Limiter[], policy: Policy, attempts: number) => {
    const verdicts = Array.from({ length: attempts }, (_, n) => limiters[n % limiters.length]?.take(policy, 'mallory'))
    return (await Promise.all(verdicts)).filter((verdict) => verdict?.allowed).length
  }

  test('the Redis scripts give exactly the verdicts of the pure functions', async () => {
    let [at, run] = [START, 0]
    const limiter = await limiterOn((await redisServer()).url, () => at)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(windows, buckets),
        gaps,
        fc.integer({ min: 1, max: 70 }),
        async (shape, pauses, cost) => {
          const policy: Policy = { name: `policy ${++run}`, ...shape }
          let time = START
          const times = pauses.map((gap) => (time += gap))
          const verdicts = []
          for (at of times) verdicts.push(await limiter.take(policy, 'alice', cost))
          expect(verdicts).toEqual(judge(policy, times, cost))
        },
      ),
    )
  })

  test('three processes together allow no more concurrent attempts than one, by the clock of Redis', async () => {
    const { url } = await redisServer()
    const limiters = await Promise.all([limiterOn(url), limiterOn(url), limiterOn(url)])
    // Longer than the test takes on any machine.
    const window: WindowPolicy = { name: 'window', max: 40, windowS: 600 }
    expect(await all(limiters, window, 300)).toBe(40)
    expect(await all(limiters, { name: 'bucket', burst: 30, refillPerS: 0.01 }, 300)).toBe(30)
    await limiters[0]?.giveBack(window, 'mallory')
    expect(await all(limiters, window, 30)).toBe(1)
    const brief: WindowPolicy = { name: 'brief', max: 1, windowS: 2 }
    expect(await all(limiters, brief, 1)).toBe(1)
    await until(async () => (await all(limiters, brief, 1)) === 1)
  })

  test('attempts of one moment are judged in their order by one script, whatever their policies', async () => {
    const link = await linkTo((await redisServer()).url)
    const limiter = redisLimiter(link, memoryLimiter(), openLog('silent'), () => START)
    const [few, many] = [3, 20].map((burst) => ({ name: `bucket of ${burst}`, burst, refillPerS: 1 }))
    if (!few || !many) throw new Error('There are two')
    const scripts = async () => {
      const used = await link.commands.info('commandstats')
      return Number(/cmdstat_evalsha:calls=(\d+)/.exec(used)?.[1] ?? 0)
    }
    await limiter.take(few, 'load the script')
    const before = await scripts()
    const attempts = Array.from({ length: 60 }, (_, n) => limiter.take(n % 3 ? many : few, `${n % 2}`))
    const verdicts = await Promise.all(attempts)
    expect((await scripts()) - before).toBe(1)
    for (const [policy, key] of [
      [few, 0],
      [few, 1],
      [many, 0],
      [many, 1],
    ] as const) {
      const own = verdicts.filter((_, n) => (n % 3 ? many : few) === policy && n % 2 === key)
      expect(own).toEqual(judge(policy, Array(own.length).fill(START), 1))
    }
    await limiter.owe(few, 'debtor', 5)
    expect(await limiter.take(few, 'debtor')).toMatchObject({ allowed: false, resetS: 3 })
    link.stop()
  })

  test('while Redis is down or frozen each process limits by itself without long waits', async () => {
    const redis = await redisServer()
    const limiters = await Promise.all([limiterOn(redis.url), limiterOn(redis.url)])
    const policy: WindowPolicy = { name: 'window', max: 10, windowS: 600 }
    expect(await all(limiters, policy, 40)).toBe(10)
    await redis.kill()
    expect(await all(limiters, policy, 40)).toBe(20)
    await redis.restart()
    let tries = 0
    const together = async () => (await all(limiters, { ...policy, name: `try ${++tries}` }, 40)) === 10
    await until(together)
    redis.freeze()
    const passed = stopwatch()
    for (let n = 0; n < 8; n++) await all(limiters, { ...policy, name: `frozen ${n}` }, 40)
    expect(passed()).toBeLessThan(6_000)
    redis.thaw()
    await until(together)
  })

  test('work on a Redis cluster', async () => {
    const { url } = await redisCluster()
    const limiters = await Promise.all([limiterOn(url, undefined, true), limiterOn(url, undefined, true)])
    for (let n = 0; n < 12; n++) expect(await all(limiters, { name: `${n}`, max: 7, windowS: 60 }, 20)).toBe(7)
    for (let n = 0; n < 12; n++) expect(await all(limiters, { name: `${n}`, burst: 7, refillPerS: 0.01 }, 20)).toBe(7)
  })
})
