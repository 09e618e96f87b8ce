import { type Answer, call, type Person } from './harness.ts'

/** Makes the account an operator whose session has proved itself, by SQL. */
export async function promote({ parley, id }: Person): Promise<void> {
  await parley.parts.sql`update users set operator_since = now() where id = ${id}`
  await prove(id, parley)
}

/** Lets every session of the account have proved itself this many minutes ago. */
export async function prove(id: number, { parts }: Person['parley'], minutes = 0): Promise<void> {
  await parts.sql`update sessions set proven_at = now() - ${minutes} * interval '1 minute' where user_id = ${id}`
}

/** Sends a request as a browser would: with only the cookie, from a page of this origin. */
export const fromPage = (who: Person, origin: string, method: string, path: string, body: unknown): Promise<Answer> =>
  call(who.parley, method, path, { headers: { cookie: `session=${who.token}`, origin }, body })
