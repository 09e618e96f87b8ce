import { afterAll, expect, test } from 'bun:test'
import { botOf } from '../../support/bots.ts'
import { Authenticator } from '../../support/authenticator.ts'
import { boot, call, PASSWORD, type Person, registered, stop } from '../../support/harness.ts'
import { IdentityProvider } from '../../support/identity-provider.ts'
import { CHANGE, Mailbox, VERIFY } from '../../support/mailbox.ts'
import { BASE, REDIRECT, Visitor } from '../../support/single-sign-on.ts'
import { until } from '../../support/until.ts'

const provider = await IdentityProvider.open({ redirect_uris: [REDIRECT] })
const mailbox = await Mailbox.open()
const parley = await boot({ PUBLIC_URL: BASE, ...provider.variables(), ...mailbox.variables() })
afterAll(async () => {
  await stop(parley)
  await mailbox.close()
  await provider.close()
})

const TOLD = 'The ways to log in to your account have changed'

const confirm = async (token: string, more: { token?: string; headers?: Record<string, string> } = {}) =>
  (await call(parley, 'POST', '/api/auth/email/verify', { ...more, body: { token } })).status
const proveBy = async (who: Person) => (await who.post('/api/auth/proof', { password: PASSWORD })).status

test('a person who registered with another’s address has no way in after its owner came by the provider', async () => {
  const planter = await registered(parley, 'mallory')
  const { email, username } = planter
  expect(await proveBy(planter)).toBe(200)
  expect(await confirm(await mailbox.token(email, VERIFY))).toBe(200)
  // The session's earlier proof no longer counts.
  expect((await planter.put('/api/auth/email', { email: 'mallory@elsewhere.example' })).body.code).toBe(
    'proof_required',
  )
  // The planter knows the password, and plants more after the confirmation.
  expect(await proveBy(planter)).toBe(200)
  expect((await planter.put('/api/auth/email', { email: 'mallory@elsewhere.example' })).status).toBe(202)
  const change = await mailbox.token('mallory@elsewhere.example', CHANGE)
  const key = new Authenticator(BASE)
  const options = (await planter.post('/api/auth/passkeys/options')).body
  expect((await planter.post('/api/auth/passkeys', { name: 'Key', passkey: key.make(options) })).status).toBe(201)
  const bot = await botOf(planter, 'Spy')
  const { sql } = parley.parts
  const elsewhere = { user_id: planter.id, issuer: 'https://former.example', subject: 'mallory', name: 'mallory' }
  await sql`insert into identities ${sql(elsewhere)}`

  provider.people.set('victim', { email, email_verified: true })
  provider.next = 'victim'
  const visitor = new Visitor(parley)
  expect(await visitor.logIn()).toBe('/app')
  const victim = await visitor.who()
  expect(victim.id).toBe(planter.id)
  await until(() => mailbox.to(email, TOLD).some(({ text }) => text.includes('removed its password')))

  for (const { get } of [planter, bot]) expect((await get('/api/auth/me')).body.code).toBe('token_revoked')
  const byPassword = await call(parley, 'POST', '/api/auth/login', { body: { username, password: PASSWORD } })
  expect(byPassword.body.code).toBe('invalid_credentials')
  const challenge = (await call(parley, 'POST', '/api/auth/login/passkey/options')).body
  const byPasskey = await call(parley, 'POST', '/api/auth/login/passkey', { body: { passkey: key.answer(challenge) } })
  expect(byPasskey.body.code).toBe('invalid_passkey')
  expect(await confirm(change)).toBe(410)
  // The owner stays as the only session, and may set a new password.
  expect((await victim.get('/api/auth/sessions')).body).toHaveLength(1)
  expect((await victim.get('/api/auth/factors')).body).toMatchObject({ has_password: false, methods: ['oidc'] })
  expect((await victim.get('/api/auth/oidc/identities')).body).toHaveLength(1)
  // The bot still belongs to the account, without a token.
  expect((await victim.get('/api/applications')).body).toMatchObject([{ id: bot.id }])
})

test('a person whose provider vouches for no address stays linked by confirming in that session', async () => {
  const enter = async (name: string) => {
    const email = `${name}@example.org`
    provider.people.set(name, { email })
    provider.next = name
    const visitor = new Visitor(parley)
    expect(await visitor.logIn()).toBe('/app')
    return { who: await visitor.who(), link: await mailbox.token(email, VERIFY) }
  }
  const identities = async ({ id }: Person) =>
    (await parley.parts.sql`select 1 from identities where user_id = ${id}`).length
  const honest = await enter('honest')
  expect(await confirm(honest.link, { token: honest.who.token })).toBe(200)
  expect(await identities(honest.who)).toBe(1)
  const again = new Visitor(parley)
  expect(await again.logIn()).toBe('/app')
  const me = await again.who()
  expect([me.id, (await me.get('/api/auth/me')).body.email_verified_at]).toEqual([honest.who.id, expect.any(String)])

  // The owner of the address confirms somebody else's link: without a session, or in one of another account.
  const other = await registered(parley, 'victim')
  const byCookie = ({ token }: Person) => ({ headers: { cookie: `session=${token}`, origin: 'https://evil.example' } })
  const attacks: [string, (who: Person) => Parameters<typeof confirm>[1] | Promise<Parameters<typeof confirm>[1]>][] = [
    ['bare', () => ({})],
    ['other', () => ({ token: other.token })],
    ['foreign', byCookie],
    ['ended', async ({ token, post }) => ((await post('/api/auth/logout')).status === 200 ? { token } : {})],
    [
      'password',
      async (who) => {
        await parley.parts.sql`update users set password_hash = (select password_hash from users where id = ${other.id})
        where id = ${who.id}`
        return { token: who.token }
      },
    ],
  ]
  for (const [name, attack] of attacks) {
    const planted = await enter(name)
    expect([name, await confirm(planted.link, await attack(planted.who))]).toEqual([name, 200])
    expect([name, await identities(planted.who)]).toEqual([name, 0])
  }
})
