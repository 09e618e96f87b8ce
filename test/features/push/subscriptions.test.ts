import { afterAll, expect, test } from 'bun:test'
import { exportOf } from '../../support/factors.ts'
import { boot, type Person, stop, until } from '../../support/harness.ts'
import { befriend, deleteAccountOf, passersBy, peopleWithPassword, write } from '../../support/people.ts'
import { again, hurry, subscribe } from '../../support/push-devices.ts'
import { PushService } from '../../support/push-service.ts'

const parley = await boot({ PUSH_ALLOWED_ADDRESSES: '127.0.0.1' })
const { sql } = parley.parts
const service = new PushService()
afterAll(async () => {
  await stop(parley)
  service.close()
})

test('a subscription that is gone is removed, a busy service retried on time, and no redirect followed', async () => {
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  await befriend(alice, bob)
  const [goneDevice, busy, moved] = [
    await subscribe(service, bob),
    await subscribe(service, await again(bob)),
    await subscribe(service, await again(bob)),
  ]
  service.answers.set(goneDevice.path, () => new Response(null, { status: 410 }))
  service.answers.set(busy.path, () => new Response(null, { status: 429, headers: { 'retry-after': '120' } }))
  service.answers.set(moved.path, () =>
    Response.redirect(goneDevice.draft.endpoint.replace(goneDevice.path, '/elsewhere'), 307),
  )
  await write(alice, bob, 'Hello')
  const waits = () => sql<{ subscription_id: number; pause: number }[]>`
    select subscription_id, extract(epoch from due_at - now())::int as pause from push_outbox
    where subscription_id in (${goneDevice.id}, ${busy.id}, ${moved.id}) order by subscription_id`
  await until(async () => {
    await hurry(parley)
    const wasEachCalled = [goneDevice, busy, moved].every(({ path }) => service.requestCounts.get(path) === 1)
    const [first, second] = await waits()
    return wasEachCalled && first?.subscription_id === busy.id && first.pause > 100 && (second?.pause ?? 60) < 20
  })
  expect(
    (await sql`select id from push_subscriptions where user_id = ${bob.id} order by id`).map((row) => row.id),
  ).toEqual([busy.id, moved.id])
  expect(service.requestCounts.has('/elsewhere')).toBe(false)
  service.answers.delete(busy.path)
  await sql`update push_outbox set due_at = now() where subscription_id = ${busy.id}`
  await until(() => busy.taken.length === 1)
  // The result is stored after the device has the message.
  const failing = () => sql`select 1 from push_subscriptions where id = ${busy.id} and failing_since is not null`
  await until(async () => (await failing()).length === 0)
  await sql`update push_subscriptions set failing_since = now() - interval '4 days' where id = ${moved.id}`
  await sql`update push_outbox set due_at = now() where subscription_id = ${moved.id}`
  await until(async () => (await sql`select 1 from push_subscriptions where id = ${moved.id}`).length === 0)
})

test('a pause is as long as a push service asks, also until a date, and never shorter than the default', async () => {
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  await befriend(alice, bob)
  const delays = { '0': 15, '40': 40, 'no time': 15, '999999': 3_600 }
  const untilDate = new Date(Date.now() + 600_000).toUTCString()
  const cases = Object.entries({ ...delays, [untilDate]: 600, [new Date(0).toUTCString()]: 15 })
  const devices: { id: number; path: string; seconds: number }[] = []
  const askedAt = new Map<number, number>()
  for (const [retryAfter, seconds] of cases) {
    const device = await subscribe(service, await again(bob))
    service.answers.set(device.path, () => {
      askedAt.set(device.id, Date.now())
      return new Response(null, { status: 503, headers: { 'retry-after': retryAfter } })
    })
    devices.push({ ...device, seconds })
  }
  await write(alice, bob, 'Hello')
  await until(async () => {
    await hurry(parley)
    return devices.every(({ path }) => service.requestCounts.get(path) === 1)
  })
  const pauseOf = async (id: number) => {
    const [row] = await sql<{ due: number }[]>`
      select extract(epoch from due_at)::float8 as due from push_outbox where subscription_id = ${id}`
    return (row?.due ?? 0) - (askedAt.get(id) ?? 0) / 1000
  }
  for (const { id, seconds } of devices)
    // The attempt has a lease of a minute, until its result is stored.
    await until(async () => Math.abs((await pauseOf(id)) - seconds) < 12)
})

