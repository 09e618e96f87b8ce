import { afterAll, expect, test } from 'bun:test'
import { boot, call, person, stop } from '../../support/harness.ts'
import { Mailbox, RESET } from '../../support/mailbox.ts'

const mailbox = await Mailbox.open()
const parley = await boot({ ...mailbox.variables(), RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' })
const { sql } = parley.parts
afterAll(async () => {
  await stop(parley)
  await mailbox.close()
})

const from = (ip: string, path: string, body: object) =>
  call(parley, 'POST', `/api/auth/${path}`, { body, headers: { 'x-forwarded-for': ip } })

test('a request for a link reads no account, so known and unknown addresses take the same work', async () => {
  const alice = await person(parley, 'alice')
  // Meanwhile every query of accounts fails.
  await sql`alter table users rename to users_away`
  const responses = [
    await from('203.0.113.1', 'password/forgot', { email: alice.email }),
    await from('203.0.113.1', 'password/forgot', { email: 'nobody@example.org' }),
  ]
  await sql`alter table users_away rename to users`
  expect(responses.map(({ status }) => status)).toEqual([202, 202])
  await sql`update mail_outbox set due_at = now()`
  expect(await mailbox.token(alice.email, RESET)).toHaveLength(43)
})

test('an address tries thirty links an hour, of any kind', async () => {
  const token = 'A'.repeat(43)
  const outcomes: number[] = []
  for (let n = 0; n < 32; n++) {
    const [path, more] = n % 2 ? ['email/verify', {}] : ['password/reset', { password: 'Other-Horse-77-Battery!' }]
    outcomes.push((await from('203.0.113.2', path as string, { token, ...(more as object) })).status)
  }
  expect(outcomes).toEqual([...Array(30).fill(410), 429, 429])
  expect((await from('203.0.113.3', 'email/verify', { token })).status).toBe(410)
})
