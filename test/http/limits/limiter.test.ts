import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type BucketPolicy,
  type BucketState,
  judgeBucket,
  judgeWindow,
  type Limiter,
  memoryLimiter,
  oweBucket,
  type Policy,
  rateLimitHeaders,
  type WindowPolicy,
  type WindowState,
} from '../../../src/http/limits/limiter.ts'
import { addressReader } from '../../../src/api/client-address.ts'
import { addressKey } from '../../../src/features/sessions/address.ts'
import { limiterOn, redisProgram, redisServer } from '../../support/redis.ts'

const windows = fc.record({
  name: fc.constant('window'),
  max: fc.integer({ min: 1, max: 40 }),
  windowS: fc.integer({ min: 1, max: 3600 }),
})
const buckets = fc.record({
  name: fc.constant('bucket'),
  burst: fc.integer({ min: 1, max: 60 }),
  refillPerS: fc.constantFrom(0.1, 0.3, 0.5, 1, 3, 7, 20),
})
/** Milliseconds between attempts: bursts, and waits that empty a window. */
const pauses = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2000 }), fc.integer({ max: 4_000_000 })), {
  minLength: 1,
  maxLength: 120,
})
const START = 1_700_000_000_000
const instants = (gaps: number[]): number[] => {
  let at = START
  return gaps.map((gap) => (at += Math.abs(gap)))
}

function runWindow(policy: WindowPolicy, times: number[]) {
  let state: WindowState = []
  return times.map((at) => {
    const [verdict, next] = judgeWindow(policy, state, at)
    state = next
    return { at, state, ...verdict }
  })
}

function runBucket(policy: BucketPolicy, times: number[]) {
  let state: BucketState | undefined
  return times.map((at) => {
    const [verdict, next] = judgeBucket(policy, state, at)
    state = next
    return { at, state: next, ...verdict }
  })
}

test('no window of its length ever holds more attempts than a window policy allows', () => {
  fc.assert(
    fc.property(windows, pauses, (policy, gaps) => {
      const letIn = runWindow(policy, instants(gaps)).filter((verdict) => verdict.allowed)
      for (const { at } of letIn) {
        const inside = letIn.filter((other) => other.at > at - policy.windowS * 1000 && other.at <= at)
        expect(inside.length).toBeLessThanOrEqual(policy.max)
      }
    }),
  )
})

test('a window policy allows attempts below its maximum, and a refused one after the reset', () => {
  fc.assert(
    fc.property(windows, pauses, (policy, gaps) => {
      const verdicts = runWindow(policy, instants(gaps))
      for (const [index, { at, allowed, state, resetS, remaining }] of verdicts.entries()) {
        const before = verdicts.slice(0, index).filter((v) => v.allowed && v.at > at - policy.windowS * 1000)
        expect(allowed).toBe(before.length < policy.max)
        expect(remaining).toBe(policy.max - before.length - (allowed ? 1 : 0))
        const [later, after] = judgeWindow(policy, state, at + resetS * 1000)
        expect(later.allowed).toBeTrue()
        if (allowed) expect(after).toHaveLength(1)
        expect(resetS).toBeWithin(1, policy.windowS + 1)
      }
    }),
  )
})

test('a bucket allows its burst and its refill, never more', () => {
  fc.assert(
    fc.property(buckets, pauses, (policy, gaps) => {
      const letIn = runBucket(policy, instants(gaps)).filter((verdict) => verdict.allowed)
      for (const [from, first] of letIn.entries()) {
        for (const [offset, last] of letIn.slice(from).entries()) {
          const refilled = ((last.at - first.at) / 1000) * policy.refillPerS
          expect(offset + 1).toBeLessThanOrEqual(policy.burst + refilled + 1e-6)
        }
      }
    }),
    { numRuns: 50 },
  )
})

