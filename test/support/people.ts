import { expect } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { type Answer, call, cheapHash, PASSWORD, type Person, person } from './harness.ts'
import { passerBy } from './places.ts'

/** Accounts of these names, each with a session. */
export const persons = <N extends string[]>(parley: Parley, ...names: N) =>
  Promise.all(names.map((name) => person(parley, name))) as Promise<{ [K in keyof N]: Person }>

/** Accounts with a session each, made by SQL. */
export const passersBy = <N extends string[]>(parley: Parley, ...names: N) =>
  Promise.all(names.map((name) => passerBy(parley, name))) as Promise<{ [K in keyof N]: Person }>

/** Makes friends of two people. */
export async function befriend(one: Person, other: Person): Promise<void> {
  expect((await one.post('/api/friends/request', { friend_id: other.id })).status).toBe(201)
  expect((await other.post(`/api/friends/${one.id}/accept`)).status).toBe(200)
}

/** Sends a direct message, which has to succeed, and returns it. */
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
export async function peopleWithPassword<N extends string[]>(parley: Parley, ...names: N) {
  const people = await passersBy(parley, ...names)
  const ids = people.map((who) => who.id)
  await parley.parts.sql`update users set password_hash = ${await cheapHash} where id = any(${ids})`
  return people
}

/** Deletes the account of the person. */
export const deleteAccountOf = (who: Person, password = PASSWORD): Promise<Answer> =>
  call(who.parley, 'DELETE', '/api/auth/me', { token: who.token, body: { password } })

/** A group of the first one's with the others, who are all friends of the first one's. */
export async function group(owner: Person, ...others: Person[]): Promise<number> {
  for (const other of others) await befriend(owner, other)
  const response = await owner.post('/api/channels/direct', { recipient_ids: others.map(({ id }) => id) })
  expect(response.status).toBe(201)
  return response.body.id
}
