import { afterAll, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { z } from 'zod'
import { anonymous, countTime } from '../../../src/features/sessions/identity.ts'
import { attachCaller, callerOf } from '../../../src/http/caller.ts'
import { memoryLimiter } from '../../../src/http/limits/limiter.ts'
import { openLimits } from '../../../src/http/limits/limits.ts'
import { boot, call, type CallOptions, person, stop } from '../../support/harness.ts'
import { ownTime, stallOf } from '../../support/stall.ts'
import { until } from '../../support/until.ts'

// The tests act as a trusted proxy, each with its own client addresses.
const parley = await boot({ RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' })
afterAll(() => stop(parley))

const KIB = 1024
const from = (ip: string, method: string, path: string, options: CallOptions = {}) =>
  call(parley, method, path, { ...options, headers: { ...options.headers, 'x-forwarded-for': ip } })
/** A body of distinct unknown keys. */
const keys = (count: number, bytes: number) => {
  const width = Math.floor(bytes / count) - 5
  return new TextEncoder().encode(
    `{${Array.from({ length: count }, (_, n) => `"${String(n).padStart(width, 'k')}":1`).join()}}`,
  )
}
/** Validation does not read it: JSON of that size, all of it white space. */
const padded = (bytes: number) => '{}'.padEnd(bytes)
const statuses = async (answers: Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status)
const tokensLeft = async (answer: Promise<{ headers: Headers }>) =>
  Number(/r=(\d+)/.exec((await answer).headers.get('ratelimit') ?? '')?.[1])

test('a flood of large bodies from one address is refused, and holds nobody up', async () => {
  for (const [ip, body] of [
    ['10.1.0.1', keys(3_990, 250 * KIB)],
    ['10.1.0.2', keys(20_000, 250 * KIB)],
  ] as const) {
    const pings: number[] = []
    const answered: number[] = []
    const second = async () => {
      const flood = Array.from({ length: 20 }, async (_, n) => {
        await Bun.sleep(50 * n)
        answered.push((await from(ip, 'POST', '/api/servers', { body })).status)
        const took = ownTime()
        await from('10.1.1.1', 'GET', '/healthz')
        pings.push(took())
      })
      await Promise.all(flood)
    }
    expect(await stallOf(second)).toBeLessThan(50)
    await second()
    expect(answered.slice(-20).filter((status) => status === 429).length).toBeGreaterThan(15)
    expect(pings.toSorted((a, b) => a - b)[Math.floor(pings.length / 2)]).toBeLessThan(50)
  }
})

/** The highest number of tokens left among five addresses: parsing takes longer, and costs more, on a busy machine. */
async function most(remaining: (n: number) => Promise<number>): Promise<number> {
  const counts: number[] = []
  for (let n = 1; n <= 5; n++) counts.push(await remaining(n))
  return Math.max(...counts)
}

test('an anonymous request costs a token more for each 16 KiB, and a refused one is not parsed', async () => {
  const remaining = (ip: string, body: string) => tokensLeft(from(ip, 'POST', '/api/servers', { body }))
  expect(await remaining('10.2.0.1', '{}')).toBe(49)
  expect(await most((n) => remaining(`10.2.1.${n}`, padded(16 * KIB)))).toBe(48)
  expect(await most((n) => remaining(`10.2.2.${n}`, padded(256 * KIB)))).toBe(33)
  const garbage = '{'.padEnd(200 * KIB)
  const began = performance.now()
  const answers = await statuses(
    Array.from({ length: 12 }, () => from('10.2.0.4', 'POST', '/api/servers', { body: garbage })),
  )
  // A burst of 50 tokens, and 20 more for each second that the answers took; each request costs 13.
  const affordable = (50 + (20 * (performance.now() - began)) / 1000) / 13
  expect(answers.filter((status) => status === 400).length).toBeWithin(2, affordable + 0.01)
  expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(12 - affordable)
  // A small request finds the token that comes back within 50 ms, which is too few for a large one.
  await until(async () => (await from('10.2.0.4', 'POST', '/api/servers', { body: '{}' })).status === 401)
})

test('a token that is not valid makes a large body no cheaper', async () => {
  for (const [ip, token] of [
    ['10.3.0', 'x.y.z'],
    ['10.3.1', (await person(parley, 'alice')).token.replace(/.$/, '')],
  ] as const) {
    const body = padded(160 * KIB)
    expect(await most((n) => tokensLeft(from(`${ip}.${n}`, 'POST', '/api/servers', { token, body })))).toBe(39)
  }
})

test('a signed-in request costs the account a token more for each 64 KiB, from any address', async () => {
  const alice = await person(parley, 'alice')
  const remaining = (ip: string, bytes: number) =>
    tokensLeft(from(ip, 'POST', '/api/servers', { token: alice.token, body: padded(bytes) }))
  expect(await remaining('10.4.0.1', 60 * KIB)).toBe(49)
  await Bun.sleep(100)
  expect(await remaining('10.4.0.2', 256 * KIB)).toBe(45)
  const answers = await statuses(
    Array.from({ length: 30 }, (_, n) =>
      from(`10.4.1.${n}`, 'POST', '/api/servers', { token: alice.token, body: padded(250 * KIB) }),
    ),
  )
  expect(answers.filter((status) => status === 429).length).toBeGreaterThan(10)
})

test('the answer to a hostile body is short, whatever the body repeats', async () => {
  const alice = await person(parley, 'alice')
  const bodies = [
    keys(3_990, 250 * KIB),
    keys(3, 250 * KIB),
    JSON.stringify({ name: Array(3_000).fill('a'), ['k'.repeat(200_000)]: 1 }),
  ]
  for (const body of bodies) {
    const refused = await from('10.5.0.1', 'PUT', '/api/servers/x?limit=x', { token: alice.token, body })
    expect([refused.status, JSON.stringify(refused.body).length < 4_000]).toEqual([422, true])
    expect(refused.body.errors.length).toBeLessThanOrEqual(20)
  }
})

/** Occupies the processor for this many milliseconds. */
const spin = (ms: number) => {
  const before = process.threadCpuUsage()
  for (let spent = 0; spent < ms;) {
    const { user, system } = process.threadCpuUsage(before)
    spent = (user + system) / 1000
  }
}
/** An app whose bucket's clock stands still, and the tokens that an address has left after a request. */
function still() {
  const limits = openLimits(
    memoryLimiter(() => 0),
    true,
  )
  const slow = z.object({ ms: z.number() }).refine(({ ms }) => (spin(ms), true))
  const refused = z.object({ ms: z.number() }).refine(({ ms }) => (spin(ms), false))
  const app = new Elysia()
    .onError(({ request, code }) => {
      countTime({ limits }, callerOf(request))
      return new Response('', { status: code === 'VALIDATION' ? 422 : 429 })
    })
    .use(anonymous({ limits }))
    .post('/validated', async () => 'yes', { body: slow })
    .post('/refused', async () => 'yes', { body: refused })
    .post('/handled', async ({ body }) => (await Bun.sleep(0), spin(body.ms), 'yes'), {
      body: z.object({ ms: z.number() }),
    })
  return async (ip: string, path: string, ms: number) => {
    const request = new Request(`http://parley.example${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ms }),
    })
    const headers: Record<string, string> = {}
    attachCaller(request, { request_id: 'r', ip, way: 'direct', base: '', path, headers })
    await app.fetch(request)
    return Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1])
  }
}

test('an anonymous request owes for the time of its validation, although it was allowed', async () => {
  const ask = still()
  for (const [ip, path] of [
    ['10.6.0.1', '/validated'],
    ['10.6.0.2', '/refused'],
  ] as const) {
    expect(await ask(ip, path, 100)).toBe(49)
    // 100 ms are 20 tokens.
    expect(await ask(ip, path, 400)).toBeLessThanOrEqual(28)
    // The 80 tokens of 400 ms are more than the bucket had.
    expect(await ask(ip, path, 0)).toBe(0)
    expect(await ask(ip, path, 0)).toBe(0)
  }
})

test('nobody owes for the work of others, though many are validated at once', async () => {
  const ask = still()
  // 30 requests take a token each; a garbage collection may run during one of them.
  const remaining = async (n: number) => {
    const others = Array.from({ length: 5 }, (_, at) => ask(`10.7.${n}.${at}`, '/validated', 20))
    await Promise.all([...Array.from({ length: 30 }, () => ask(`10.6.1.${n}`, '/validated', 1)), ...others])
    return ask(`10.6.1.${n}`, '/validated', 0)
  }
  expect(await most(remaining)).toBe(50 - 31)
  const handled = async (n: number) => {
    await Promise.all(Array.from({ length: 10 }, () => ask(`10.6.2.${n}`, '/handled', 6)))
    return ask(`10.6.2.${n}`, '/handled', 0)
  }
  expect(await most(handled)).toBe(50 - 11)
})

test('30 logins at once from one address cost 30 tokens', async () => {
  const remaining = async (n: number) => {
    const login = () => from(`10.8.0.${n}`, 'POST', '/api/auth/login', { body: { email: 'nobody@example.org' } })
    expect(new Set(await statuses(Array.from({ length: 30 }, login)))).toEqual(new Set([422]))
    return tokensLeft(from(`10.8.0.${n}`, 'POST', '/api/servers', { body: '{}' }))
  }
  expect(await most(remaining)).toBeGreaterThanOrEqual(50 - 31)
})