test('a bucket allows a refused attempt after the reset, and is full after a rest', () => {
  fc.assert(
    fc.property(buckets, pauses, (policy, gaps) => {
      for (const { at, allowed, state, resetS, remaining } of runBucket(policy, instants(gaps))) {
        expect(remaining).toBeWithin(0, policy.burst)
        const [later] = judgeBucket(policy, state, at + resetS * 1000)
        expect(later.allowed).toBeTrue()
        if (allowed) expect(later.remaining).toBe(policy.burst - 1)
      }
    }),
  )
})

test('attempts of several tokens take no more than the burst and the refill, and each is allowed in the end', () => {
  const costs = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 120, maxLength: 120 })
  fc.assert(
    fc.property(buckets, pauses, costs, (policy, gaps, weights) => {
      let [state, spentTokens]: [BucketState | undefined, number] = [undefined, 0]
      for (const [index, at] of instants(gaps).entries()) {
        const cost = weights[index] ?? 1
        const [verdict, next] = judgeBucket(policy, state, at, cost)
        const tokens = Math.min(cost, policy.burst)
        if (verdict.allowed) spentTokens += tokens
        expect(spentTokens).toBeLessThanOrEqual(policy.burst + ((at - START) / 1000) * policy.refillPerS + 1e-6)
        if (!verdict.allowed) expect(judgeBucket(policy, next, at + verdict.resetS * 1000, cost)[0].allowed).toBeTrue()
        state = next
      }
    }),
  )
})

test('a bucket in debt refuses until it is paid, owes its burst at most, and names when it allows', () => {
  const debts = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(buckets, debts, (policy, costs) => {
      let [, state] = judgeBucket(policy, undefined, START)
      const remaining = Math.max(-policy.burst, policy.burst - 1 - costs.reduce((sum, cost) => sum + cost, 0))
      for (const cost of costs) state = oweBucket(policy, state, START, cost)
      expect(state.tokens).toBe(remaining)
      const [verdict, after] = judgeBucket(policy, state, START)
      expect([verdict.allowed, verdict.remaining >= 0]).toEqual([remaining >= 1, true])
      if (!verdict.allowed) expect(judgeBucket(policy, after, START + verdict.resetS * 1000)[0].allowed).toBeTrue()
    }),
  )
})

test('a clock that is set back does not refill a bucket', () => {
  const bucket: BucketPolicy = { name: 'bucket', burst: 5, refillPerS: 1 }
  const [, state] = judgeBucket(bucket, { tokens: 2, at: START }, START - 3_600_000)
  expect(state.tokens).toBe(1)
})

const limiters: [string, (now: () => number) => Promise<Limiter>][] = [['memory', async (now) => memoryLimiter(now)]]
if (redisProgram) {
  const redis = redisServer()
  limiters.push(['Redis', async (now) => limiterOn((await redis).url, now)])
}

test.each(limiters)(
  'keys do not share attempts, and a returned attempt can be taken again, by %s',
  async (_by, open) => {
    let at = START
    const limiter = await open(() => at)
    const one: WindowPolicy = { name: 'one', max: 1, windowS: 10 }
    const allowed = async (policy: Policy, key: string) => (await limiter.take(policy, key)).allowed
    expect(await allowed(one, 'alice')).toBeTrue()
    expect(await allowed(one, 'alice')).toBeFalse()
    expect(await allowed(one, 'bob')).toBeTrue()
    expect(await allowed({ ...one, name: 'another' }, 'alice')).toBeTrue()
    await limiter.giveBack(one, 'alice')
    expect(await allowed(one, 'alice')).toBeTrue()
    await limiter.giveBack(one, 'carol')
    at += 9_999
    expect(await allowed(one, 'alice')).toBeFalse()
    at += 1
    expect(await allowed(one, 'alice')).toBeTrue()
    const bucket: BucketPolicy = { name: 'one', burst: 1, refillPerS: 1 }
    expect([await allowed(bucket, 'alice'), await allowed(bucket, 'alice')]).toEqual([true, false])
    at += 1_000
    expect(await allowed(bucket, 'alice')).toBeTrue()
  },
)