test('a subscription is its session’s, one a browser, and gone with the session and the account', async () => {
  const [[alice, bob], [mallory]] = [
    (await passersBy(parley, 'alice', 'bob')) as [Person, Person],
    (await peopleWithPassword(parley, 'mallory')) as [Person],
  ]
  const rows = () =>
    sql`select user_id from push_subscriptions where user_id in (${alice.id}, ${bob.id}, ${mallory.id})`
  const shared = service.subscription()
  expect((await alice.post('/api/push/subscriptions', shared.draft)).status).toBe(201)
  expect((await alice.post('/api/push/subscriptions', service.subscription().draft)).status).toBe(201)
  expect(await rows()).toHaveLength(1)
  // The next account of the same browser replaces the one before.
  await alice.post('/api/push/subscriptions', shared.draft)
  expect((await bob.post('/api/push/subscriptions', shared.draft)).status).toBe(201)
  expect((await rows()).map(({ user_id }) => user_id)).toEqual([bob.id])
  expect((await bob.delete('/api/push/subscriptions')).status).toBe(204)
  expect(await rows()).toHaveLength(0)
  await bob.post('/api/push/subscriptions', shared.draft)
  await bob.post('/api/auth/logout')
  expect(await rows()).toHaveLength(0)
  await mallory.post('/api/push/subscriptions', shared.draft)
  await mallory.put('/api/push/settings', { hide_content: true })
  const { body: exported } = await exportOf(mallory)
  expect(exported.push_subscriptions).toMatchObject([{ endpoint: shared.draft.endpoint }])
  expect(exported.account.push_settings).toEqual({ hide_content: true, quiet_hours: null })
  expect((await deleteAccountOf(mallory)).status).toBe(204)
  expect(await rows()).toHaveLength(0)
  expect(await sql`select 1 from push_settings where user_id = ${mallory.id}`).toHaveLength(0)
  for (let device = 0; device < 22; device++)
    await (await again(alice)).post('/api/push/subscriptions', service.subscription().draft)
  expect(await rows()).toHaveLength(20)
})

test('an invalid endpoint, key or setting is refused, and changes nothing', async () => {
  const [mallory] = (await passersBy(parley, 'mallory')) as [Person]
  const { draft } = service.subscription()
  const endpoints = [
    'http://push.example.org/send',
    'https://user:word@push.example.org/send',
    'https://push.example.org:8443/send',
    'https://10.0.0.1/send',
    'https://[::1]/send',
    'https://push.example.org/a b',
    'https://push.example.org/#a',
    'ftp://127.0.0.1/',
    `https://push.example.org/${'x'.repeat(1_024)}`,
    '',
  ]
  const keys = [
    { ...draft.keys, auth: 'short' },
    { ...draft.keys, p256dh: Buffer.alloc(65).toString('base64url') },
    { ...draft.keys, p256dh: 'x'.repeat(100_000) },
    { ...draft.keys, more: 'x' },
  ]
  for (const body of [
    ...endpoints.map((endpoint) => ({ ...draft, endpoint })),
    ...keys.map((one) => ({ ...draft, keys: one })),
    {},
  ])
    expect((await mallory.post('/api/push/subscriptions', body)).status).toBe(422)
  const hours = { from: '22:00', until: '07:00', time_zone: 'Europe/Berlin' }
  for (const quiet_hours of [
    { ...hours, from: '24:00' },
    { ...hours, time_zone: 'Nowhere/Else' },
    { ...hours, time_zone: '+02:00' },
    { ...hours, time_zone: 'x'.repeat(100_000) },
    { from: '22:00' },
  ])
    expect((await mallory.put('/api/push/settings', { quiet_hours })).status).toBe(422)
  expect((await mallory.put('/api/push/settings', {})).status).toBe(422)
  expect(await sql`select 1 from push_subscriptions where user_id = ${mallory.id}`).toHaveLength(0)
})

test('with WEB_PUSH=off there is no key, and no device can be subscribed', async () => {
  const off = await boot({ WEB_PUSH: 'off' })
  const [alice] = (await passersBy(off, 'alice')) as [Person]
  expect((await alice.get('/.well-known/parley')).body.push_key).toBeNull()
  expect((await alice.post('/api/push/subscriptions', service.subscription().draft)).status).toBe(404)
  await stop(off)
})
