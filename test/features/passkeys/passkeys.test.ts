import { afterAll, expect, test } from 'bun:test'
import { proveAddress } from '../../../src/features/login/proven-address.ts'
import { Authenticator, type Odd } from '../../support/authenticator.ts'
import { begin, prove, second, turnOn, unprove } from '../../support/factors.ts'
import { boot, call, PASSWORD, type Person, person, standard, stop } from '../../support/harness.ts'

const ORIGIN = 'https://chat.example.org'
const parley = await boot({ PUBLIC_URL: ORIGIN })
afterAll(() => stop(parley))
const { sql } = parley.parts

const creation = async (who: Person) => (await who.post('/api/auth/passkeys/options')).body

/** Registers a passkey, which has to succeed. */
async function withPasskey(name: string): Promise<{ who: Person; passkey: Authenticator; id: number }> {
  const who = await person(parley, name)
  await prove(who)
  const passkey = new Authenticator(ORIGIN)
  const response = await who.post('/api/auth/passkeys', { name: 'Phone', passkey: passkey.make(await creation(who)) })
  const id = expect.any(Number)
  expect([response.status, response.body]).toEqual([
    201,
    { id, name: 'Phone', created_at: expect.any(String), last_used_at: null },
  ])
  return { who, passkey, id: response.body.id }
}

const challenge = async () => (await call(parley, 'POST', '/api/auth/login/passkey/options')).body
const secondOptions = async (pending_token: string) =>
  (await call(parley, 'POST', '/api/auth/login/second/options', { body: { pending_token } })).body
const logIn = (passkey: unknown) => call(parley, 'POST', '/api/auth/login/passkey', { body: { passkey } })
const entered = ({ status, body }: { status: number; body: { user?: { id: number }; code?: string } }) =>
  status === 200 ? body.user?.id : body.code

test('a passkey logs in without a name or password, and needs no second step', async () => {
  const { who, passkey } = await withPasskey('alice')
  const options = await challenge()
  expect(options).toEqual({
    challenge: expect.any(String),
    timeout: 300_000,
    rpId: 'chat.example.org',
    allowCredentials: [],
    userVerification: 'required',
  })
  const answer = await logIn(passkey.answer(options))
  expect(entered(answer)).toBe(who.id)
  expect(answer.headers.getSetCookie()[0]).toStartWith('__Host-session=')
  await turnOn(who)
  expect(entered(await logIn(passkey.answer(await challenge())))).toBe(who.id)
  const [used] = (await who.get('/api/auth/passkeys')).body
  expect(used.last_used_at).toBeString()
  // An account with a passkey and no app still needs only the password.
  const { who: bob } = await withPasskey('bob')
  const body = { username: bob.username, password: PASSWORD }
  expect((await call(parley, 'POST', '/api/auth/login', { body })).status).toBe(200)
})

test('an answer counts once, and only for its own ceremony', async () => {
  const { who, passkey } = await withPasskey('alice')
  const answer = passkey.answer(await challenge())
  const race = (await Promise.all([1, 2, 3, 4].map(() => logIn(answer)))).map(entered)
  expect(race.filter((outcome) => outcome === who.id).length).toBe(1)
  expect(race.filter((outcome) => outcome === 'invalid_passkey').length).toBe(3)
  expect(entered(await logIn(answer))).toBe('invalid_passkey')
  await turnOn(who)
  const token = await begin(who)
  const forProof = (await who.post('/api/auth/proof/options')).body
  const forSecond = (await secondOptions(token)).passkey
  for (const options of [forProof, forSecond])
    expect(entered(await logIn(passkey.answer(options)))).toBe('invalid_passkey')
  expect((await second(who, token, { passkey: passkey.answer(await challenge()) })).body.code).toBe('invalid_passkey')
  const other = await begin(who)
  expect((await second(who, other, { passkey: passkey.answer(forSecond) })).body.code).toBe('invalid_passkey')
  expect((await second(who, token, { passkey: passkey.answer(forSecond) })).status).toBe(200)
})

