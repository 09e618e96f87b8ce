import { expect } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { type Answer, call, Person } from './harness.ts'

let names = 0

/** A name that no member has. */
export const guestName = (): string => `Visitor ${++names}`

/** The code of an invite of the owner's server that lets guests in. */
export async function guestInvite(owner: Person, server_id: number, draft: object = {}): Promise<string> {
  const { status, body } = await owner.post('/api/invites', { server_id, guest: true, ...draft })
  expect([status, body.code]).toEqual([201, expect.any(String)])
  return body.code
}

/** Asks to join by the invite as a guest. */
export const enter = (
  parley: Parley,
  invite: string,
  display_name: unknown = guestName(),
  headers: Record<string, string> = {},
): Promise<Answer> => call(parley, 'POST', '/api/auth/register/guest', { body: { invite, display_name }, headers })

/** A guest that has joined by the invite. */
export async function guest(parley: Parley, invite: string, name?: string): Promise<Person> {
  const { status, body } = await enter(parley, invite, name)
  expect([status, body.code]).toEqual([201, undefined])
  const { id, username, email, display_name } = body.user
  return new Person(parley, id, username, email, display_name, body.token)
}

/** Lets a guest's day end, and runs the jobs. */
export async function endDay({ parley, id }: Person): Promise<void> {
  await parley.parts.sql`update users set guest_until = now() where id = ${id}`
  await parley.sweep()
}
