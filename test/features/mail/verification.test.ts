import { afterAll, expect, test } from 'bun:test'
import { boot, call, PASSWORD, Person, registered, stop } from '../../support/harness.ts'
import { nodesOn } from '../../support/installation.ts'
import { prepareProof } from '../../support/factors.ts'
import { Mailbox, VERIFY } from '../../support/mailbox.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { connect, gatewayUrl } from '../../support/socket.ts'

const mailbox = await Mailbox.open()
// The account registers before the operator demands a confirmation.
const before = await boot(mailbox.variables())
const earlier = await registered(before, 'earlier')
const { DATABASE_URL = '' } = before.parts.environment
await stop(before)
const parley = await boot({ ...mailbox.variables(), DATABASE_URL, EMAIL_VERIFICATION: 'required' })
afterAll(async () => {
  await stop(parley)
  await mailbox.close()
})

const unverified = { status: 403, body: { code: 'email_unverified' } }
test('until its address is confirmed, an account reads nothing but itself', async () => {
  const alice = await registered(parley, 'alice')
  for (const path of ['/api/servers', '/api/friends', '/api/users/1', '/api/unread?channel_ids=1', '/api/search?q=a'])
    expect([path, await alice.get(path)]).toMatchObject([path, unverified])
  expect(await alice.post('/api/servers', { name: 'Owls' })).toMatchObject(unverified)
  expect(await alice.post('/api/auth/ws-ticket')).toMatchObject(unverified)
  const upgrade = await fetch(gatewayUrl(parley, `token=${alice.token}`).replace('ws', 'http'))
  expect([upgrade.status, await upgrade.json()]).toMatchObject([403, { code: 'email_unverified' }])
  await prepareProof(alice)
  for (const path of ['/api/auth/me', '/api/auth/sessions', '/api/auth/privacy', '/api/auth/export'])
    expect([path, (await alice.get(path)).status]).toEqual([path, 200])
  expect((await alice.post('/api/auth/email/resend')).status).toBe(202)
})

const tellsOthers = test.if(redisProgram !== undefined)

tellsOthers('a confirmed address opens everything at once, to the sessions of every process', async () => {
  const redis = await redisServer()
  const [one, two] = await nodesOn(redis, { ...mailbox.variables(), EMAIL_VERIFICATION: 'required' })
  const alice = await registered(one, 'alice')
  const { username } = alice
  const login = await call(two, 'POST', '/api/auth/login', { body: { username, password: PASSWORD } })
  const there = new Person(two, alice.id, username, alice.email, alice.display_name, login.body.token)
  for (const who of [alice, there]) expect(await who.get('/api/servers')).toMatchObject(unverified)
  const body = { token: await mailbox.token(alice.email, VERIFY) }
  expect((await call(one, 'POST', '/api/auth/email/verify', { body })).status).toBe(200)
  for (const who of [alice, there]) expect((await who.get('/api/servers')).status).toBe(200)
  const gateway = await connect(alice)
  gateway.close()
  await stop(two)
  await stop(one)
})

test('accounts from before the demand are not bound by it', async () => {
  const body = { username: earlier.username, password: PASSWORD }
  const { body: answer } = await call(parley, 'POST', '/api/auth/login', { body })
  expect(answer.user.email_verified_at).toBeNull()
  expect((await call(parley, 'GET', '/api/servers', { token: answer.token })).status).toBe(200)
})