test('an answer for another origin, host or ceremony, unverified, or of a copy is refused', async () => {
  const { who, passkey } = await withPasskey('alice')
  expect(entered(await logIn(passkey.answer(await challenge())))).toBe(who.id)
  const bad: Odd[] = [
    { origin: 'https://evil.example' },
    { origin: 'http://chat.example.org' },
    { origin: `${ORIGIN}.evil.example` },
    { rp_id: 'evil.example' },
    { rp_id: 'example.org' },
    { type: 'webauthn.create' },
    { unverified: true },
    { crossOrigin: true },
    { challenge: '' },
    { challenge: Buffer.alloc(54).toString('base64url') },
    { challenge: 'x'.repeat(2000) },
    { count: 1 },
    { count: 0 },
    { userHandle: Buffer.from('1').toString('base64url') },
  ]
  for (const odd of bad)
    expect([odd, entered(await logIn(passkey.answer(await challenge(), odd)))]).toEqual([odd, 'invalid_passkey'])
  const answer = passkey.answer(await challenge())
  answer.response.signature = new Authenticator(ORIGIN).answer(await challenge()).response.signature
  expect(entered(await logIn(answer))).toBe('invalid_passkey')
  expect(entered(await logIn(new Authenticator(ORIGIN).answer(await challenge())))).toBe('invalid_passkey')
  expect(entered(await logIn(passkey.answer(await challenge())))).toBe(who.id)
})

test('an authenticator that counts nothing goes on logging in', async () => {
  const { who, passkey, id } = await withPasskey('alice')
  await sql`update passkeys set sign_count = 0 where id = ${id}`
  for (let n = 0; n < 2; n++) expect(entered(await logIn(passkey.answer(await challenge(), { count: 0 })))).toBe(who.id)
})

test('a passkey of another origin, unverified, or for another session is not registered', async () => {
  const [alice, mallory] = [await person(parley, 'alice'), await person(parley, 'mallory')]
  for (const who of [alice, mallory]) await prove(who)
  const register = async (credential: unknown) =>
    (await alice.post('/api/auth/passkeys', { name: 'Phone', passkey: credential })).body.code
  const fresh = () => new Authenticator(ORIGIN)
  for (const odd of [
    { origin: 'https://evil.example' },
    { rp_id: 'evil.example' },
    { type: 'webauthn.get' },
    { unverified: true },
    { crossOrigin: true },
  ])
    expect([odd, await register(fresh().make(await creation(alice), odd))]).toEqual([odd, 'invalid_passkey'])
  expect(await register(fresh().make(await creation(mallory)))).toBe('invalid_passkey')
  expect(await register(fresh().make({ ...(await creation(alice)), ...(await challenge()) }))).toBe('invalid_passkey')
  const credential = fresh().make(await creation(alice))
  for (const attestationObject of ['', 'AAAA', Buffer.alloc(9000, 0x81).toString('base64url')])
    expect(await register({ ...credential, response: { ...credential.response, attestationObject } })).toBe(
      'invalid_passkey',
    )
  // The attestation statement is not read.
  expect(await register(fresh().make(await creation(alice), {}, 'packed'))).toBeUndefined()
  expect(await register(credential)).toBeUndefined()
  expect(await register(credential)).toBe('invalid_passkey')
})

test('a passkey has one account, and an account twenty at most', async () => {
  const { passkey, who } = await withPasskey('alice')
  const options = await creation(who)
  expect(options.excludeCredentials).toEqual([{ type: 'public-key', id: expect.any(String), transports: ['usb'] }])
  const bob = await person(parley, 'bob')
  await prove(bob)
  const again = await bob.post('/api/auth/passkeys', { name: 'Mine', passkey: passkey.make(await creation(bob)) })
  expect([again.status, again.body.code]).toEqual([409, 'passkey_taken'])
  await sql`insert into passkeys (user_id, credential_id, public_key, sign_count, transports, name)
    select ${bob.id}, ${bob.username} || n, '', 0, '{}', 'Old' from generate_series(1, 20) n`
  const credential = new Authenticator(ORIGIN).make(await creation(bob))
  expect((await bob.post('/api/auth/passkeys', { name: 'More', passkey: credential })).body.code).toBe(
    'too_many_passkeys',
  )
})

