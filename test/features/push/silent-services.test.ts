import { afterAll, expect, test } from 'bun:test'
import { boot, type Person, stop, until } from '../../support/harness.ts'
import { befriend, passersBy, write } from '../../support/people.ts'
import { again, hurry, subscribe } from '../../support/push-devices.ts'
import { PushService } from '../../support/push-service.ts'

const parley = await boot({ PUSH_ALLOWED_ADDRESSES: '127.0.0.1' })
const { sql } = parley.parts
const service = new PushService()
const silent = Array.from({ length: 12 }, () => new PushService())
afterAll(async () => {
  await stop(parley)
  for (const one of [service, ...silent]) one.close()
})

test('push services that never answer delay no other one', async () => {
  const [alice, bob, ...mallory] = (await passersBy(
    parley,
    'alice',
    'bob',
    ...silent.map((_, at) => `mallory${at}`),
  )) as [Person, Person, ...Person[]]
  await befriend(alice, bob)
  const underway = { now: 0, most: 0 }
  // Each account has three devices, all at separate services.
  for (const [at, own] of silent.entries())
    for (let device = 0; device < 3; device++) {
      const { path } = await subscribe(own, await again(mallory[at] as Person))
      own.answers.set(path, ({ signal }) => {
        underway.most = Math.max(underway.most, ++underway.now)
        signal.addEventListener('abort', () => underway.now--)
        return new Promise(() => {})
      })
    }
  const phone = await subscribe(service, bob)
  await sql`insert into push_outbox (subscription_id, channel_id, kind, is_call, expires_at)
    select s.id, place, 'over', false, now() + interval '1 day' from push_subscriptions s, generate_series(1, 3) place
    where s.user_id = any(${mallory.map(({ id }) => id)})`
  await write(alice, bob, 'Kingfishers')
  await until(async () => {
    await hurry(parley)
    return phone.taken.length === 1
  })
  expect(underway.most).toBeGreaterThan(0)
  // Eight; the service may notice the end of one after the next request.
  expect(underway.most).toBeLessThan(16)
})

test('a subscription whose key is no point of the curve is removed with the first notice', async () => {
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  await befriend(alice, bob)
  const { draft } = service.subscription()
  const keys = { ...draft.keys, p256dh: `B${'A'.repeat(86)}` }
  expect((await bob.post('/api/push/subscriptions', { ...draft, keys })).status).toBe(201)
  const other = await subscribe(service, await again(bob))
  await write(alice, bob, 'Hello')
  await until(async () => {
    await hurry(parley)
    const remaining = await sql<{ id: number }[]>`select id from push_subscriptions where user_id = ${bob.id}`
    return remaining.length === 1 && remaining[0]?.id === other.id
  })
})

test('an endpoint is kept in one form, so that a host has one share', async () => {
  const [bob] = (await passersBy(parley, 'bob')) as [Person]
  const { draft } = service.subscription()
  for (const endpoint of [
    'https:PUSH.example.org/a',
    'HTTPS://Push.Example.Org:443/a',
    'https:\\\\push.example.org\\a',
  ]) {
    expect((await bob.post('/api/push/subscriptions', { ...draft, endpoint })).status).toBe(201)
    const [row] = await sql<{ endpoint: string }[]>`
      select endpoint from push_subscriptions where user_id = ${bob.id}`
    expect(row?.endpoint).toBe('https://push.example.org/a')
  }
})
