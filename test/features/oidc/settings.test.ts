import { afterAll, expect, test } from 'bun:test'
import { boot, call, PASSWORD, person, registered, newServer, stop } from '../../support/harness.ts'
import { IdentityProvider } from '../../support/identity-provider.ts'
import { Mailbox, RESET, VERIFY } from '../../support/mailbox.ts'
import { BASE, REDIRECT, Visitor } from '../../support/single-sign-on.ts'

const provider = await IdentityProvider.open({ redirect_uris: [REDIRECT] })
afterAll(() => provider.close())

function addAtProvider(subject: string, claims = {}): void {
  provider.people.set(subject, { email: `${subject}@example.org`, email_verified: true, ...claims })
  provider.next = subject
}
const serverWith = (variables: Record<string, string>) =>
  boot({ PUBLIC_URL: BASE, ...provider.variables(), ...variables })

test('with passwords off, nobody logs in, registers or resets by one', async () => {
  const mailbox = await Mailbox.open()
  const parley = await serverWith({ ...mailbox.variables(), PASSWORD_LOGIN: 'off' })
  expect((await call(parley, 'GET', '/.well-known/parley')).body).toMatchObject({ password_login: false })
  const email = 'alice@example.org'
  const tries: [string, object][] = [
    ['login', { username: 'alice', password: PASSWORD }],
    ['register', { username: 'alice', email, password: PASSWORD }],
    ['password/forgot', { email }],
    ['password/reset', { token: 'A'.repeat(43), password: PASSWORD }],
  ]
  for (const [path, body] of tries)
    expect([path, (await call(parley, 'POST', `/api/auth/${path}`, { body })).body.code]).toEqual([path, 'forbidden'])
  addAtProvider('alice')
  const visitor = new Visitor(parley)
  expect(await visitor.logIn()).toBe('/app')
  // A person with a password proves by the provider as well, where passwords do not log in.
  const alice = await visitor.who()
  await parley.parts.sql`update users set password_hash = 'x' where id = ${alice.id}`
  const { body } = await visitor.post('/api/auth/oidc/proof', alice.token)
  expect(await visitor.land(await visitor.atProvider(body.url))).toBe('/app#sso=proven')
  const [{ id }] = (await alice.get('/api/auth/oidc/identities')).body
  expect((await alice.delete(`/api/auth/oidc/identities/${id}`)).body.code).toBe('last_way_in')
  // Nor can an operator issue a password link there.
  const { sql } = parley.parts
  const [{ id: bob }] = await sql<[{ id: number }]>`insert into users (username, email, display_name)
    values ('bob', 'bob@example.org', 'Bob') returning id`
  await sql`update users set operator_since = now() where id = ${alice.id}`
  for (const act of ['reset', 'reset-link']) {
    const refused = await alice.post(`/api/operator/accounts/${bob}/${act}`)
    expect([act, refused.body.detail]).toEqual([act, 'Password login is off on this installation'])
  }
  await stop(parley)
  await mailbox.close()
})

test('the stricter of OIDC_REGISTRATION and REGISTRATION decides who gets an account', async () => {
  const parley = await serverWith({ REGISTRATION: 'invite' })
  const { sql } = parley.parts
  const owner = await person(parley, 'owner')
  const { server_id } = await newServer(owner)
  const { code } = (await owner.post('/api/invites', { server_id })).body
  addAtProvider('bob')
  expect(await new Visitor(parley).logIn()).toBe('/login#sso=forbidden')
  expect(await new Visitor(parley).logIn('?invite_code=nosuchinvite')).toBe('/login#sso=forbidden')
  const bob = new Visitor(parley)
  expect(await bob.logIn(`?invite_code=${code}`)).toBe('/app')
  await sql`insert into installation_settings values ('registration', 'closed')`
  addAtProvider('carol')
  expect(await new Visitor(parley).logIn(`?invite_code=${code}`)).toBe('/login#sso=forbidden')
  await stop(parley)
  const closed = await serverWith({
    OIDC_REGISTRATION: 'off',
    DATABASE_URL: parley.parts.environment.DATABASE_URL ?? '',
  })
  await closed.parts.sql`delete from installation_settings`
  expect(await new Visitor(closed).logIn(`?invite_code=${code}`)).toBe('/login#sso=forbidden')
  addAtProvider('bob')
  const again = new Visitor(closed)
  expect(await again.logIn()).toBe('/app')
  expect((await again.who()).id).toBe((await bob.who().catch(() => again.who())).id)
  await stop(closed)
})