test.each(limiters)('work done without asking is owed, to the burst at most, by %s', async (_by, open) => {
  let at = START
  const limiter = await open(() => at)
  const policy: BucketPolicy = { name: 'owing', burst: 10, refillPerS: 1 }
  await limiter.owe(policy, 'alice', 4)
  expect(await limiter.take(policy, 'alice')).toMatchObject({ allowed: true, remaining: 5 })
  await limiter.owe(policy, 'alice', 8)
  expect(await limiter.take(policy, 'alice')).toMatchObject({ allowed: false, remaining: 0, resetS: 4 })
  expect(await limiter.take(policy, 'bob')).toMatchObject({ allowed: true, remaining: 9 })
  at += 4_000
  expect((await limiter.take(policy, 'alice')).allowed).toBeTrue()
  await limiter.owe(policy, 'alice', 1_000)
  at += 10_999
  expect((await limiter.take(policy, 'alice')).allowed).toBeFalse()
  at += 1
  expect((await limiter.take(policy, 'alice')).allowed).toBeTrue()
})

test('the headers contain the policy, its quota, the remaining attempts and the reset', () => {
  const policy: WindowPolicy = { name: 'login', max: 5, windowS: 900 }
  expect(rateLimitHeaders({ policy, allowed: true, remaining: 4, resetS: 900 })).toEqual({
    ratelimit: '"login";r=4;t=900',
    'ratelimit-policy': '"login";q=5;w=900',
  })
  const bucket: BucketPolicy = { name: 'general', burst: 50, refillPerS: 20 }
  expect(rateLimitHeaders({ policy: bucket, allowed: false, remaining: 0, resetS: 1 })).toEqual({
    ratelimit: '"general";r=0;t=1',
    'ratelimit-policy': '"general";q=50;w=3',
    'retry-after': '1',
  })
})

test('IPv6 addresses of one /64 share a limit in any notation, others do not', () => {
  const same = [
    '2001:db8:0:7::1',
    '2001:0db8:0:7:ffff::',
    '2001:db8::7:1:2:3:4',
    '2001:DB8:0:7:0:0:0:9',
    'fe80::1%eth0',
  ]
  expect(new Set(same.slice(0, 4).map(addressKey)).size).toBe(1)
  expect(addressKey('2001:db8:0:8::1')).not.toBe(addressKey('2001:db8:0:7::1'))
  expect(addressKey('fe80::1%eth0')).toBe(addressKey('fe80::2'))
  expect(addressKey('::1')).toBe('0:0:0:0::/64')
  expect(addressKey('192.0.2.1')).not.toBe(addressKey('192.0.2.2'))
  fc.assert(
    fc.property(fc.ipV6(), (ip) => {
      expect(addressKey(ip)).toMatch(/^([0-9a-f]{1,4}:){4}:\/64$/)
    }),
  )
})

test('a forwarded address counts only from a trusted proxy, and the warning is logged once', () => {
  const warned: string[] = []
  const read = addressReader(['10.0.0.0/8', '::1'], (peer) => warned.push(peer))
  expect(read('::ffff:203.0.113.9', null)).toBe('203.0.113.9')
  expect(read('203.0.113.9', '192.0.2.1')).toBe('203.0.113.9')
  expect(read('203.0.113.9', '192.0.2.2')).toBe('203.0.113.9')
  expect(warned).toEqual(['203.0.113.9'])
  expect(read('10.1.2.3', '192.0.2.1')).toBe('192.0.2.1')
  expect(read('::ffff:10.1.2.3', '::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(read('::1', '2001:db8::5')).toBe('2001:db8::5')
})

test('addresses that the client itself put into the forwarded header do not count', () => {
  const read = addressReader(['10.0.0.0/8'], () => {})
  expect(read('10.0.0.1', '127.0.0.1, 192.0.2.1')).toBe('192.0.2.1')
  expect(read('10.0.0.1', 'mallory, 192.0.2.1, 10.0.0.9')).toBe('192.0.2.1')
  expect(read('10.0.0.1', '192.0.2.1, <script>')).toBe('10.0.0.1')
  expect(read('10.0.0.1', '')).toBe('10.0.0.1')
})
