import { afterAll, expect, test } from 'bun:test'
import { proveAddress } from '../../../src/features/login/proven-address.ts'
import { boot, call, PASSWORD, type Person, person, registered, standard, stop } from '../../support/harness.ts'
import { begin, codeOf, prove, second, turnOn } from '../../support/factors.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'

const parley = await standard()
const { sql } = parley.parts

const login = (who: Person, password = PASSWORD) =>
  call(who.parley, 'POST', '/api/auth/login', { body: { username: who.username, password } })

/** A code of six digits other than the app's present ones. */
const wrong = (secret: string) => {
  const near = [-1, 0, 1].map((steps) => codeOf(secret, steps))
  return ['000000', '111111', '222222', '333333'].find((code) => !near.includes(code)) ?? ''
}

test('an account without a factor logs in by two fields, and gets an unchanged answer', async () => {
  const alice = await person(parley, 'alice')
  await prove(alice)
  // An unconfirmed secret changes nothing.
  expect((await alice.post('/api/auth/totp')).status).toBe(201)
  const { status, body } = await login(alice)
  expect([status, Object.keys(body).sort()]).toEqual([200, ['token', 'user']])
})

test('with an app a login goes on with a code of it, each code once', async () => {
  const alice = await person(parley, 'alice')
  const { secret } = await turnOn(alice)
  const refused = await login(alice)
  expect([refused.status, refused.body.code]).toEqual([401, 'second_factor_required'])
  expect(refused.body.methods).toEqual(['code', 'recovery_code'])
  expect(refused.headers.getSetCookie()).toEqual([])
  const { pending_token } = refused.body
  const options = await call(parley, 'POST', '/api/auth/login/second/options', { body: { pending_token } })
  expect(options.body).toEqual({ methods: ['code', 'recovery_code'], passkey: null })
  const code = codeOf(secret)
  const entered = await second(alice, pending_token, { code: `${code.slice(0, 3)} ${code.slice(3)}` })
  expect([entered.status, entered.body.user.id]).toEqual([200, alice.id])
  expect(entered.headers.getSetCookie()[0]).toStartWith('session=')
  expect((await call(parley, 'GET', '/api/auth/me', { token: entered.body.token })).status).toBe(200)
  expect((await second(alice, pending_token, { code })).body.code).toBe('login_expired')
  expect((await second(alice, await begin(alice), { code })).body.code).toBe('invalid_code')
  // The step before it has passed too.
  expect((await second(alice, await begin(alice), { code: codeOf(secret, -1) })).body.code).toBe('invalid_code')
})

