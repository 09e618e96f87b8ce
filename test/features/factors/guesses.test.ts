import { afterAll, expect, test } from 'bun:test'
import { boot, call, type Person, PASSWORD, person, stop } from '../../support/harness.ts'
import { codeOf, prove, turnOn } from '../../support/factors.ts'

const parley = await boot({ RATE_LIMITS: 'on' })
afterAll(() => stop(parley))

const WRONG_MAX = 20
const prover = (who: Person) => (proof: object) => who.post('/api/auth/proof', proof)

/** A code that is wrong at any time near now. */
const wrong = (secret: string) => {
  const near = [-1, 0, 1, 2].map((steps) => codeOf(secret, steps))
  return ['000000', '111111', '222222', '333333', '444444'].find((code) => !near.includes(code)) ?? ''
}

test('after twenty wrong codes in an hour no right one proves anything, nor logs in', async () => {
  const alice = await person(parley, 'alice')
  const { secret, recovery_codes } = await turnOn(alice)
  const give = prover(alice)
  for (let n = 0; n < WRONG_MAX; n++) {
    const proof = n % 2 ? { code: wrong(secret) } : { recovery_code: 'aaaa-aaaa-aaaa-aaaa' }
    expect([n, (await give(proof)).body.code]).toEqual([n, 'invalid_code'])
  }
  for (const proof of [{ code: codeOf(secret) }, { recovery_code: recovery_codes[0] }])
    expect((await give(proof)).body.code).toBe('rate_limited')
  const body = { username: alice.username, password: PASSWORD }
  const { pending_token } = (await call(parley, 'POST', '/api/auth/login', { body })).body
  const entered = await call(parley, 'POST', '/api/auth/login/second', {
    body: { pending_token, recovery_code: recovery_codes[0] },
  })
  expect(entered.body.code).toBe('rate_limited')
  // Another account is not affected.
  const bob = await person(parley, 'bob')
  const app = await turnOn(bob)
  expect((await prover(bob)({ recovery_code: app.recovery_codes[0] })).status).toBe(200)
})

test('setting up an app allows twenty wrong codes an hour', async () => {
  const alice = await person(parley, 'alice')
  await prove(alice)
  const { secret } = (await alice.post('/api/auth/totp')).body
  const confirm = async (code: string) => (await alice.post('/api/auth/totp/confirm', { code })).body.code
  for (let n = 0; n < WRONG_MAX; n++) expect([n, await confirm(wrong(secret))]).toEqual([n, 'invalid_code'])
  expect(await confirm(codeOf(secret))).toBe('rate_limited')
})
