import { afterAll, expect, test } from 'bun:test'
import { readEnvironment } from '../../../src/environment.ts'
import { openTransport } from '../../../src/features/mail/transport.ts'
import { writeMail } from '../../../src/features/mail/templates.ts'
import { accountWords } from '../../../src/web/words/account.ts'
import { boot, call, type Person, person, PASSWORD, registered, standard, stop, until } from '../../support/harness.ts'
import { CHANGE, Mailbox, RESET, VERIFY } from '../../support/mailbox.ts'
import { admin, databaseOf } from '../../support/operator.ts'
import { connect } from '../../support/socket.ts'
import { SPAWN_MS } from '../../support/spawned.ts'

const NEW = 'Other-Horse-77-Battery!'
const mailbox = await Mailbox.open()
const parley = await boot(mailbox.variables())
const { sql } = parley.parts
afterAll(async () => {
  await stop(parley)
  await mailbox.close()
})

const forgot = (email: string, headers = {}) =>
  call(parley, 'POST', '/api/auth/password/forgot', { body: { email }, headers })
const reset = (token: string, password = NEW) =>
  call(parley, 'POST', '/api/auth/password/reset', { body: { token, password } })
const verify = (token: string) => call(parley, 'POST', '/api/auth/email/verify', { body: { token } })
const login = ({ username }: Person, password: string) =>
  call(parley, 'POST', '/api/auth/login', { body: { username, password } })
/** Requests another address, from a session that has proven itself. */
async function changeEmail(who: Person, body: { email: string }) {
  expect((await who.post('/api/auth/proof', { password: PASSWORD })).status).toBe(200)
  return who.put('/api/auth/email', body)
}
const linkGone = { status: 410, body: { code: 'link_gone' } }
const resetTokenOf = async (who: Person, nth = 1) => {
  expect((await forgot(who.email)).status).toBe(202)
  return mailbox.token(who.email, RESET, nth)
}

test('a forgotten password is reset by a link, which works once and ends every session', async () => {
  const alice = await person(parley, 'alice')
  const gateway = await connect(alice)
  const token = await resetTokenOf(alice)
  expect(await reset(token, 'short')).toMatchObject({ status: 422 })
  const answers = await Promise.all([reset(token), reset(token), reset(token)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410])
  const done = answers.find(({ status }) => status === 200)
  expect(done?.headers.get('set-cookie')).toBeNull()
  expect(Object.keys(done?.body)).toEqual(['message'])
  expect(await gateway.closed).toMatchObject({ code: 4003 })
  expect(await alice.get('/api/auth/me')).toMatchObject({ status: 401, body: { code: 'token_revoked' } })
  expect((await login(alice, PASSWORD)).status).toBe(401)
  const { status, body } = await login(alice, NEW)
  expect([status, body.user.email_verified_at]).toEqual([200, expect.any(String)])
  await until(() => mailbox.to(alice.email, 'Your password has changed').length === 1)
})

test('the answer to a forgotten password does not reveal the existence of an account', async () => {
  const alice = await person(parley, 'alice')
  const [forKnown, unknown] = [await forgot(alice.email.toUpperCase()), await forgot('nobody@example.org')]
  expect(forKnown.body).toEqual(unknown.body)
  expect([forKnown.status, unknown.status]).toEqual([202, 202])
  const keysOf = ({ headers }: { headers: Headers }) => [...headers.keys()]
  expect(keysOf(forKnown)).toEqual(keysOf(unknown))
  expect(await mailbox.token(alice.email, RESET)).toHaveLength(43)
  expect(mailbox.to(alice.email, RESET)[0]?.to).toEqual([alice.email])
  await until(async () => (await sql`select 1 from mail_outbox where template = 'reset'`).length === 0)
  expect(mailbox.to('nobody@example.org', RESET)).toEqual([])
})

test('a link for a password is void after any change of the password or the address', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const tokens = [await resetTokenOf(alice), await resetTokenOf(bob)] as const
  const change = { current_password: PASSWORD, new_password: NEW }
  expect((await alice.put('/api/auth/password', change)).status).toBe(200)
  await sql`update users set email = 'bob.elsewhere@example.org' where id = ${bob.id}`
  for (const token of tokens) expect(await reset(token, 'Third-Horse-77-Battery!')).toMatchObject(linkGone)
  expect((await login(alice, NEW)).status).toBe(200)
})

