import { afterAll, expect, test } from 'bun:test'
import { boot, call, PASSWORD, type Person, person, stop } from '../../support/harness.ts'
import { begin, second } from '../../support/factors.ts'
import { Mailbox, RESET } from '../../support/mailbox.ts'

const NEW = 'Other-Horse-77-Battery!'
const mailbox = await Mailbox.open()
const parley = await boot(mailbox.variables())
const { sql } = parley.parts
afterAll(async () => {
  await stop(parley)
  await mailbox.close()
})

/** Sets the password by a mailed link. */
async function reset({ email }: Person) {
  expect((await call(parley, 'POST', '/api/auth/password/forgot', { body: { email } })).status).toBe(202)
  const token = await mailbox.token(email, RESET)
  return call(parley, 'POST', '/api/auth/password/reset', { body: { token, password: NEW } })
}

test('a reset ends logins that await a second factor, and leaves it in force, proven address or not', async () => {
  const alice = await person(parley, 'alice')
  await sql`insert into totp (user_id, secret, confirmed_at) values (${alice.id}, '1', now())`
  const pending = await begin(alice)
  expect((await second(alice, pending, { code: '123456' })).body.code).toBe('invalid_code')
  expect((await reset(alice)).status).toBe(200)
  expect((await second(alice, pending, { code: '123456' })).body.code).toBe('login_expired')
  expect(
    (await call(parley, 'POST', '/api/auth/login', { body: { username: alice.username, password: NEW } })).body,
  ).toMatchObject({ code: 'second_factor_required' })
  const [account] = await sql`select email_verified_at from users where id = ${alice.id}`
  expect(account?.email_verified_at).toBeNull()
})

test('an account whose address is not proven sets up no second factor, which the proof would remove', async () => {
  const alice = await person(parley, 'alice')
  expect((await alice.post('/api/auth/proof', { password: PASSWORD })).status).toBe(200)
  expect((await alice.post('/api/auth/totp')).body.code).toBe('email_unverified')
  expect((await sql`select 1 from totp where user_id = ${alice.id}`).length).toBe(0)
})
