import { afterAll, expect, test } from 'bun:test'
import { boot, call, type CallOptions, person, stop } from '../../support/harness.ts'
import { stallOf } from '../../support/stall.ts'

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
/** Unread by validation: JSON of that size, all of it white space. */
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
        const started = performance.now()
        await from('10.1.1.1', 'GET', '/healthz')
        pings.push(performance.now() - started)
      })
      await Promise.all(flood)
    }
    expect(await stallOf(second)).toBeLessThan(50)
    await second()
    expect(answered.slice(-20).filter((status) => status === 429).length).toBeGreaterThan(15)
    expect(pings.toSorted((a, b) => a - b)[Math.floor(pings.length / 2)]).toBeLessThan(50)
  }
})

/** The most tokens that one of five addresses has left: parsing takes long, and costs more, on a busy machine. */
async function most(left: (n: number) => Promise<number>): Promise<number> {
  const counts: number[] = []
  for (let n = 1; n <= 5; n++) counts.push(await left(n))
  return Math.max(...counts)
}

test('an anonymous request costs a token more for each 16 KiB, and one that is refused is not parsed', async () => {
  const left = (ip: string, body: string) => tokensLeft(from(ip, 'POST', '/api/servers', { body }))
  expect(await left('10.2.0.1', '{}')).toBe(49)
  expect(await most((n) => left(`10.2.1.${n}`, padded(16 * KIB)))).toBe(48)
  expect(await most((n) => left(`10.2.2.${n}`, padded(256 * KIB)))).toBe(33)
  const garbage = '{'.padEnd(200 * KIB)
  const answers = await statuses(
    Array.from({ length: 12 }, () => from('10.2.0.4', 'POST', '/api/servers', { body: garbage })),
  )
  expect(answers.filter((status) => status === 400).length).toBeWithin(2, 5)
  expect(answers.filter((status) => status === 429).length).toBeGreaterThan(7)
  // A small request still finds the tokens that were too few for a large one.
  expect((await from('10.2.0.4', 'POST', '/api/servers', { body: '{}' })).status).toBe(401)
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

test('a signed-in request costs the account a token more for each 64 KiB, whatever its address', async () => {
  const alice = await person(parley, 'alice')
  const left = (ip: string, bytes: number) =>
    tokensLeft(from(ip, 'POST', '/api/servers', { token: alice.token, body: padded(bytes) }))
  expect(await left('10.4.0.1', 60 * KIB)).toBe(49)
  await Bun.sleep(100)
  expect(await left('10.4.0.2', 256 * KIB)).toBe(45)
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