test('a link that has expired, one for something else and a guessed one change nothing', async () => {
  const alice = await registered(parley, 'alice')
  const verification = await mailbox.token(alice.email, VERIFY)
  expect(await reset(verification)).toMatchObject(linkGone)
  const token = await resetTokenOf(alice)
  expect(await verify(token)).toMatchObject(linkGone)
  await sql`update mail_tokens set expires_at = now() where user_id = ${alice.id}`
  for (const used of [token, 'A'.repeat(43)]) expect(await reset(used)).toMatchObject(linkGone)
  expect(await verify(verification)).toMatchObject(linkGone)
  for (const odd of ['', 'x', `${token}A`, `${token.slice(0, 42)}\n`, 42])
    expect((await reset(odd as string)).status).toBe(422)
  expect((await login(alice, PASSWORD)).status).toBe(200)
})

test('the database holds no token, only its hash', async () => {
  const alice = await person(parley, 'alice')
  const token = await resetTokenOf(alice)
  const rows = await sql`select encode(hash, 'escape') as hash, mail_tokens::text as row from mail_tokens`
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(token)
  const outbox = await sql`select * from mail_outbox where address = ${alice.email} and template = 'reset'`
  expect(JSON.stringify([...outbox])).not.toContain(token)
})

test('an address changes when its link is used; the old one gets a mail, and the newest request counts', async () => {
  const alice = await person(parley, 'alice')
  const next = `new.${alice.email}`
  expect((await changeEmail(alice, { email: `first.${alice.email}` })).status).toBe(202)
  const first = await mailbox.token(`first.${alice.email}`, CHANGE)
  expect((await changeEmail(alice, { email: next })).status).toBe(202)
  const token = await mailbox.token(next, CHANGE)
  await until(() => mailbox.to(alice.email, 'Your e-mail address is about to change').length === 2)
  expect((await alice.get('/api/auth/me')).body).toMatchObject({ email: alice.email, email_verified_at: null })
  expect(await verify(first)).toMatchObject(linkGone)
  expect((await verify(token)).status).toBe(200)
  expect(await verify(token)).toMatchObject(linkGone)
  const { body } = await alice.get('/api/auth/me')
  expect(body).toMatchObject({ email: next, email_verified_at: expect.any(String) })
})

test('a session that has not proven itself changes no address', async () => {
  const alice = await person(parley, 'alice')
  const refused = { status: 403, body: { code: 'proof_required' } }
  expect(await alice.put('/api/auth/email', { email: `mallory.${alice.email}` })).toMatchObject(refused)
  expect(await sql`select 1 from mail_outbox where user_id = ${alice.id}`).toHaveLength(0)
})

test('an address of another account is refused only after a proof of its mailbox', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  expect((await changeEmail(alice, { email: bob.email.toUpperCase() })).status).toBe(202)
  const token = await mailbox.token(bob.email.toUpperCase(), CHANGE)
  expect(await verify(token)).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  expect((await alice.get('/api/auth/me')).body.email).toBe(alice.email)
})

test('a new password makes the link for another address void, so nobody can return by it', async () => {
  const alice = await person(parley, 'alice')
  expect((await changeEmail(alice, { email: `mallory.${alice.email}` })).status).toBe(202)
  const planted = await mailbox.token(`mallory.${alice.email}`, CHANGE)
  expect((await reset(await resetTokenOf(alice))).status).toBe(200)
  expect(await verify(planted)).toMatchObject(linkGone)
  expect((await login(alice, NEW)).body.user.email).toBe(alice.email)
})

test('the first proof of an address makes the link for another address void', async () => {
  const mallory = await registered(parley, 'mallory')
  const proof = await mailbox.token(mallory.email, VERIFY)
  expect((await changeEmail(mallory, { email: `other.${mallory.email}` })).status).toBe(202)
  const planted = await mailbox.token(`other.${mallory.email}`, CHANGE)
  expect((await verify(proof)).status).toBe(200)
  expect(await verify(planted)).toMatchObject(linkGone)
})

test('the confirmation can be sent again, until the address is confirmed', async () => {
  const alice = await registered(parley, 'alice')
  const first = await mailbox.token(alice.email, VERIFY)
  expect((await alice.post('/api/auth/email/resend')).status).toBe(202)
  expect((await verify(await mailbox.token(alice.email, VERIFY, 2))).status).toBe(200)
  expect((await alice.post('/api/auth/email/resend')).status).toBe(202)
  expect(await sql`select 1 from mail_outbox where user_id = ${alice.id}`).toHaveLength(0)
  // The same answer as the other: people click again on an older mail.
  expect((await verify(first)).status).toBe(200)
})

