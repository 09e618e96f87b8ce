import { expect } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { type Answer, call, cheap_hash, PASSWORD, type Person } from './harness.ts'
import { passerBy } from './places.ts'

/** Accounts with a session each, made by SQL. */
export const passersBy = <N extends string[]>(parley: Parley, ...names: N) =>
  Promise.all(names.map((name) => passerBy(parley, name))) as Promise<{ [K in keyof N]: Person }>

/** Makes friends of two people. */
export async function befriend(one: Person, other: Person): Promise<void> {
  expect((await one.post('/api/friends/request', { friend_id: other.id })).status).toBe(201)
  expect((await other.post(`/api/friends/${one.id}/accept`)).status).toBe(200)
}

/** Writes to somebody who takes it, and returns the message. */
export async function write(
  from: Person,
  to: Person,
  content: string,
  more: object = {},
): Promise<{ id: number } & Record<string, any>> {
  const sent = await from.post('/api/dm/messages', { recipient_id: to.id, content, ...more })
  expect(sent.status).toBe(201)
  return sent.body
}

/** Accounts with a session each and the usual password, made by SQL. */
export async function mortals<N extends string[]>(parley: Parley, ...names: N) {
  const people = await passersBy(parley, ...names)
  const ids = people.map((who) => who.id)
  await parley.parts.sql`update users set password_hash = ${await cheap_hash} where id = any(${ids})`
  return people
}

/** Deletes one's account. */
export const farewell = (who: Person, password = PASSWORD): Promise<Answer> =>
  call(who.parley, 'DELETE', '/api/auth/me', { token: who.token, body: { password } })
