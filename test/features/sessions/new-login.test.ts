import { afterAll, expect, test } from 'bun:test'
import { exportOf } from '../../support/factors.ts'
import { boot, call, PASSWORD, type Person, registered, stop, until } from '../../support/harness.ts'
import { Mailbox } from '../../support/mailbox.ts'
import { connect } from '../../support/socket.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'
const NEWER_FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:151.0) Gecko/20100101 Firefox/151.0'
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36'
const SUBJECT = 'A new login to your account'

const mailbox = await Mailbox.open()
const parley = await boot({ ...mailbox.variables(), TRUSTED_PROXIES: '127.0.0.1' })
const { sql } = parley.parts
afterAll(async () => {
  await stop(parley)
  await mailbox.close()
})

const login = async ({ username }: Person, userAgent: string, ip = '192.0.2.1') => {
  const headers = { 'user-agent': userAgent, 'x-forwarded-for': ip }
  const answer = await call(parley, 'POST', '/api/auth/login', { body: { username, password: PASSWORD }, headers })
  expect(answer.status).toBe(200)
  return answer.body.token as string
}
const loginEvents = (who: Person) =>
  sql<{ user_agent: string; ip: string }[]>`select body ->> 'user_agent' as user_agent, body ->> 'ip' as ip from events
    where user_id = ${who.id} and type = 'session.created' order by id`
/** An account that has logged in by Firefox from 192.0.2.1, and got the notice. */
async function settled(): Promise<Person> {
  const alice = await registered(parley, 'alice')
  await login(alice, FIREFOX)
  await until(() => mailbox.to(alice.email, SUBJECT).length === 1)
  return alice
}

test('a login from a new device notifies the other sessions, and by mail', async () => {
  const alice = await settled()
  const gateway = await connect(alice)
  const token = await login(alice, CHROME)
  const { d } = await gateway.next('session.created')
  expect(d).toMatchObject({ user_agent: CHROME, ip: '192.0.2.1', current: false })
  const sessions = (await call(parley, 'GET', '/api/auth/sessions', { token })).body
  expect(sessions.find(({ current }: { current: boolean }) => current).id).toBe(d.id)
  expect((await alice.delete(`/api/auth/sessions/${d.id}`)).status).toBe(204)
  expect((await call(parley, 'GET', '/api/auth/me', { token })).status).toBe(401)
  await until(() => mailbox.to(alice.email, SUBJECT).length === 2)
  expect(mailbox.to(alice.email, SUBJECT)[1]?.text).toContain('from 192.0.2.1')
  gateway.close()
})

test('a login from a new address notifies, one from a known device and address does not', async () => {
  const alice = await settled()
  const before = (await loginEvents(alice)).length
  await login(alice, NEWER_FIREFOX)
  expect(await loginEvents(alice)).toHaveLength(before)
  await login(alice, FIREFOX, '198.51.100.7')
  expect((await loginEvents(alice)).at(-1)).toEqual({ user_agent: FIREFOX, ip: '198.51.100.7' })
})

test('registering notifies nobody', async () => {
  const alice = await registered(parley, 'alice')
  expect(await loginEvents(alice)).toHaveLength(0)
})

test('an account without noted devices is notified only of new addresses', async () => {
  const alice = await settled()
  const before = (await loginEvents(alice)).length
  await sql`delete from known_devices where user_id = ${alice.id}`
  await login(alice, CHROME)
  expect(await loginEvents(alice)).toHaveLength(before)
})

test('a login to an account with nothing noted any more notifies', async () => {
  const alice = await settled()
  const before = (await loginEvents(alice)).length
  await sql`delete from known_devices where user_id = ${alice.id}`
  await sql`delete from known_addresses where user_id = ${alice.id}`
  await sql`update users set created_at = now() - interval '1 year' where id = ${alice.id}`
  await login(alice, CHROME)
  expect(await loginEvents(alice)).toHaveLength(before + 1)
})

test('a user agent puts no text of its own into the mail', async () => {
  const alice = await settled()
  await login(alice, '<b>Firefox</b> https://evil.example.net')
  await until(() => mailbox.to(alice.email, SUBJECT).length === 2)
  const [, mail] = mailbox.to(alice.email, SUBJECT)
  expect(mail?.text).not.toContain('evil')
  expect(mail?.text).not.toContain('<b>')
})

test('a deleted account leaves no device behind, and its export names them', async () => {
  const alice = await settled()
  const { devices } = JSON.parse(JSON.stringify((await exportOf(alice)).body))
  expect(devices.map(({ device }: { device: string }) => device)).toContain('Firefox · Linux')
  const body = { password: PASSWORD }
  expect((await call(parley, 'DELETE', '/api/auth/me', { token: alice.token, body })).status).toBe(204)
  expect(await sql`select 1 from known_devices where user_id = ${alice.id}`).toHaveLength(0)
  const remaining =
    await sql`select 1 from events where user_id = ${alice.id} and type = 'session.created' and body is not null`
  expect(remaining).toHaveLength(0)
})
