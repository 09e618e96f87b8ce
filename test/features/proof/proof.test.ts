import { expect, test } from 'bun:test'
import { Authenticator } from '../../support/authenticator.ts'
import { call, PASSWORD, Person, person, standard } from '../../support/harness.ts'
import { begin, codeOf, prove, second, turnOn, unprove } from '../../support/factors.ts'

const parley = await standard()
const { sql } = parley.parts

const credential = new Authenticator('https://chat.example.org').make({
  challenge: 'A'.repeat(43),
  rp: { id: 'chat.example.org', name: 'Parley' },
  user: { id: 'MQ', name: 'alice', displayName: 'Alice' },
  pubKeyCredParams: [],
  timeout: 0,
  attestation: 'none',
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
})

/** Everything that needs a proof with or without a factor, by a well-formed request. */
const CHANGES: [method: string, path: string, body?: unknown][] = [
  ['POST', '/api/auth/totp'],
  ['POST', '/api/auth/totp/confirm', { code: '123456' }],
  ['DELETE', '/api/auth/totp'],
  ['POST', '/api/auth/recovery-codes'],
  ['POST', '/api/auth/passkeys/options'],
  ['POST', '/api/auth/passkeys', { name: 'Phone', passkey: credential }],
  ['PUT', '/api/auth/passkeys/1', { name: 'Phone' }],
  ['DELETE', '/api/auth/passkeys/1'],
  ['DELETE', '/api/auth/oidc/identities/1'],
  ['GET', '/api/auth/export'],
]
const NEW_PASSWORD = 'Another-Horse-8!'
/** Everything that needs a proof only with a factor. */
const WITH_FACTOR: typeof CHANGES = [
  ['PUT', '/api/auth/password', { current_password: PASSWORD, new_password: NEW_PASSWORD }],
  ['DELETE', '/api/auth/me', { password: PASSWORD }],
]

const send = (who: Person, [method, path, body]: (typeof CHANGES)[number]) =>
  call(who.parley, method, path, { token: who.token, body })

/** Another session of the person. */
async function elsewhere(who: Person, proof: object): Promise<Person> {
  const { body } = await second(who, await begin(who), proof)
  return new Person(who.parley, who.id, who.username, who.email, who.display_name, body.token)
}

test('factors, passkeys and identities change, and an export is made, only after a proof', async () => {
  const alice = await person(parley, 'alice')
  for (const change of CHANGES)
    expect([change[1], (await send(alice, change)).body.code]).toEqual([change[1], 'proof_required'])
  await prove(alice)
  for (const change of CHANGES) expect((await send(alice, change)).body?.code).not.toBe('proof_required')
})

test('without a factor the password is enough to change it, and to delete the account', async () => {
  const alice = await person(parley, 'alice')
  for (const change of WITH_FACTOR) {
    const { status } = await send(alice, change)
    expect([change[1], status === 200 || status === 204 || status === 401]).toEqual([change[1], true])
  }
  const bob = await person(parley, 'bob')
  expect((await send(bob, ['DELETE', '/api/auth/me', {}])).status).toBe(422)
  expect((await send(bob, ['PUT', '/api/auth/password', { new_password: NEW_PASSWORD }])).status).toBe(422)
  expect((await send(bob, ['DELETE', '/api/auth/me', { password: PASSWORD }])).status).toBe(204)
})

test('with a factor a code proves, the password does not', async () => {
  const alice = await person(parley, 'alice')
  const { secret } = await turnOn(alice)
  await unprove(alice)
  for (const change of [...CHANGES, ...WITH_FACTOR])
    expect([change[1], (await send(alice, change)).body.code]).toEqual([change[1], 'proof_required'])
  expect((await alice.post('/api/auth/proof', { password: PASSWORD })).body.code).toBe('forbidden')
  expect((await alice.post('/api/auth/proof', { code: codeOf(secret, 9) })).body.code).toBe('invalid_code')
  const proven = await alice.post('/api/auth/proof', { code: codeOf(secret) })
  expect(proven.status).toBe(200)
  const minutes = (Date.parse(proven.body.proven_until) - Date.now()) / 60_000
  expect(minutes > 8 && minutes <= 10.1).toBe(true)
  expect((await alice.get('/api/auth/factors')).body.proven_until).toBe(proven.body.proven_until)
  // The same code proves once.
  expect((await alice.post('/api/auth/proof', { code: codeOf(secret) })).body.code).toBe('invalid_code')
  expect((await alice.get('/api/auth/export')).status).toBe(200)
  // A wrong password is refused even then.
  const wrong = { current_password: 'Wrong-Horse-77!', new_password: NEW_PASSWORD }
  expect((await alice.put('/api/auth/password', wrong)).body.code).toBe('invalid_credentials')
  expect((await alice.put('/api/auth/password', { new_password: NEW_PASSWORD })).status).toBe(200)
  expect((await send(alice, ['DELETE', '/api/auth/me', {}])).status).toBe(204)
})

test('a proof counts only for its session, and for ten minutes', async () => {
  const alice = await person(parley, 'alice')
  const { secret, recovery_codes } = await turnOn(alice)
  const other = await elsewhere(alice, { code: codeOf(secret) })
  // Logging in is no proof.
  expect((await other.get('/api/auth/export')).body.code).toBe('proof_required')
  expect((await alice.get('/api/auth/export')).status).toBe(200)
  expect((await other.post('/api/auth/proof', { recovery_code: recovery_codes[0] })).status).toBe(200)
  expect((await other.post('/api/auth/recovery-codes')).status).toBe(200)
  await sql`update sessions set proven_at = now() - interval '10 minutes' where user_id = ${alice.id}`
  for (const who of [alice, other]) expect((await who.get('/api/auth/export')).body.code).toBe('proof_required')
})

test('another session’s proof by password ends when a factor is turned on', async () => {
  const alice = await person(parley, 'alice')
  const stolen = await call(parley, 'POST', '/api/auth/login', {
    body: { username: alice.username, password: PASSWORD },
  })
  const mallory = new Person(parley, alice.id, alice.username, alice.email, '', stolen.body.token)
  await prove(mallory)
  await turnOn(alice)
  expect((await mallory.delete('/api/auth/totp')).body.code).toBe('proof_required')
  expect((await mallory.post('/api/auth/passkeys/options')).body.code).toBe('proof_required')
  expect((await mallory.post('/api/auth/proof', { password: PASSWORD })).body.code).toBe('forbidden')
})

test('a wrong password proves nothing, and a request takes one proof', async () => {
  const alice = await person(parley, 'alice')
  expect((await alice.post('/api/auth/proof', { password: 'Wrong-Horse-77!' })).body.code).toBe('invalid_credentials')
  expect((await alice.post('/api/auth/proof', { code: '123456' })).body.code).toBe('invalid_code')
  expect((await alice.post('/api/auth/proof', { password: PASSWORD, code: '123456' })).status).toBe(422)
  expect((await alice.post('/api/auth/proof', {})).status).toBe(422)
  expect((await alice.post('/api/auth/totp')).body.code).toBe('proof_required')
})