test('the first proof of an address unlinks identities from before it', async () => {
  const mailbox = await Mailbox.open()
  const parley = await serverWith(mailbox.variables())
  // Mallory opens an account with somebody else's address, which the provider has not verified.
  addAtProvider('mallory', { email: 'victim@example.org', email_verified: false })
  const mallory = new Visitor(parley)
  expect(await mallory.logIn()).toBe('/app')
  const planted = await mallory.who()
  expect((await planted.get('/api/auth/me')).body.email_verified_at).toBeNull()
  const token = await mailbox.token('victim@example.org', VERIFY)
  expect((await call(parley, 'POST', '/api/auth/email/verify', { body: { token } })).status).toBe(200)
  expect(await new Visitor(parley).logIn()).toBe('/login#sso=email_taken')
  expect(
    (await call(parley, 'POST', '/api/auth/password/forgot', { body: { email: 'victim@example.org' } })).status,
  ).toBe(202)
  const reset = { token: await mailbox.token('victim@example.org', RESET), password: PASSWORD }
  expect((await call(parley, 'POST', '/api/auth/password/reset', { body: reset })).status).toBe(200)
  const login = { email: 'victim@example.org', password: PASSWORD }
  expect((await call(parley, 'POST', '/api/auth/login', { body: login })).status).toBe(200)
  expect((await planted.get('/api/auth/me')).status).toBe(401)
  await stop(parley)
  await mailbox.close()
})

test('with mail, an unconfirmed account is not linked, and a new link is announced by mail', async () => {
  const mailbox = await Mailbox.open()
  const parley = await serverWith(mailbox.variables())
  const alice = await registered(parley, 'alice')
  const visitor = new Visitor(parley)
  expect((await alice.post('/api/auth/proof', { password: PASSWORD })).status).toBe(200)
  addAtProvider('alice2', { email: alice.email })
  expect((await visitor.post('/api/auth/oidc/link', alice.token)).body.code).toBe('email_unverified')
  const token = await mailbox.token(alice.email, VERIFY)
  expect((await call(parley, 'POST', '/api/auth/email/verify', { body: { token } })).status).toBe(200)
  // The session's earlier proof no longer counts.
  expect((await visitor.post('/api/auth/oidc/link', alice.token)).body.code).toBe('proof_required')
  expect((await alice.post('/api/auth/proof', { password: PASSWORD })).status).toBe(200)
  const { body } = await visitor.post('/api/auth/oidc/link', alice.token)
  expect(await visitor.land(await visitor.atProvider(body.url))).toBe('/app#sso=linked')
  await mailbox.token(alice.email, 'The ways to log in to your account have changed')
  await stop(parley)
  await mailbox.close()
})

test('the server starts and runs while the provider is away, and people log in when it is back', async () => {
  const port = Number(new URL(provider.issuer).port)
  await provider.close()
  const parley = await serverWith({})
  expect((await call(parley, 'GET', '/.well-known/parley')).body.oidc).toEqual({ name: 'Example Org' })
  const page = await new Visitor(parley).get('/api/auth/oidc/start')
  expect([page.status, page.headers.get('location')]).toEqual([302, `${BASE}/login#sso=unavailable`])
  expect((await new Visitor(parley, '*/*').get('/api/auth/oidc/start')).body.code).toBe('unavailable')
  const back = await IdentityProvider.open({ redirect_uris: [REDIRECT], port })
  back.people.set('dave', { email: 'dave@example.org', email_verified: true })
  back.next = 'dave'
  const visitor = new Visitor(parley)
  for (;;) {
    const answer = await visitor.get('/api/auth/oidc/start')
    if (!answer.headers.get('location')?.endsWith('unavailable')) break
    await Bun.sleep(200)
  }
  expect(await visitor.logIn()).toBe('/app')
  // The provider fails between the two steps: the server reports no fault of its own, and nobody is logged in.
  const other = new Visitor(parley)
  const path = await other.atProvider(await other.start())
  await back.close()
  expect(await other.land(path)).toBe('/login#sso=unavailable')
  await stop(parley)
})

test('with single sign-on off, none of its routes exist', async () => {
  const parley = await boot({ PUBLIC_URL: BASE })
  expect((await call(parley, 'GET', '/.well-known/parley')).body).toMatchObject({ oidc: null, password_login: true })
  const alice = await person(parley, 'alice')
  for (const path of ['/api/auth/oidc/start', '/api/auth/oidc/callback?code=a&state=b'])
    expect((await call(parley, 'GET', path)).status).toBe(404)
  for (const path of ['/api/auth/oidc/link', '/api/auth/oidc/proof'])
    expect((await alice.post(path, {})).status).toBe(404)
  await stop(parley)
})
