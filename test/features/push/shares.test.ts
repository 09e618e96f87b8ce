import { expect, test } from 'bun:test'
import { boot, type Person, newServer, say, stop, until } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { hurry, settled, subscribe } from '../../support/push-devices.ts'
import { PushService } from '../../support/push-service.ts'

test('an account has shares of the queue and of remembered places; others are notified meanwhile', async () => {
  const parley = await boot({ PUSH_ALLOWED_ADDRESSES: '127.0.0.1' })
  const service = new PushService()
  await using _ = { [Symbol.asyncDispose]: async () => (await stop(parley), service.close()) }
  const { sql } = parley.parts
  const [owner, bob, carol] = (await passersBy(parley, 'owner', 'bob', 'carol')) as [Person, Person, Person]
  const { channel_id } = await newServer(owner, bob, carol)
  const [phone, other] = [await subscribe(service, bob), await subscribe(service, carol)]
  const notify = async (content: string) => {
    const { id } = await say(owner, channel_id, `@everyone ${content}`)
    await until(async () => {
      await hurry(parley)
      return other.texts().at(-1) === `@everyone ${content}`
    })
    return id
  }
  const waiting = async () => (await sql`select 1 from push_outbox where subscription_id = ${phone.id}`).length
  const placesOfBob = () =>
    sql<
      { told_id: number; channel_id: number }[]
    >`select channel_id, told_id from push_places where user_id = ${bob.id}`

  await sql`insert into push_outbox (subscription_id, channel_id, kind, is_call, due_at, expires_at)
    select ${phone.id}, -place, 'over', false, now() + interval '1 hour', now() + interval '1 day'
    from generate_series(1, 25) place`
  const first = await notify('while 25 wait for bob')
  await until(async () => (await placesOfBob()).some(({ told_id }) => told_id === first))
  expect([await waiting(), phone.taken.length]).toEqual([25, 0])
  // A notice for a place with a waiting one replaces it.
  await sql`update push_outbox set channel_id = ${channel_id} where subscription_id = ${phone.id} and channel_id = -1`
  await notify('in place of another')
  await until(() => phone.texts().at(-1) === '@everyone in place of another')
  await sql`delete from push_outbox where subscription_id = ${phone.id}`

  await sql`delete from push_places where user_id = ${bob.id}`
  await sql`insert into push_places (user_id, channel_id, told_id)
    select ${bob.id}, -place, 1 from generate_series(1, 400) place`
  const before = phone.taken.length
  await notify('while bob has 400 places')
  expect([(await placesOfBob()).length, phone.taken.length]).toEqual([400, before])
  await settled(parley)
  expect((await placesOfBob()).length).toBe(200)
  await notify('again')
  await until(() => phone.texts().at(-1) === '@everyone again')
})
