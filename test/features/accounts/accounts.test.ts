import { expect, test } from 'bun:test'
import { call, PASSWORD, person, registered, newServer, standard } from '../../support/harness.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()

let names = 0
/** A name that no other test uses. */
const fresh = (name: string) => `${name}.acc${++names}`
const register = (body: Record<string, unknown>) => call(parley, 'POST', '/api/auth/register', { body })
const login = (body: Record<string, unknown>) => call(parley, 'POST', '/api/auth/login', { body })

test('registering answers with the account, a valid token and a random display name', async () => {
  const username = fresh('alice')
  const { status, body } = await register({ username, email: `${username}@example.org`, password: PASSWORD })
  expect(status).toBe(201)
  expect(body.user).toMatchObject({ username, email: `${username}@example.org`, avatar_file_id: null })
  expect(Object.keys(body.user)).not.toContain('updated_at')
  expect(body.user.display_name).toMatch(/^[A-Z][a-z]+#\d{4}$/)
  const me = await call(parley, 'GET', '/api/auth/me', { token: body.token })
  expect(me.body).toEqual({
    ...body.user,
    updated_at: body.user.created_at,
    operator_since: null,
    guest_until: null,
  })
  const [row] = await parley.parts.sql`select * from users where id = ${body.user.id}`
  expect(row?.password_hash).toStartWith('$argon2id$')
  expect(JSON.stringify([me.body, body])).not.toInclude(PASSWORD)
})

test('a user name is the same in any case, and is stored in lower case', async () => {
  const username = fresh('Alice')
  const first = await register({ username, email: `${username}@example.org`, password: PASSWORD })
  expect(first.body.user.username).toBe(username.toLowerCase())
  const second = await register({
    username: username.toUpperCase(),
    email: `x${username}@a.example`,
    password: PASSWORD,
  })
  expect(second).toMatchObject({ status: 409, body: { code: 'username_taken' } })
  expect((await login({ username: username.toUpperCase(), password: PASSWORD })).status).toBe(200)
})

test('an e-mail address belongs to one account, in any case, and is stored as it was written', async () => {
  const username = fresh('bob')
  const email = `${username}@Example.org`
  expect((await register({ username, email, password: PASSWORD })).body.user.email).toBe(email)
  const duplicate = await register({ username: fresh('bob'), email: email.toUpperCase(), password: PASSWORD })
  expect(duplicate).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  expect((await login({ email: email.toLowerCase(), password: PASSWORD })).body.user.username).toBe(username)
})

test('if registrations race for one name, exactly one succeeds', async () => {
  const username = fresh('racer')
  const attempts = Array.from({ length: 8 }, (_, at) =>
    register({ username, email: `${username}${at}@example.org`, password: PASSWORD }),
  )
  const answers = await Promise.all(attempts)
  const codes = answers.map(({ status, body }) => (status === 201 ? 'created' : body.code)).sort()
  expect(codes).toEqual(['created', ...Array(7).fill('username_taken')])
  const rows = await parley.parts.sql`select 1 from users where username = ${username}`
  expect(rows).toHaveLength(1)
})

test('the user name and the e-mail address log in alike', async () => {
  const alice = await person(parley, 'alice')
  const byName = await login({ username: alice.username, password: PASSWORD })
  const byMail = await login({ email: alice.email, password: PASSWORD })
  expect([byName.status, byMail.status]).toEqual([200, 200])
  expect(byMail.body.user).toEqual(byName.body.user)
  expect(byName.body.token).not.toBe(byMail.body.token)
})

test('giving both names, or neither, is refused', async () => {
  const alice = await person(parley, 'alice')
  for (const body of [{ username: alice.username, email: alice.email }, {}])
    expect((await login({ ...body, password: PASSWORD })).body.code).toBe('validation_failed')
})

test('a wrong password and an unknown account answer alike, in the same time', async () => {
  const alice = await registered(parley, 'alice')
  const timed = async (body: Record<string, string>) => {
    const started = performance.now()
    const { status, headers, body: refusalBody } = await login(body)
    const { request_id: _, ...problem } = refusalBody
    return { ms: performance.now() - started, said: { status, problem, auth: headers.get('www-authenticate') } }
  }
  const wrong: number[] = []
  const unknown: number[] = []
  for (let round = 0; round < 7; round++) {
    const a = await timed({ username: alice.username, password: 'Wrong-Horse-77!' })
    const b = await timed({ username: 'nobody.at.all', password: 'Wrong-Horse-77!' })
    const c = await timed({ email: 'nobody@example.org', password: '' })
    expect(b.said).toEqual(a.said)
    expect(c.said).toEqual(a.said)
    expect(a.said).toMatchObject({ status: 401, problem: { code: 'invalid_credentials' }, auth: 'Bearer' })
    wrong.push(a.ms)
    unknown.push(b.ms, c.ms)
  }
  // A hash takes tens of milliseconds; an answer without one would be twenty times faster.
  const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
  expect(median(unknown)).toBeGreaterThan(median(wrong) / 3)
  expect(median(wrong)).toBeGreaterThan(median(unknown) / 3)
})

test('another spelling of the same accents is the same password', async () => {
  const username = fresh('zoe')
  const composed = 'Caf\u00e9-Horse-77!'
  await register({ username, email: `${username}@example.org`, password: composed })
  expect((await login({ username, password: composed.normalize('NFD') })).status).toBe(200)
})

test('invalid user names and e-mail addresses are refused', async () => {
  const names = ['a', 'a'.repeat(33), 'a b', 'älice', 'ab\0', 'ab\n', 'аlice', '@alice', '', 'ab\ud800', 'a/b', '😀😀']
  for (const username of names) {
    const { status, body } = await register({ username, email: 'ok@example.org', password: PASSWORD })
    expect([username, status, body.errors?.map((error: any) => error.path)]).toEqual([username, 422, ['body.username']])
  }
  const mails = ['alice', 'a@b', '@example.org', `${'a'.repeat(250)}@example.org`, 'a@ex ample.org', 'a\0@example.org']
  for (const email of [...mails, 'a@example.org\n', 'a@b@example.org', 'ä@example.org', '<a@example.org>']) {
    const { status, body } = await register({ username: 'mallory', email, password: PASSWORD })
    expect([email, status, body.code]).toEqual([email, 422, 'validation_failed'])
  }
})

test('an unknown field is refused: nobody chooses their id, rank or display name when registering', async () => {
  const username = fresh('mallory')
  const body = { username, email: `${username}@example.org`, password: PASSWORD, id: 1, is_admin: true }
  const refused = await register({ ...body, display_name: 'Root' })
  expect(refused.body.errors).toEqual(
    ['id', 'is_admin', 'display_name'].map((name) => ({ path: `body.${name}`, message: 'Unknown field' })),
  )
})

test('a display name is any printable text of 1 to 32 code points', async () => {
  const alice = await person(parley, 'alice')
  const change = (display_name: unknown) => alice.put('/api/auth/display-name', { display_name })
  for (const name of [
    'A',
    '😀'.repeat(32),
    'Ælfgifu æt Hāmtūn',
    '<b>bold</b>',
    "Robert'); drop table users;--",
    'é',
    '❤️',
  ]) {
    const { status, body } = await change(name)
    expect([status, body.display_name]).toEqual([200, name])
  }
  expect((await change('e\u0301')).body.display_name).toBe('\u00e9')
  expect((await change('김\u3164')).body.display_name).toBe('김')
  const refused = [
    '',
    '😀'.repeat(33),
    '   ',
    '\u200b',
    // Invisible letters, marks and a symbol.
    '\u3164',
    '\u115f\u1160',
    '\uffa0',
    '\ufe0f',
    '\u2800',
    'a\nb',
    'a\0b',
    '\ud800',
    'a\u2028b',
    'a\u001bb',
    7,
    null,
    ['a'],
  ]
  for (const name of refused) expect([name, (await change(name)).body.code]).toEqual([name, 'validation_failed'])
})

test('a changed display name reaches shared servers, without user name and e-mail address', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  await newServer(alice, bob)
  const live = await connect(bob)
  const { body } = await alice.put('/api/auth/display-name', { display_name: 'Heron' })
  expect(body).toMatchObject({ display_name: 'Heron', username: alice.username, email: alice.email })
  expect(Date.parse(body.updated_at)).toBeGreaterThanOrEqual(Date.parse(body.created_at))
  const { d } = await live.next('user.updated')
  expect(d).toEqual({ id: alice.id, display_name: 'Heron', avatar_file_id: null, kind: 'person' })
  expect(JSON.stringify(live.frames)).not.toInclude(alice.email)
  live.close()
})

