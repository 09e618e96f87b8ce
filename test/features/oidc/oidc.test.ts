import { afterAll, expect, test } from 'bun:test'
import { boot, call, PASSWORD, person, stop } from '../../support/harness.ts'
import { prove, turnOn, unprove } from '../../support/factors.ts'
import { IdentityProvider } from '../../support/identity-provider.ts'
import { BASE, REDIRECT, Visitor } from '../../support/single-sign-on.ts'

const provider = await IdentityProvider.open({ redirect_uris: [REDIRECT] })
const parley = await boot({ PUBLIC_URL: BASE, ...provider.variables() })
const { sql } = parley.parts
afterAll(async () => {
  await stop(parley)
  await provider.close()
})

let people = 0
/** A person that the provider knows, and who logs in there next. */
function personAtProvider(name: string, claims = {}): string {
  const subject = `${name}-${++people}`
  const email = `${subject}@example.org`
  provider.people.set(subject, { email, email_verified: true, preferred_username: subject, name, ...claims })
  provider.next = subject
  return subject
}

test('the installation offers the provider by its name', async () => {
  const { body } = await call(parley, 'GET', '/.well-known/parley')
  expect([body.oidc, body.password_login]).toEqual([{ name: 'Example Org' }, true])
})

test('a new person gets an account without a password, a session as any login makes, and goes on', async () => {
  const subject = personAtProvider('alice')
  const visitor = new Visitor(parley)
  expect(await visitor.logIn('?return_to=/app/dm/7')).toBe('/app/dm/7')
  const alice = await visitor.who()
  expect([alice.username, alice.email, alice.display_name]).toEqual([subject, `${subject}@example.org`, 'alice'])
  const me = (await alice.get('/api/auth/me')).body
  expect(me.email_verified_at).not.toBeNull()
  const [session] = (await alice.get('/api/auth/sessions')).body
  expect(session.current).toBe(true)
  const factors = (await alice.get('/api/auth/factors')).body
  expect([factors.has_password, factors.methods]).toEqual([false, ['oidc']])
  for (const login of [{ username: alice.username }, { email: alice.email }])
    expect((await call(parley, 'POST', '/api/auth/login', { body: { ...login, password: PASSWORD } })).body.code).toBe(
      'invalid_credentials',
    )
  const again = new Visitor(parley)
  expect(await again.logIn()).toBe('/app')
  expect((await again.who()).id).toBe(alice.id)
  const identities = (await alice.get('/api/auth/oidc/identities')).body
  expect(identities).toMatchObject([{ issuer: provider.issuer, subject, name: subject }])
  expect(identities[0].last_used_at).not.toBeNull()
})

test('the account’s second factor is required after the provider, too', async () => {
  const bob = await person(parley, 'bob')
  await sql`update users set email_verified_at = now() where id = ${bob.id}`
  personAtProvider('bob', { email: bob.email })
  const { recovery_codes } = await turnOn(bob)
  const visitor = new Visitor(parley)
  const landing = await visitor.logIn('?return_to=/app/dm/7')
  const [, code, pending_token, methods] = /^\/login#sso=([a-z_]+):([\w-]+):([a-z_,]+)$/.exec(landing) ?? []
  expect([code, methods]).toEqual(['second_factor_required', 'code,recovery_code'])
  expect(visitor.cookie('session')).toBeUndefined()
  const body = { pending_token, recovery_code: recovery_codes[0] }
  const answer = await call(parley, 'POST', '/api/auth/login/second', { body })
  expect([answer.status, answer.body.user.id]).toEqual([200, bob.id])
  // Without the factor, nothing is linked to the account, and the account gets no notice.
  expect((await bob.get('/api/auth/oidc/identities')).body).toEqual([])
  const events = await sql`select from events where user_id = ${bob.id} and body ->> 'change' = 'identity_linked'`
  expect(events.length).toBe(0)
  // Programs get the same answer as for a password.
  const program = new Visitor(parley, '*/*')
  const back = await program.get(await program.atProvider(await program.start()))
  expect([back.status, back.body.code]).toEqual([401, 'second_factor_required'])
})