test('links begin with PUBLIC_URL, whatever host a request names', async () => {
  const alice = await person(parley, 'alice')
  const headers = { host: 'evil.example.net', 'x-forwarded-host': 'evil.example.net' }
  expect((await forgot(alice.email, headers)).status).toBe(202)
  await mailbox.token(alice.email, RESET)
  const [mail] = mailbox.to(alice.email, RESET)
  expect(mail?.text).toContain('http://localhost:3999/reset#')
  expect(mail?.text).not.toContain('evil')
})

test('no input adds headers or a second recipient to a mail', async () => {
  const odd = [
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org, b@example.org',
    '"a b"@example.org',
    'a@exämple.org',
  ]
  for (const email of odd) expect([email, (await forgot(email)).status]).toEqual([email, 422])
  // Data of an earlier version could contain this.
  const before = mailbox.mails.length
  const bcc = 'alice@example.org\r\nBcc: bob@example.org'
  await sql`insert into mail_outbox (address, template) values (${bcc}, 'reset')`
  const alice = await person(parley, 'alice')
  const evil = `${alice.username}@example.org, bob@example.org`
  await sql`update users set email = ${evil} where id = ${alice.id}`
  await sql`insert into mail_outbox (user_id, address, template) values (${alice.id}, ${evil}, 'password_changed')`
  await parley.sweep()
  for (const { to, headers } of mailbox.mails.slice(before)) {
    expect(to).not.toContain('bob@example.org')
    expect(headers).not.toMatch(/^Bcc:/im)
  }
})

test('text in a mail is escaped in its HTML, and is in both versions', () => {
  const parameters = { device: '<img src=x onerror=alert(1)>', ip: '"><b>' }
  const values = { username: 'alice', base: 'https://chat.example.org', link: '', parameters }
  const { html, text } = writeMail('new_login', values)
  expect(html).not.toMatch(/<(img|b)\b/)
  expect(text).toContain(parameters.device)
})

test('a mail about ways to log in uses the words of the web client', () => {
  const texts = Object.entries(accountWords.securityChanged)
  for (const [change, words] of texts)
    expect(
      writeMail('security_changed', { username: 'alice', base: '', link: '', parameters: { change } }).text,
    ).toContain(words)
})

test('a mail that the server refuses temporarily is sent later; one to an unknown mailbox is given up', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  mailbox.refusal = { code: 451, only: alice.email }
  expect((await forgot(alice.email)).status).toBe(202)
  const waiting = () => sql<{ attempts: number }[]>`select attempts from mail_outbox where address = ${alice.email}`
  await until(async () => (await waiting())[0]?.attempts === 1)
  mailbox.refusal = { code: 550, only: bob.email }
  expect((await forgot(bob.email)).status).toBe(202)
  await until(async () => (await sql`select 1 from mail_outbox where address = ${bob.email}`).length === 0)
  mailbox.refusal = undefined
  await sql`update mail_outbox set due_at = now() where address = ${alice.email}`
  expect(await mailbox.token(alice.email, RESET)).toHaveLength(43)
  expect(mailbox.to(bob.email, RESET)).toEqual([])
})

test('a mail that was refused for a day is given up', async () => {
  const alice = await person(parley, 'alice')
  mailbox.refusal = { code: 451, only: alice.email }
  await sql`insert into mail_outbox (user_id, address, template, created_at)
    values (${alice.id}, ${alice.email}, 'password_changed', now() - interval '25 hours')`
  await until(async () => (await sql`select 1 from mail_outbox where address = ${alice.email}`).length === 0)
  mailbox.refusal = undefined
  expect(mailbox.to(alice.email, 'Your password has changed')).toEqual([])
})

