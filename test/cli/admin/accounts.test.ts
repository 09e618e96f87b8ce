import { expect, test } from 'bun:test'
import {
  boot,
  call,
  PASSWORD,
  Person,
  person,
  registered,
  newServer,
  say,
  standard,
  stop,
} from '../../support/harness.ts'
import { admin, databaseOf, done, refused } from '../../support/operator.ts'
import { connect, Gateway, gatewayUrl } from '../../support/socket.ts'
import { SPAWN_MS } from '../../support/spawned.ts'

const parley = await standard()
const { sql } = parley.parts
const here = databaseOf(parley)

const login = (who: Person, password = PASSWORD) =>
  call(parley, 'POST', '/api/auth/login', { body: { username: who.username, password } })
const suspend = (who: Person) => done(here, 'suspend', String(who.id), '--reason', 'spam', '--yes')

test(
  "when suspend returns, the account's sockets are closed with 4003 and its tokens are dead, everywhere",
  async () => {
    const [alice, mallory] = [await person(parley, 'alice'), await person(parley, 'mallory')]
    const { channel_id } = await newServer(alice, mallory)
    const message = await say(mallory, channel_id, 'still here')
    const lives = [await connect(mallory), await connect(mallory)]
    const bystander = await connect(alice)
    const { ticket } = (await mallory.post('/api/auth/ws-ticket')).body
    expect((await mallory.get('/api/auth/me')).status).toBe(200)

    const answer = await suspend(mallory)
    expect(answer).toMatchObject({ id: mallory.id, suspended_reason: 'spam', sessions_ended: 1 })
    const revoked = { status: 401, body: { code: 'token_revoked' } }
    expect(await mallory.get('/api/auth/me')).toMatchObject(revoked)
    for (const live of lives) expect(await live.closed).toMatchObject({ code: 4003 })
    expect(await mallory.post('/api/auth/refresh')).toMatchObject(revoked)
    expect(await mallory.post(`/api/channels/${channel_id}/messages`, { content: 'and on' })).toMatchObject(revoked)
    const change = { current_password: PASSWORD, new_password: 'Other-Horse-77-Battery!' }
    expect(await mallory.put('/api/auth/password', change)).toMatchObject(revoked)
    for (const query of [`ticket=${ticket}`, `token=${mallory.token}`]) {
      const refusedSocket = await fetch(gatewayUrl(parley, query).replace('ws', 'http'))
      expect([query.slice(0, 6), refusedSocket.status]).toEqual([query.slice(0, 6), 401])
      expect(await new Gateway(gatewayUrl(parley, query)).closed).not.toMatchObject({ code: 1000 })
    }
    expect((await alice.get(`/api/messages/${message.id}`)).body).toMatchObject({ content: 'still here' })
    await bystander.settled()
    bystander.close()
  },
  SPAWN_MS,
)

test(
  'only its own password reveals that an account is suspended; its name and address stay taken',
  async () => {
    const [alice, mallory] = [await registered(parley, 'alice'), await registered(parley, 'mallory')]
    await suspend(mallory)
    expect(await login(mallory)).toMatchObject({ status: 403, body: { code: 'account_suspended' } })
    expect((await login(mallory)).headers.get('set-cookie')).toBeNull()
    const timeToNotice = async (who: Person) => {
      const started = performance.now()
      const { status, body } = await login(who, 'Wrong-Horse-77!')
      const { request_id: _, ...problem } = body
      return { ms: performance.now() - started, said: { status, problem } }
    }
    const [suspended, others]: number[][] = [[], []]
    for (let round = 0; round < 7; round++) {
      const [a, b] = [await timeToNotice(mallory), await timeToNotice(alice)]
      expect(a.said).toEqual(b.said)
      expect(a.said).toMatchObject({ status: 401, problem: { code: 'invalid_credentials' } })
      suspended?.push(a.ms)
      others?.push(b.ms)
    }
    const median = (times: number[] = []) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
    expect(median(suspended)).toBeGreaterThan(median(others) / 3)
    expect(median(others)).toBeGreaterThan(median(suspended) / 3)
    const register = (username: string, email: string) =>
      call(parley, 'POST', '/api/auth/register', { body: { username, email, password: PASSWORD } })
    expect((await register(mallory.username, 'new.mallory@example.org')).body.code).toBe('username_taken')
    expect((await register('mallory.anew', mallory.email.toUpperCase())).body.code).toBe('email_taken')
  },
  SPAWN_MS,
)

test(
  'logins that race a suspension leave no session behind',
  async () => {
    const mallory = await person(parley, 'mallory')
    const racing = Array.from({ length: 12 }, async (_, at) => {
      await Bun.sleep(at * 40)
      return login(mallory)
    })
    await suspend(mallory)
    const answers = await Promise.all(racing)
    expect(answers.at(-1)?.status).toBeOneOf([200, 403])
    expect((await login(mallory)).status).toBe(403)
    expect(await sql`select 1 from sessions where user_id = ${mallory.id}`).toHaveLength(0)
    for (const { status, body } of answers)
      if (status === 200) expect((await call(parley, 'GET', '/api/auth/me', { token: body.token })).status).toBe(401)
  },
  SPAWN_MS,
)

