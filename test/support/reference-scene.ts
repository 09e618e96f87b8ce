import { expect } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import type { Parley } from '../../src/parley.ts'
import { addBot, botOf } from './bots.ts'
import { say } from './harness.ts'
import { passersBy } from './people.ts'
import { place } from './places.ts'
import { png, upload } from './uploads.ts'

const LIKE = '👍'
/** The body of an answer that is no refusal. */
export const ok = async <T extends { status: number; body: any }>(answer: Promise<T>): Promise<any> => {
  const { status, body } = await answer
  expect([status < 300, body?.code, body?.errors]).toEqual([true, undefined, undefined])
  return body
}

/** A channel `nest` in a category, which readers see by a role or as everyone does, with all that leads to it. */
export async function scene(parley: Parley, isByRole: boolean) {
  const [alice, eve] = await passersBy(parley, 'alice', 'eve')
  const { server_id, everyone, channel_id: lounge } = await place(alice, eve)
  const robin = await botOf(alice, 'Robin')
  await addBot(alice, server_id, robin)
  const make = async (name: string, type: string, parent_id: number | null = null): Promise<number> =>
    (await ok(alice.post(`/api/servers/${server_id}/channels`, { name, type, parent_id }))).id
  const wood = await make('wood', 'category')
  const nest = await make('nest', 'text', wood)
  const guests = (await ok(alice.post(`/api/servers/${server_id}/roles`, { name: 'Guests' }))).id
  for (const { id } of [eve, robin]) await ok(alice.post(`/api/servers/${server_id}/members/${id}/roles/${guests}`))
  const view = permissions('view_channel')
  if (isByRole) {
    await ok(alice.put(`/api/channels/${nest}/permissions/${everyone}`, { deny: view }))
    await ok(alice.put(`/api/channels/${nest}/permissions/${guests}`, { allow: view }))
  }
  const file = await upload(alice, 'kittiwake.png', 'image/png', await png(20, 20))
  const content = `A kittiwake <@${eve.id}> <@${robin.id}>`
  const target = await ok(alice.post(`/api/channels/${nest}/messages`, { content, file_ids: [file.id] }))
  const own = await ok(
    eve.post(`/api/channels/${nest}/messages`, { content: 'Mine', reply_to_id: target.id, nonce: 'mine' }),
  )
  await ok(alice.put(`/api/channels/${nest}/pins/${target.id}`))
  await ok(alice.put(`/api/messages/${target.id}/reactions/${LIKE}/@me`))
  const thread = (await ok(alice.post(`/api/channels/${nest}/threads`, { name: 'Puffins', message_id: target.id }))).id
  const inThread = await say(alice, thread, `A puffin <@${eve.id}>`)
  const other = await say(alice, nest, 'A guillemot')
  const copy = await ok(alice.post(`/api/channels/${lounge}/messages`, { forward_message_id: other.id }))
  return {
    alice,
    eve,
    robin,
    server_id,
    everyone,
    lounge,
    wood,
    nest,
    guests,
    thread,
    make,
    view,
    file_id: file.id as number,
    target: target.id as number,
    own: own.id,
    other: other.id,
    copy: copy.id as number,
    inThread: inThread.id,
  }
}
export type Scene = Awaited<ReturnType<typeof scene>>

/** Every reading that leads to the messages, with what it shows to who may read them. */
export const readings = (at: Scene): [method: 'get' | 'post', path: string, shows: RegExp | null, body?: object][] => [
  ['get', `messages/${at.target}`, /kittiwake/],
  ['get', `messages/${at.target}/files`, /kittiwake/],
  ['get', `messages/${at.target}/reactions/${LIKE}`, /alice/],
  ['get', `messages/${at.inThread}`, /puffin/],
  ['get', `messages/${at.own}`, /Mine/],
  ['get', `channels/${at.nest}`, /nest/],
  ['get', `channels/${at.nest}/messages`, /kittiwake/],
  ['get', `channels/${at.nest}/messages?after=${at.target - 1}`, /kittiwake/],
  ['get', `channels/${at.nest}/pins`, /kittiwake/],
  ['get', `channels/${at.nest}/threads`, /Puffins/],
  ['get', `channels/${at.nest}/first-message?since=2020-01-01T00:00:00Z`, /message_id/],
  ['get', `channels/${at.nest}/permissions`, null],
  ['get', `channels/${at.nest}/commands`, null],
  ['get', `channels/${at.nest}/webhooks`, null],
  ['get', `channels/${at.thread}`, /Puffins/],
  ['get', `channels/${at.thread}/messages`, /puffin/],
  ['get', `servers/${at.server_id}/channels`, /nest/],
  ['get', `servers/${at.server_id}/audit-log`, null],
  ['get', `files/${at.file_id}`, /kittiwake/],
  ['get', `files/${at.file_id}/download-url`, /download_url/],
  ['get', `files/${at.file_id}/download-url?variant=thumbnail`, /download_url/],
  ['post', 'files/download-urls', /download_url/, { ids: [at.file_id] }],
  ['get', 'search?q=kittiwake', /kittiwake/],
  ['get', 'search?q=mine&context=true', /kittiwake/],
  ['get', 'search?has=image', /kittiwake/],
  ['get', `search?q=puffin&server_id=${at.server_id}`, /puffin/],
  ['get', 'mentions', /kittiwake/],
  ['get', `unread?channel_ids=${at.nest},${at.thread}`, /newest_id/],
]
/** Only for people; a bot has none of these. */
export const ofPeople = /^(search|mentions|unread)/

/** Every act that leads to the messages; each is refused to who may not read them. */
export const acts = (at: Scene): [method: 'put' | 'post' | 'delete', path: string, body?: object][] => [
  ['post', `channels/${at.lounge}/messages`, { content: 'x', reply_to_id: at.target }],
  ['post', `channels/${at.lounge}/messages`, { forward_message_id: at.target }],
  ['post', `channels/${at.nest}/messages`, { content: 'x', reply_to_id: at.target }],
  ['post', `channels/${at.nest}/messages`, { content: 'Mine', reply_to_id: at.target, nonce: 'mine' }],
  ['put', `messages/${at.own}`, { content: 'Changed' }],
  ['delete', `messages/${at.own}`],
  ['put', `messages/${at.target}/reactions/${LIKE}/@me`],
  ['post', `channels/${at.nest}/unread`, { message_id: at.target }],
  ['post', `channels/${at.nest}/threads`, { name: 'x', message_id: at.target }],
  ['put', `channels/${at.thread}/followers/@me`],
  ['put', `notifications/channels/${at.nest}`, { level: 'all' }],
]
