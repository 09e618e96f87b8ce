import { expect, test } from 'bun:test'
import { hashPassword, passwordFaults, unusableHash, verifyPassword } from '../../../src/features/accounts/passwords.ts'
import { boot, call, PASSWORD, registered, standard, stop, until } from '../../support/harness.ts'

const parley = await standard()

let attempts = 0
const register = (password: unknown, other: Record<string, unknown> = {}) => {
  const username = `pw.alice${++attempts}`
  const body = { username, email: `${username}@example.org`, password, ...other }
  return call(parley, 'POST', '/api/auth/register', { body })
}
const messages = (errors: { message: string }[]) => errors.map((error) => error.message)

test('every rule that a password breaks is named at once', async () => {
  const { status, body } = await register('')
  expect([status, body.code]).toEqual([422, 'weak_password'])
  expect(messages(body.errors)).toEqual([
    'Must be at least 12 characters long',
    'Must contain an uppercase letter A-Z',
    'Must contain a lowercase letter a-z',
    'Must contain a digit 0-9',
    'Must contain a special character of !@#$%^&*',
  ])
  expect(body.errors[0].path).toBe('body.password')
})

test('each rule applies on its own', async () => {
  const broken: Record<string, string> = {
    'Correct-H-7': 'Must be at least 12 characters long',
    'correct-horse-7!': 'Must contain an uppercase letter A-Z',
    'CORRECT-HORSE-7!': 'Must contain a lowercase letter a-z',
    'Correct-Horse-x!': 'Must contain a digit 0-9',
    'Correct-Horse-7?': 'Must contain a special character of !@#$%^&*',
    [`Correct-Horse-7!${'x'.repeat(113)}`]: 'Must be at most 128 characters long',
    'Correct-Horse-7!\0': 'Must not contain NUL or lone surrogates',
    'Correct-Horse-7!\ud800': 'Must not contain NUL or lone surrogates',
    // Letters and digits of other scripts do not count as A-Z and 0-9.
    'École-horse-7!': 'Must contain an uppercase letter A-Z',
    'Correct-Horse-٧!': 'Must contain a digit 0-9',
  }
  for (const [password, message] of Object.entries(broken)) expect(passwordFaults(password)).toContain(message)
  expect((await register('Correct-H-7')).body.code).toBe('weak_password')
})

test('the hash without a password is computed like those of accounts, and no password matches it', async () => {
  const parameters = (hash: string) => hash.split('$').slice(0, 4)
  const lengths = (hash: string) => hash.split('$').map((part) => part.length)
  const hash = await hashPassword(PASSWORD)
  expect(parameters(unusableHash)).toEqual(parameters(hash))
  expect(lengths(unusableHash)).toEqual(lengths(hash))
  expect(await verifyPassword(PASSWORD, unusableHash)).toBeFalse()
  expect(await verifyPassword(PASSWORD, undefined)).toBeFalse()
  expect(await verifyPassword(PASSWORD, hash)).toBeTrue()
})

test('the limits of 12 and 128 count code points', async () => {
  expect(passwordFaults('Aa1!😀😀😀😀😀😀😀')).toContain('Must be at least 12 characters long')
  expect(passwordFaults('Aa1!😀😀😀😀😀😀😀😀')).toEqual([])
  expect(passwordFaults(`Aa1!${'😀'.repeat(124)}`)).toEqual([])
  expect(passwordFaults(`Aa1!${'😀'.repeat(125)}`)).toEqual(['Must be at most 128 characters long'])
  expect((await register(`Aa1!${'😀'.repeat(124)}`)).status).toBe(201)
})

test('a common password is refused in any case, and with digits and specials appended', async () => {
  const common = 'Must not be a common password'
  for (const password of ['password', 'Password', 'QWERTYUIOP', 'Password1234!', 'Password!!!!1', 'ILoveYou2026!!'])
    expect([password, passwordFaults(password).includes(common)]).toEqual([password, true])
  expect(passwordFaults('PasswordHorse1234!')).toEqual([])
  const { body } = await register('Password1234!')
  expect([body.code, messages(body.errors)]).toEqual(['weak_password', [common]])
})