test('a recovery code logs in once, in its printed form or without its dashes', async () => {
  const alice = await person(parley, 'alice')
  const { recovery_codes } = await turnOn(alice)
  expect(new Set(recovery_codes).size).toBe(10)
  for (const code of recovery_codes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
  const [one = '', two = ''] = recovery_codes
  expect((await second(alice, await begin(alice), { recovery_code: one })).status).toBe(200)
  expect((await second(alice, await begin(alice), { recovery_code: one })).body.code).toBe('invalid_code')
  const typed = two.replaceAll('-', '').toUpperCase()
  expect((await second(alice, await begin(alice), { recovery_code: typed })).status).toBe(200)
  expect((await alice.get('/api/auth/factors')).body.recovery_codes_left).toBe(8)
  const renewed = await alice.post('/api/auth/recovery-codes')
  expect([renewed.status, renewed.body.recovery_codes.length]).toEqual([200, 10])
  expect((await second(alice, await begin(alice), { recovery_code: recovery_codes[2] })).body.code).toBe('invalid_code')
})

test('a login has five tries, and no sixth even with the right code', async () => {
  const alice = await person(parley, 'alice')
  const { secret } = await turnOn(alice)
  const token = await begin(alice)
  const tries = await Promise.all(Array.from({ length: 8 }, () => second(alice, token, { code: wrong(secret) })))
  const codes = tries.map(({ body }) => body.code)
  expect(codes.filter((code) => code === 'invalid_code').length).toBe(5)
  expect(codes.filter((code) => code === 'login_expired').length).toBe(3)
  expect((await second(alice, token, { code: codeOf(secret) })).body.code).toBe('login_expired')
})

test('if logins race by one code, one recovery code or one pending token, one succeeds', async () => {
  const alice = await person(parley, 'alice')
  const { secret, recovery_codes } = await turnOn(alice)
  const race = async (proof: object, tokens: string[]) => {
    const answers = await Promise.all(tokens.map((token) => second(alice, token, proof)))
    return answers.filter(({ status }) => status === 200).length
  }
  const tokens = () => Promise.all(Array.from({ length: 5 }, () => begin(alice)))
  expect(await race({ code: codeOf(secret) }, await tokens())).toBe(1)
  expect(await race({ recovery_code: recovery_codes[0] }, await tokens())).toBe(1)
  const token = await begin(alice)
  const proofs = [1, 2, 3, 4].map((n) => second(alice, token, { recovery_code: recovery_codes[n] }))
  expect((await Promise.all(proofs)).filter(({ status }) => status === 200).length).toBe(1)
})

test('a pending login ends after five minutes, and with a change of the password', async () => {
  const alice = await person(parley, 'alice')
  const { secret } = await turnOn(alice)
  const [late, former] = [await begin(alice), await begin(alice)]
  const stored = await sql<{ hash: Uint8Array }[]>`select hash from pending_logins where user_id = ${alice.id}`
  for (const { hash } of stored)
    for (const token of [late, former]) expect(Buffer.from(hash).equals(Buffer.from(token, 'base64url'))).toBe(false)
  await sql`update pending_logins set expires_at = now() where hash in (
    select hash from pending_logins where user_id = ${alice.id} order by expires_at limit 1)`
  expect((await second(alice, late, { code: codeOf(secret) })).body.code).toBe('login_expired')
  const change = { current_password: PASSWORD, new_password: 'Another-Horse-8!' }
  expect((await alice.put('/api/auth/password', change)).status).toBe(200)
  expect((await second(alice, former, { code: codeOf(secret) })).body.code).toBe('login_expired')
  // The factor is still in force.
  expect((await login(alice, 'Another-Horse-8!')).body.code).toBe('second_factor_required')
})

test('a wrong password is answered the same with and without a factor', async () => {
  const [alice, bob] = [await registered(parley, 'alice'), await registered(parley, 'bob')]
  await turnOn(alice)
  const [one, other] = await Promise.all([alice, bob].map((who) => login(who, 'Wrong-Horse-77!')))
  expect({ ...one?.body, request_id: '' }).toEqual({ ...other?.body, request_id: '' })
  expect(one?.body.code).toBe('invalid_credentials')
})

test('a pending token is good for nothing but its login', async () => {
  const [alice, mallory] = [await person(parley, 'alice'), await person(parley, 'mallory')]
  await turnOn(alice)
  const { secret } = await turnOn(mallory)
  const token = await begin(alice)
  expect((await call(parley, 'GET', '/api/auth/me', { token })).status).toBe(401)
  // The code of another account.
  expect((await second(alice, token, { code: codeOf(secret) })).body.code).toBe('invalid_code')
  for (const other of ['', 'x'.repeat(43), token.slice(1)])
    expect((await second(alice, other, { code: '123456' })).body.code).toBe('login_expired')
})

test('a request contains one factor, of the right size and shape', async () => {
  const alice = await person(parley, 'alice')
  await turnOn(alice)
  const token = await begin(alice)
  for (const proof of [
    {},
    { code: '123456', recovery_code: 'aaaa-aaaa-aaaa-aaaa' },
    { code: '12345' },
    { code: '١٢٣٤٥٦' },
    { code: 'x'.repeat(10_000) },
    { recovery_code: '1'.repeat(16) },
    { recovery_code: '-'.repeat(10_000) },
    { passkey: { id: 'x'.repeat(2000) } },
    { password: PASSWORD },
  ])
    expect([proof, (await second(alice, token, proof)).status]).toEqual([proof, 422])
  for (const path of ['/api/auth/login/second', '/api/auth/login/second/options', '/api/auth/login/passkey'])
    expect((await call(parley, 'POST', path, { body: { pending_token: 'x'.repeat(256 * 1024) } })).status).toBe(413)
  // Malformed requests did not count as tries.
  expect(
    (await call(parley, 'POST', '/api/auth/login/second/options', { body: { pending_token: token } })).status,
  ).toBe(200)
})

test('an app is set up once, by a code of its newest secret, and turned off with its recovery codes', async () => {
  const alice = await person(parley, 'alice')
  await prove(alice)
  expect((await alice.post('/api/auth/totp/confirm', { code: '123456' })).status).toBe(404)
  const { secret: first } = (await alice.post('/api/auth/totp')).body
  const { secret, uri } = (await alice.post('/api/auth/totp')).body
  expect(uri).toStartWith(`otpauth://totp/Parley:${alice.username}?secret=${secret}&`)
  expect((await alice.post('/api/auth/totp/confirm', { code: codeOf(first) })).body.code).toBe('invalid_code')
  const confirmations = await Promise.all(
    [1, 2, 3].map(() => alice.post('/api/auth/totp/confirm', { code: codeOf(secret) })),
  )
  expect(confirmations.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect((await alice.post('/api/auth/totp')).body.code).toBe('totp_on')
  expect((await alice.get('/api/auth/factors')).body).toMatchObject({
    totp_since: expect.any(String),
    recovery_codes_left: 10,
    methods: ['code', 'recovery_code'],
  })
  expect((await alice.delete('/api/auth/totp')).status).toBe(204)
  expect((await alice.delete('/api/auth/totp')).status).toBe(404)
  expect((await alice.post('/api/auth/recovery-codes')).status).toBe(404)
  expect((await login(alice)).status).toBe(200)
  expect(await sql`select from recovery_codes where user_id = ${alice.id}`).toHaveLength(0)
})

test('the first proof of an address removes factors from before it, a later proof does not', async () => {
  const alice = await person(parley, 'alice')
  const proveOwn = () =>
    parley.parts.write((tx, _emit, notify) => proveAddress(tx, notify, alice.id, alice.email, 'own'))
  await turnOn(alice)
  await begin(alice)
  expect(await proveOwn()).toBe(true)
  expect((await login(alice)).status).toBe(200)
  await turnOn(alice)
  expect(await proveOwn()).toBe(true)
  expect((await login(alice)).body.code).toBe('second_factor_required')
})

test('a deleted account leaves no factor, and an export holds no secret of one', async () => {
  const alice = await person(parley, 'alice')
  const { secret, recovery_codes } = await turnOn(alice)
  await begin(alice)
  const exported = await alice.get('/api/auth/export')
  expect([exported.status, exported.body.account.totp_since]).toEqual([200, expect.any(String)])
  const text = JSON.stringify(exported.body)
  for (const secretText of [secret, ...recovery_codes]) expect(text).not.toInclude(secretText)
  const deletion = await call(parley, 'DELETE', '/api/auth/me', { token: alice.token, body: { password: PASSWORD } })
  expect(deletion.status).toBe(204)
  for (const table of ['totp', 'recovery_codes', 'passkeys', 'pending_logins'])
    expect([table, (await sql`select from ${sql(table)} where user_id = ${alice.id}`).length]).toEqual([table, 0])
})

test.if(redisProgram !== undefined)(
  'an account may try twenty wrong codes an hour, over nodes, addresses and logins',
  async () => {
    const redis = await redisServer()
    const limited = { REDIS_URL: redis.url, RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' }
    const one = await boot(limited)
    const two = await boot(limited, one)
    afterAll(() => Promise.all([stop(one), stop(two)]))
    const alice = await person(one, 'alice')
    const { secret } = await turnOn(alice)
    const guess = wrong(secret)
    const outcomes: string[] = []
    for (let n = 0; n < 24; n++) {
      const node = n % 2 ? one : two
      const headers = { 'x-forwarded-for': `203.0.113.${n}` }
      const body = { username: alice.username, password: PASSWORD }
      const { pending_token } = (await call(node, 'POST', '/api/auth/login', { body, headers })).body
      const attempt = { pending_token, code: n === 3 ? codeOf(secret) : guess }
      const answer = await call(node, 'POST', '/api/auth/login/second', { body: attempt, headers })
      outcomes.push(answer.status === 200 ? 'in' : answer.body.code)
    }
    expect(outcomes.filter((outcome) => outcome === 'in').length).toBe(1)
    // The right code does not count as a try.
    expect(outcomes.filter((outcome) => outcome === 'invalid_code').length).toBe(20)
    expect(outcomes.slice(-3)).toEqual(['rate_limited', 'rate_limited', 'rate_limited'])
  },
)

test.if(redisProgram !== undefined)('if two nodes get one code at the same moment, one takes it', async () => {
  const redis = await redisServer()
  const one = await boot({ REDIS_URL: redis.url })
  const two = await boot({ REDIS_URL: redis.url }, one)
  afterAll(() => Promise.all([stop(one), stop(two)]))
  const alice = await person(one, 'alice')
  const { secret } = await turnOn(alice)
  const tokens = await Promise.all(Array.from({ length: 6 }, () => begin(alice)))
  const code = codeOf(secret)
  const answers = await Promise.all(
    tokens.map((pending_token, n) =>
      call(n % 2 ? one : two, 'POST', '/api/auth/login/second', { body: { pending_token, code } }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200).length).toBe(1)
})