test('an account is linked while it is logged in and proven, and logs in by the provider then', async () => {
  const alice = await person(parley, 'alice')
  const visitor = new Visitor(parley)
  const begin = () => visitor.post('/api/auth/oidc/link', alice.token, { return_to: '/app/dm/1' })
  expect((await begin()).body.code).toBe('proof_required')
  await prove(alice)
  personAtProvider('carol', { email: 'carol@elsewhere.example', email_verified: false })
  const { body } = await begin()
  expect(await visitor.land(await visitor.atProvider(body.url))).toBe('/app/dm/1#sso=linked')
  const other = new Visitor(parley)
  expect(await other.logIn()).toBe('/app')
  expect((await other.who()).id).toBe(alice.id)
  // One identity of a provider for each account, and one account for each identity.
  const again = await begin()
  expect(await visitor.land(await visitor.atProvider(again.body.url))).toBe('/app/dm/1#sso=identity_taken')
  personAtProvider('dave')
  const third = await begin()
  const fresh = new Visitor(parley)
  fresh.setCookie('oidc', visitor.cookie('oidc') ?? '')
  expect(await fresh.land(await fresh.atProvider(third.body.url))).toBe('/app/dm/1#sso=identity_linked')
})

test('unlinking needs a proof, and leaves a way in', async () => {
  personAtProvider('erin')
  const visitor = new Visitor(parley)
  await visitor.logIn()
  const erin = await visitor.who()
  const [{ id }] = (await erin.get('/api/auth/oidc/identities')).body
  const path = `/api/auth/oidc/identities/${id}`
  expect((await erin.delete(path)).body.code).toBe('proof_required')
  await sql`update sessions set proven_at = now() where user_id = ${erin.id}`
  expect((await erin.delete(path)).body.code).toBe('last_way_in')
  expect((await erin.get('/api/auth/oidc/identities')).body).toHaveLength(1)
  expect((await erin.put('/api/auth/password', { new_password: PASSWORD })).status).toBe(200)
  const mallory = await person(parley, 'mallory')
  await prove(mallory)
  expect((await mallory.delete(path)).status).toBe(404)
  expect((await erin.delete(path)).status).toBe(204)
  const { body } = await call(parley, 'POST', '/api/auth/login', {
    body: { username: erin.username, password: PASSWORD },
  })
  expect(body.user.id).toBe(erin.id)
})

test('an account without a password proves by the provider, where the person logs in once more', async () => {
  const subject = personAtProvider('frank')
  const visitor = new Visitor(parley)
  await visitor.logIn()
  const frank = await visitor.who()
  const begin = () => visitor.post('/api/auth/oidc/proof', frank.token, {})
  const finishLogin = async () => visitor.land(await visitor.atProvider((await begin()).body.url))
  for (const attempt of [
    frank.delete('/api/auth/me'),
    frank.put('/api/auth/password', { new_password: PASSWORD }),
    frank.post('/api/auth/totp'),
  ])
    expect((await attempt).body.code).toBe('proof_required')
  expect((await frank.post('/api/auth/proof', { password: PASSWORD })).body.code).toBe('forbidden')
  // Another person at the provider, and a login that the provider remembers.
  personAtProvider('grace')
  visitor.forgetProvider(provider)
  expect(await finishLogin()).toBe('/app#sso=oidc_failed')
  provider.next = subject
  visitor.forgetProvider(provider)
  provider.staleS = 300
  expect(await finishLogin()).toBe('/app#sso=oidc_failed')
  provider.staleS = 0
  expect((await frank.post('/api/auth/totp')).body.code).toBe('proof_required')
  expect(await finishLogin()).toBe('/app#sso=proven')
  expect((await frank.get('/api/auth/factors')).body.proven_until).not.toBeNull()
  expect((await call(parley, 'DELETE', '/api/auth/me', { token: frank.token, body: {} })).status).toBe(204)
  expect((await sql`select 1 from identities where subject = ${subject}`).length).toBe(0)
  // The identity is free again.
  const again = new Visitor(parley)
  expect(await again.logIn()).toBe('/app')
})

test('an account with a password or a second factor does not prove by the provider', async () => {
  const subject = personAtProvider('heidi')
  const visitor = new Visitor(parley)
  await visitor.logIn()
  const heidi = await visitor.who()
  const { body } = await visitor.post('/api/auth/oidc/proof', heidi.token)
  const back = await visitor.atProvider(body.url)
  await sql`update sessions set proven_at = now() where user_id = ${heidi.id}`
  expect((await heidi.put('/api/auth/password', { new_password: PASSWORD })).status).toBe(200)
  await unprove(heidi)
  expect(await visitor.land(back)).toBe('/app#sso=forbidden')
  expect((await visitor.post('/api/auth/oidc/proof', heidi.token)).body.code).toBe('forbidden')
  expect((await heidi.get('/api/auth/factors')).body).toMatchObject({ methods: ['password'], proven_until: null })
  expect((await sql`select 1 from identities where subject = ${subject}`).length).toBe(1)
})