test(
  'a restored account logs in again, and its earlier sessions stay dead',
  async () => {
    const alice = await person(parley, 'alice')
    expect(await refused(here, 'restore', `@${alice.username}`)).toBe('This account is not suspended.')
    await suspend(alice)
    const again = await done(here, 'suspend', alice.email, '--reason', 'spam and worse', '--yes')
    expect(again.suspended_reason).toBe('spam and worse')
    await done(here, 'restore', alice.username)
    expect((await login(alice)).status).toBe(200)
    expect((await alice.get('/api/auth/me')).body.code).toBe('token_revoked')
  },
  SPAWN_MS,
)

test(
  'a deleted account is shown, and refuses every further action',
  async () => {
    const alice = await person(parley, 'alice')
    const deleted = await call(parley, 'DELETE', '/api/auth/me', { token: alice.token, body: { password: PASSWORD } })
    expect(deleted.status).toBe(204)
    const id = String(alice.id)
    expect((await done(here, 'show', id)).account.deleted_at).toBeString()
    for (const typed of [
      ['suspend', id, '--reason', 'x', '--yes'],
      ['restore', id],
      ['reset-password', id, '--yes'],
    ])
      expect(await refused(here, ...typed)).toBe('This account has been deleted.')
  },
  SPAWN_MS,
)

test('nobody registers by an invite of a suspended account', async () => {
  const invited = await boot({ REGISTRATION: 'invite' })
  const open = invited.parts.sql
  await open`insert into users (username, email, password_hash, display_name)
    values ('mallory', 'm@example.org', '', 'Mallory')`
  await open`insert into servers (name, owner_id) values ('Spam', 1)`
  await open`insert into invites (code, server_id, creator_id) values ('live', 1, 1)`
  const status = async (username: string) => {
    const body = { username, email: `${username}@example.org`, password: PASSWORD, invite_code: 'live' }
    return (await call(invited, 'POST', '/api/auth/register', { body })).status
  }
  expect(await status('alice')).toBe(201)
  await done(databaseOf(invited), 'suspend', 'mallory', '--reason', 'spam', '--yes')
  expect(await status('mallory.anew')).toBe(403)
  await done(databaseOf(invited), 'restore', 'mallory')
  expect(await status('bob')).toBe(201)
  await stop(invited)
})

test(
  'a reset password is a strong one, ends every session, and is the only one that works',
  async () => {
    const alice = await person(parley, 'alice')
    const live = await connect(alice)
    const first = await admin(here, 'reset-password', alice.username, '--yes')
    expect([first.code, first.error]).toEqual([0, ''])
    const [, password = ''] = first.out.trimEnd().split('\n')
    expect(password).toMatch(/^\S{20}$/)
    expect(await live.closed).toMatchObject({ code: 4003 })
    expect((await alice.get('/api/auth/me')).body.code).toBe('token_revoked')
    expect((await login(alice)).body.code).toBe('invalid_credentials')
    const { status, body } = await login(alice, password)
    expect(status).toBe(200)
    const again = new Person(parley, alice.id, alice.username, alice.email, '', body.token)
    // The new password passes the rules, and can be changed.
    const change = (current_password: string, new_password: string) =>
      again.put('/api/auth/password', { current_password, new_password })
    expect((await change(password, password)).status).toBe(200)
    expect((await change(password, 'My-own-Horse-77!')).status).toBe(200)
    const second = await done(here, 'reset-password', String(alice.id), '--yes')
    expect(second.password).not.toBe(password)
    const [row] = await sql<{ log: string }[]>`select json_agg(l)::text as log from admin_log l
      where target_type = 'account' and target_id = ${alice.id}`
    for (const secret of [password, second.password]) expect(row?.log).not.toInclude(secret)
  },
  SPAWN_MS,
)

test(
  'a password change that was under way when the password was reset does not undo the reset',
  async () => {
    const alice = await person(parley, 'alice')
    const changes = Array.from({ length: 8 }, async (_, at) => {
      await Bun.sleep(at * 60)
      return alice.put('/api/auth/password', { current_password: PASSWORD, new_password: PASSWORD })
    })
    const { password } = await done(here, 'reset-password', alice.username, '--yes')
    await Promise.all(changes)
    expect((await login(alice, password)).status).toBe(200)
    expect((await login(alice)).status).toBe(401)
  },
  SPAWN_MS,
)

test(
  'end-sessions logs one account out everywhere, and no other',
  async () => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const [ending, stays] = [await connect(alice), await connect(bob)]
    expect((await login(alice)).status).toBe(200)
    expect(await done(here, 'end-sessions', alice.email, '--yes')).toMatchObject({ sessions_ended: 2 })
    expect(await ending.closed).toMatchObject({ code: 4003 })
    expect((await login(alice)).status).toBe(200)
    expect((await bob.get('/api/auth/me')).status).toBe(200)
    await stays.settled()
    stays.close()
  },
  SPAWN_MS,
)