test('passkeys are listed, renamed and removed by their owner, and a removed one logs in no more', async () => {
  const { who, passkey, id } = await withPasskey('alice')
  const mallory = await person(parley, 'mallory')
  await prove(mallory)
  expect((await mallory.put(`/api/auth/passkeys/${id}`, { name: 'Mine' })).status).toBe(404)
  expect((await mallory.delete(`/api/auth/passkeys/${id}`)).status).toBe(404)
  expect((await who.put(`/api/auth/passkeys/${id}`, { name: 'Key' })).body.name).toBe('Key')
  expect((await who.put(`/api/auth/passkeys/${id}`, { name: ' '.repeat(9) })).status).toBe(422)
  expect((await who.get('/api/auth/passkeys')).body).toMatchObject([{ id, name: 'Key' }])
  const [exported] = (await who.get('/api/auth/export')).body.passkeys
  expect(Object.keys(exported).sort()).toEqual(['created_at', 'id', 'last_used_at', 'name'])
  expect((await who.delete(`/api/auth/passkeys/${id}`)).status).toBe(204)
  expect(entered(await logIn(passkey.answer(await challenge())))).toBe('invalid_passkey')
})

test('a passkey proves its own account’s session only, with and without an app', async () => {
  const { who, passkey } = await withPasskey('alice')
  const { passkey: foreign } = await withPasskey('mallory')
  expect((await who.get('/api/auth/factors')).body).toMatchObject({ passkeys: 1, methods: ['password', 'passkey'] })
  const proof = async (by: Authenticator) => {
    const options = (await who.post('/api/auth/proof/options')).body
    return (await who.post('/api/auth/proof', { passkey: by.answer(options) })).body.code
  }
  await unprove(who)
  expect(await proof(foreign)).toBe('invalid_passkey')
  expect(await proof(passkey)).toBeUndefined()
  expect((await who.get('/api/auth/factors')).body.proven_until).toBeString()
  await turnOn(who)
  await unprove(who)
  expect((await who.get('/api/auth/factors')).body.methods).toEqual(['code', 'recovery_code', 'passkey'])
  expect(await proof(passkey)).toBeUndefined()
  const token = await begin(who)
  const options = await secondOptions(token)
  expect(options.methods).toEqual(['code', 'recovery_code', 'passkey'])
  expect((await second(who, token, { passkey: foreign.answer(options.passkey) })).body.code).toBe('invalid_passkey')
})

test('a suspended account is not let in by its passkey', async () => {
  const { who, passkey } = await withPasskey('alice')
  await sql`update users set suspended_at = now(), suspended_reason = 'a test' where id = ${who.id}`
  expect(entered(await logIn(passkey.answer(await challenge())))).toBe('account_suspended')
})

test('if PUBLIC_URL names no usable host, passkeys do not exist', async () => {
  const off = await standard()
  const alice = await person(off, 'alice')
  await prove(alice)
  for (const path of ['/api/auth/passkeys/options', '/api/auth/proof/options'])
    expect((await alice.post(path)).body.code).toBe('not_found')
  expect((await call(off, 'POST', '/api/auth/login/passkey/options')).body.code).toBe('not_found')
  expect((await alice.get('/api/auth/factors')).body.methods).toEqual(['password'])
  expect((await alice.get('/api/auth/passkeys')).body).toEqual([])
})

test('the first proof of an address removes passkeys from before it, a later proof does not', async () => {
  const { who, passkey } = await withPasskey('alice')
  const proveOwn = () => parley.parts.write((tx, _emit, notify) => proveAddress(tx, notify, who.id, who.email, 'own'))
  expect(await proveOwn()).toBe(true)
  expect(entered(await logIn(passkey.answer(await challenge())))).toBe('invalid_passkey')
  expect((await who.get('/api/auth/passkeys')).body).toEqual([])
  await prove(who)
  const later = new Authenticator(ORIGIN)
  const draft = { name: 'Phone', passkey: later.make(await creation(who)) }
  expect((await who.post('/api/auth/passkeys', draft)).status).toBe(201)
  expect(await proveOwn()).toBe(true)
  expect(entered(await logIn(later.answer(await challenge())))).toBe(who.id)
})
