import { expect, test } from 'bun:test'
import { EVERYONE_PERMISSIONS, permissions, without } from '../../src/core/permissions.ts'
import type { Person } from '../support/harness.ts'
import { standard } from '../support/harness.ts'
import { passerBy, place, rank } from '../support/places.ts'
import { connect } from '../support/socket.ts'
import { upload } from '../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts
const names = ['alice', 'owner', 'member', 'moderator', 'silent', 'timed_out', 'blind', 'stranger'] as const
const people = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await passerBy(parley, name)] as const)),
) as Record<(typeof names)[number], Person>
const { alice, owner, member, moderator, silent, timed_out, blind, stranger } = people

/**
 * Who calls, in a thread of `owner`'s: a member; one who manages threads and messages; one who holds none of the bits;
 * one who is timed out; one who does not see the channel; and one who is no member.
 */
const callers = { owner, member, moderator, silent, timed_out, blind, stranger }
type Caller = keyof typeof callers

const { server_id, channel_id, everyone } = await place(alice, owner, member, moderator, silent, timed_out, blind)
const MINE = permissions('send_messages', 'send_in_threads', 'create_threads', 'attach_files')
await sql`update roles set permissions = ${without(EVERYONE_PERMISSIONS, MINE)} where id = ${everyone}`
await rank(parley, server_id, MINE, owner, member, timed_out)
await rank(parley, server_id, permissions('manage_threads', 'manage_messages') + MINE, moderator)
const unseeing = await rank(parley, server_id, 0, blind)
await sql`insert into overwrites (channel_id, role_id, deny)
  values (${channel_id}, ${unseeing}, ${permissions('view_channel')})`
await sql`select refresh_restricted(${server_id})`
await sql`insert into timeouts values (${server_id}, ${timed_out.id}, now() + interval '1 day')`

interface Scene {
  /** The thread. */
  id: number
  /** Of alice's in the thread, with a file. */
  message_id: number
  file_id: number
}

async function scene(): Promise<Scene> {
  const { body } = await owner.post(`/api/channels/${channel_id}/threads`, { name: 'Kingfishers' })
  const { id: file_id } = await upload(alice, 'owl.txt', 'text/plain', new TextEncoder().encode('Owl'))
  const draft = { content: 'Hello', file_ids: [file_id] }
  const sent = await alice.post(`/api/channels/${body.id}/messages`, draft)
  expect(sent.status).toBe(201)
  return { id: body.id, message_id: sent.body.id, file_id }
}

const HIDDEN = { blind: 404, stranger: 404 }
const who = (row: Omit<Record<Caller, number>, 'blind' | 'stranger'>): Record<Caller, number> => ({ ...row, ...HIDDEN })
/** What everyone who sees the thread gets. */
const seen = (status: number) =>
  who({ owner: status, member: status, moderator: status, silent: status, timed_out: status })
const writers = (status: number) =>
  who({ owner: status, member: status, moderator: status, silent: 403, timed_out: 403 })
const moderators = (status: number) => who({ owner: 403, member: 403, moderator: status, silent: 403, timed_out: 403 })

type Call = (scene: Scene, caller: Person) => Promise<{ status: number }>
const at = ({ id }: Scene) => `/api/channels/${id}`
const ROUTES: Record<string, [Call, Record<Caller, number>]> = {
  'GET channel': [(scene, who) => who.get(at(scene)), seen(200)],
  'PUT name': [
    (scene, who) => who.put(at(scene), { name: 'Owls' }),
    who({ owner: 200, member: 403, moderator: 200, silent: 403, timed_out: 403 }),
  ],
  'PUT archived': [
    (scene, who) => who.put(at(scene), { archived: true }),
    who({ owner: 200, member: 403, moderator: 200, silent: 403, timed_out: 403 }),
  ],
  'PUT locked': [(scene, who) => who.put(at(scene), { locked: true }), moderators(200)],
  'DELETE channel': [(scene, who) => who.delete(at(scene)), moderators(204)],
  'POST threads in a thread': [(scene, who) => who.post(`${at(scene)}/threads`, { name: 'x' }), writers(403)],
  'GET threads': [(scene, who) => who.get(`${at(scene)}/threads`), seen(200)],
  'PUT followers': [(scene, who) => who.put(`${at(scene)}/followers/@me`), seen(204)],
  'DELETE followers': [(scene, who) => who.delete(`${at(scene)}/followers/@me`), seen(204)],
  'GET messages': [(scene, who) => who.get(`${at(scene)}/messages`), seen(200)],
  'POST messages': [(scene, who) => who.post(`${at(scene)}/messages`, { content: 'Hi' }), writers(201)],
  'GET message': [(scene, who) => who.get(`/api/messages/${scene.message_id}`), seen(200)],
  'PUT message': [(scene, who) => who.put(`/api/messages/${scene.message_id}`, { content: 'Mine' }), seen(403)],
  'DELETE message': [(scene, who) => who.delete(`/api/messages/${scene.message_id}`), moderators(204)],
  'GET files': [(scene, who) => who.get(`/api/messages/${scene.message_id}/files`), seen(200)],
  'GET file': [(scene, who) => who.get(`/api/files/${scene.file_id}`), seen(200)],
  'GET download': [(scene, who) => who.get(`/api/files/${scene.file_id}/download-url`), seen(200)],
  'GET permissions': [(scene, who) => who.get(`${at(scene)}/permissions`), seen(200)],
  'PUT overwrite': [(scene, who) => who.put(`${at(scene)}/permissions/${everyone}`, { deny: 0 }), seen(403)],
  'DELETE overwrite': [(scene, who) => who.delete(`${at(scene)}/permissions/${everyone}`), seen(403)],
  'GET explain': [(scene, who) => who.get(`${at(scene)}/permissions/explain`), seen(200)],
  'GET voice states': [(scene, who) => who.get(`${at(scene)}/voice-states`), seen(200)],
}

for (const [route, [call, expected]] of Object.entries(ROUTES))
  test(`${route}: in a thread, each caller gets what the table says`, async () => {
    const statuses: Partial<Record<Caller, number>> = {}
    for (const caller of Object.keys(callers) as Caller[])
      statuses[caller] = (await call(await scene(), callers[caller])).status
    expect(statuses).toEqual(expected)
  })

test('commands in a thread: who sees it gets what the permissions say, others find nothing', async () => {
  const { id, message_id } = await scene()
  for (const caller of ['member', 'silent', 'timed_out', 'blind', 'stranger'] as const) {
    const live = await connect(callers[caller])
    const codes = []
    for (const [op, d] of [
      ['typing.start', { channel_id: id }],
      ['channel.ack', { channel_id: id, message_id }],
      ['voice.join', { channel_id: id, self_mute: false, self_deaf: false }],
    ] as const)
      codes.push((await live.command(op, d)).error?.code ?? 'ok')
    const sees = caller !== 'blind' && caller !== 'stranger'
    expect([caller, ...codes]).toEqual([
      caller,
      ...(sees
        ? [caller === 'member' ? 'ok' : 'missing_permission', 'ok', 'validation_failed']
        : ['not_found', 'not_found', 'not_found']),
    ])
    live.close()
  }
})

test('the next typing of a member reaches whoever sees the channel', async () => {
  const { id } = await scene()
  const [live, hidden] = [await connect(silent), await connect(blind)]
  await (await connect(member)).command('typing.start', { channel_id: id })
  expect((await live.next('typing.started')).d).toMatchObject({ channel_id: id, user: { id: member.id } })
  await hidden.settled()
  expect(hidden.of('typing.started')).toEqual([])
  live.close()
  hidden.close()
})