test('one account and one address fill no more of the outbox than their share', async () => {
  const alice = await person(parley, 'alice')
  mailbox.refusal = { code: 451, only: alice.email }
  for (let n = 0; n < 14; n++) expect((await forgot(alice.email)).status).toBe(202)
  const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
    select count(*) from mail_outbox where address = ${alice.email}`
  expect(count).toBe(10)
  await sql`delete from mail_outbox where address = ${alice.email}`
  mailbox.refusal = undefined
})

test('a deleted account leaves no mail and no link behind', async () => {
  const alice = await registered(parley, 'alice')
  await resetTokenOf(alice)
  mailbox.refusal = { code: 451, only: alice.email }
  expect((await forgot(alice.email)).status).toBe(202)
  const body = { password: PASSWORD }
  expect((await call(parley, 'DELETE', '/api/auth/me', { token: alice.token, body })).status).toBe(204)
  expect(await sql`select 1 from mail_outbox where address = ${alice.email}`).toHaveLength(0)
  expect(await sql`select 1 from mail_tokens where user_id = ${alice.id}`).toHaveLength(0)
  mailbox.refusal = undefined
})

test(
  'an installation without SMTP sends nothing, and its operator prints links',
  async () => {
    const plain = await standard()
    const alice = await person(plain, 'alice')
    expect(await alice.put('/api/auth/email', { email: 'a@example.org' })).toMatchObject({ status: 404 })
    const { code, out } = await admin(databaseOf(plain), 'reset-link', String(alice.id), '--json')
    expect(code).toBe(0)
    const { link } = JSON.parse(out)
    const [, token = ''] = link.split('#')
    const body = { token, password: NEW }
    expect((await call(plain, 'POST', '/api/auth/password/reset', { body })).status).toBe(200)
    const answer = await call(plain, 'POST', '/api/auth/login', { body: { username: alice.username, password: NEW } })
    // A link from the operator proves no address.
    expect([answer.status, answer.body.user.email_verified_at]).toEqual([200, null])
    const entries = await plain.parts.sql`select changes from admin_log where action = 'reset-link'`
    expect(JSON.stringify([...entries])).not.toContain(token)
  },
  SPAWN_MS,
)

test('forgotten passwords are limited by mailbox and by address', async () => {
  const limited = await boot({ ...mailbox.variables(), RATE_LIMITS: 'on' })
  const ask = async (email: string) =>
    (await call(limited, 'POST', '/api/auth/password/forgot', { body: { email } })).status
  const same: number[] = []
  for (const email of ['a@example.org', 'A@example.org', 'a@EXAMPLE.org', 'a@example.org']) same.push(await ask(email))
  expect(same).toEqual([202, 202, 202, 429])
  const others: number[] = []
  for (let n = 0; n < 8; n++) others.push(await ask(`n${n}@example.org`))
  expect(others).toEqual([202, 202, 202, 202, 202, 202, 429, 429])
  await stop(limited)
})

test('the SMTP login uses the user and password of the URL, percent-decoded', async () => {
  const seen: unknown[] = []
  const guarded = await Mailbox.open({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) => {
      seen.push([username, password])
      if (password === 'p:w/%') callback(null, { user: username })
      else callback(new Error('wrong'))
    },
  })
  const at = (login: string) =>
    openTransport({ SMTP_URL: guarded.url.replace('//', `//${login}@`), MAIL_FROM: 'parley@example.org' })
  const right = await at('us%40er:p%3Aw%2F%25')
  await right.probe()
  await right.send('alice@example.org', { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' })
  expect(seen).toEqual([
    ['us@er', 'p:w/%'],
    ['us@er', 'p:w/%'],
  ])
  expect(guarded.to('alice@example.org', 'Hello')).toHaveLength(1)
  await expect((await at('user:wrong')).probe()).rejects.toThrow()
  await guarded.close()
})

test('an SMTP server with an untrusted certificate gets no mail', async () => {
  const untrusted = await Mailbox.open({ secure: true })
  const SMTP_URL = untrusted.url.replace('smtp:', 'smtps:')
  const transport = await openTransport({ SMTP_URL, MAIL_FROM: 'parley@example.org' })
  const mail = { subject: 'Hello', text: 'Hello', html: '' }
  const refused = await transport.send('alice@example.org', mail).catch((error: unknown) => error)
  expect(String(refused)).toContain('certificate')
  expect(untrusted.mails).toEqual([])
  await untrusted.close()
})

test('unusable links or senders of mail are refused at the start', () => {
  const { SMTP_URL, MAIL_FROM, PUBLIC_URL } = mailbox.variables() as Record<
    'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL',
    string
  >
  const boots = (variables: Record<string, string>) => () => readEnvironment({ DATA_DIR: 'data', ...variables })
  expect(boots({ SMTP_URL, MAIL_FROM })).toThrow('PUBLIC_URL')
  expect(boots({ SMTP_URL, PUBLIC_URL })).toThrow('MAIL_FROM')
  expect(boots({ EMAIL_VERIFICATION: 'required' })).toThrow('SMTP_URL')
  for (const odd of [
    'nobody',
    'a@example.org\nBcc: b@example.org',
    'A <a@example.org>, b@example.org',
    'A "x" <a@b.org>',
  ])
    expect(boots({ SMTP_URL, PUBLIC_URL, MAIL_FROM: odd })).toThrow('MAIL_FROM')
  expect(boots({ SMTP_URL, PUBLIC_URL, MAIL_FROM })).not.toThrow()
})