test('the code is validation_failed as soon as another field is wrong as well, and all rules are named', async () => {
  const { body } = await register('short', { username: 'a', email: 'nowhere' })
  expect(body.code).toBe('validation_failed')
  const paths = body.errors.map((error: { path: string }) => error.path)
  expect(new Set(paths)).toEqual(new Set(['body.username', 'body.email', 'body.password']))
  expect(paths.filter((path: string) => path === 'body.password').length).toBeGreaterThan(1)
  for (const password of [undefined, null, 12, ['Correct-Horse-7!']])
    expect((await register(password)).body.code).toBe('validation_failed')
})

test('no answer repeats a refused password', async () => {
  const { body } = await register('hunter2')
  expect(JSON.stringify(body)).not.toInclude('hunter2')
})

test('a long password, name or address is refused at once, and one of a megabyte is not read', async () => {
  const long = 'a'.repeat(15_000)
  const started = performance.now()
  for (const body of [{ password: long }, { email: `${long}@${long.slice(0, 1000)}` }, { username: long }])
    expect((await register(PASSWORD, body)).status).toBe(422)
  expect((await call(parley, 'POST', '/api/auth/login', { body: { username: 'alice', password: long } })).status).toBe(
    422,
  )
  expect(performance.now() - started).toBeLessThan(5000)
  expect((await register('a'.repeat(1_000_000))).status).toBe(413)
})

test('logins beyond the queue get 503 with Retry-After, and queued ones are answered', async () => {
  const alice = await registered(parley, 'alice')
  const flood = Array.from({ length: 90 }, () =>
    call(parley, 'POST', '/api/auth/login', { body: { username: alice.username, password: 'Wrong-Horse-77!' } }),
  )
  const answers = await Promise.all(flood)
  const away = answers.filter((answer) => answer.status === 503)
  expect(away.length).toBeGreaterThan(0)
  expect(answers.filter((answer) => answer.status === 401).length).toBe(90 - away.length)
  for (const { headers, body } of away) {
    expect(body.code).toBe('unavailable')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  // On a busy machine requests time out before the queue is empty; a repeated one is answered.
  const login = () => call(parley, 'POST', '/api/auth/login', { body: { email: alice.email, password: PASSWORD } })
  await until(async () => (await login()).status === 200)
})

test('closed registration refuses everyone', async () => {
  const closed = await boot({ REGISTRATION: 'closed' })
  const body = { username: 'alice', email: 'alice@example.org', password: PASSWORD, invite_code: 'abcdefghjk' }
  const refused = await call(closed, 'POST', '/api/auth/register', { body })
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  await stop(closed)
})

test('registration by invite demands the code of a live invite', async () => {
  const invited = await boot({ REGISTRATION: 'invite' })
  const { sql } = invited.parts
  await sql`insert into users (username, email, password_hash, display_name)
    values ('owner', 'o@example.org', '', 'Owner')`
  await sql`insert into servers (name, owner_id) values ('Birdwatchers', 1)`
  await sql`insert into invites (code, server_id, creator_id, max_uses, uses, expires_at, deleted_at) values
    ('live', 1, 1, 0, 0, null, null), ('used', 1, 1, 2, 2, null, null),
    ('past', 1, 1, 0, 0, now() - interval '1 second', null), ('gone', 1, 1, 0, 0, null, now())`
  const status = async (username: string, invite_code?: string) => {
    const body = { username, email: `${username}@example.org`, password: PASSWORD, invite_code }
    return (await call(invited, 'POST', '/api/auth/register', { body })).status
  }
  for (const code of [undefined, 'used', 'past', 'gone', 'guess']) expect(await status('mallory', code)).toBe(403)
  expect(await status('mallory', "' or 1=1 --")).toBe(422)
  expect([await status('alice', 'live'), await status('bob', 'live')]).toEqual([201, 201])
  await stop(invited)
})