test('a new password needs the current one, ends every other session, and is the only one that works', async () => {
  const alice = await person(parley, 'alice')
  const other = await login({ username: alice.username, password: PASSWORD })
  const change = (current_password: string, new_password: string) =>
    alice.put('/api/auth/password', { current_password, new_password })
  expect((await change('Wrong-Horse-77!', 'New-Horse-77-Battery!')).body.code).toBe('invalid_credentials')
  expect((await change(PASSWORD, 'short')).body.code).toBe('weak_password')
  expect((await call(parley, 'GET', '/api/auth/me', { token: other.body.token })).status).toBe(200)
  expect((await change(PASSWORD, 'New-Horse-77-Battery!')).status).toBe(200)
  expect((await alice.get('/api/auth/me')).status).toBe(200)
  const ended = await call(parley, 'GET', '/api/auth/me', { token: other.body.token })
  expect(ended).toMatchObject({ status: 401, body: { code: 'token_revoked' } })
  expect((await login({ username: alice.username, password: PASSWORD })).status).toBe(401)
  expect((await login({ username: alice.username, password: 'New-Horse-77-Battery!' })).status).toBe(200)
})

test('a login that verified the old password while it was changed opens no session', async () => {
  const alice = await person(parley, 'alice')
  const change = alice.put('/api/auth/password', { current_password: PASSWORD, new_password: 'New-Horse-77-Battery!' })
  const logins = Array.from({ length: 6 }, async (_, at) => {
    await Bun.sleep(at * 30)
    return login({ username: alice.username, password: PASSWORD })
  })
  expect((await change).status).toBe(200)
  for (const { status, body } of await Promise.all(logins)) {
    if (status !== 200) continue
    expect((await call(parley, 'GET', '/api/auth/me', { token: body.token })).body.code).toBe('token_revoked')
  }
})

test('if two password changes race, one succeeds and the other answers invalid_credentials', async () => {
  const alice = await person(parley, 'alice')
  const change = (new_password: string) => alice.put('/api/auth/password', { current_password: PASSWORD, new_password })
  const passwords = ['First-Horse-77-Battery!', 'Second-Horse-77-Battery!']
  const answers = await Promise.all(passwords.map(change))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401])
  const winner = passwords[answers.findIndex((answer) => answer.status === 200)]
  expect((await login({ username: alice.username, password: winner })).status).toBe(200)
})
