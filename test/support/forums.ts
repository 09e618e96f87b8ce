import { expect } from 'bun:test'
import type { Person } from './harness.ts'
import { place } from './places.ts'

/** A server with these members and a forum. @param fields of the forum, besides its name */
export async function forumOf(owner: Person, others: Person[], fields: object = {}) {
  const home = await place(owner, ...others)
  const { status, body } = await owner.post(`/api/servers/${home.server_id}/channels`, {
    name: 'help',
    type: 'forum',
    ...fields,
  })
  expect(status).toBe(201)
  return { ...home, forum: body }
}

/** Begins a post. */
export const post = (who: Person, forumId: number, name: string, content = name, more: object = {}) =>
  who.post(`/api/channels/${forumId}/threads`, { name, message: { content }, ...more })

/** The same, which succeeds: the post. */
export async function begun(who: Person, forumId: number, name: string, content = name, more: object = {}) {
  const { status, body } = await post(who, forumId, name, content, more)
  expect([status, body.code]).toEqual([201, undefined])
  return body
}

/** Names of the posts of a page. @param query such as `sort=votes` */
export async function listed(who: Person, forumId: number, query = ''): Promise<string[]> {
  const { status, body } = await who.get(`/api/channels/${forumId}/threads?${query}`)
  expect([status, body.code]).toEqual([200, undefined])
  return body.map(({ name }: { name: string }) => name)
}
