import { expect } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { Person } from './harness.ts'
import { session } from './places.ts'
import type { PushService } from './push-service.ts'
import { until } from './until.ts'

/** Another session of an account. */
export const again = async (who: Person): Promise<Person> =>
  new Person(who.parley, who.id, who.username, who.email, who.display_name, await session(who.parley, who.id))

/** Subscribes the device of a session. */
export async function subscribe(service: PushService, who: Person) {
  const device = service.subscription()
  const answer = await who.post('/api/push/subscriptions', device.draft)
  expect(answer.status).toBe(201)
  // The server reads the log from here on.
  await until(async () => (await who.parley.parts.sql`select 1 from push_position`).length > 0)
  return { ...device, id: answer.body.id as number, texts: () => device.taken.map(({ message }) => message.text) }
}

/** Makes due what waits for the five seconds to pass. */
export const hurry = ({ parts: { sql } }: Parley) =>
  sql`update push_places set due_at = now() where due_at between now() and now() + interval '6 s'`

/** Waits until everything that has happened so far has been decided and sent. */
export const settled = (parley: Parley): Promise<void> =>
  until(async () => {
    await hurry(parley)
    await parley.sweep()
    const [row] = await parley.parts.sql<{ any: boolean }[]>`select
      exists (select from events e, push_position p where (e.xid, e.id) > (p.xid::xid8, p.id))
      or exists (select from push_places where due_at < now() + interval '6 s')
      or exists (select from push_outbox) as any`
    return row?.any === false
  })
