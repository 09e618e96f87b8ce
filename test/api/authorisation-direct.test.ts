import { expect, test } from 'bun:test'
import { PARTICIPANT_PERMISSIONS } from '../../src/core/permissions.ts'
import { type Person, standard } from '../support/harness.ts'
import { befriend, deleteAccountOf, peopleWithPassword } from '../support/people.ts'
import { connect } from '../support/socket.ts'
import { upload } from '../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, former, friend, stranger, blocked, deleted] = (await peopleWithPassword(
  parley,
  'alice',
  'bob',
  'former',
  'friend',
  'stranger',
  'blocked',
  'deleted',
)) as [Person, Person, Person, Person, Person, Person, Person]
for (const other of [bob, former, friend, blocked, deleted]) await befriend(alice, other)
await befriend(bob, stranger)

/**
 * Who calls. The participant is `bob` in a dm of alice's, and in a group with her; the blocked one is in a dm or group
 * with alice, who blocks it. The former participant has left the group, and has no part in the dm.
 */
const callers = { participant: bob, former, friend, stranger, blocked, deleted }
type Caller = keyof typeof callers
type Expected = Record<Caller, number>

interface Scene {
  type: 'dm' | 'group'
  id: number
  /** Of alice's, with a file. */
  message_id: number
  file_id: number
}

const OUTSIDE = { former: 404, friend: 404, stranger: 404, deleted: 401 }
/** What participants get, and those whom alice blocks; everyone else is told that there is nothing. */
const expected = (participant: number, theirs = participant): Expected => ({
  participant,
  blocked: theirs,
  ...OUTSIDE,
})

interface Route {
  call: (scene: Scene, who: Person) => Promise<{ status: number }>
  dm: Expected
  group: Expected
}
const same = (call: Route['call'], of: Expected): Route => ({ call, dm: of, group: of })
const at = ({ id }: Scene) => `/api/channels/${id}`

const ROUTES: Record<string, Route> = {
  'GET channel': same((scene, who) => who.get(at(scene)), expected(200)),
  'PUT channel': {
    call: (scene, who) => who.put(at(scene), { name: 'Owls' }),
    dm: expected(403),
    group: expected(200),
  },
  'DELETE channel': same((scene, who) => who.delete(at(scene)), expected(403)),
  'GET messages': same((scene, who) => who.get(`${at(scene)}/messages`), expected(200)),
  'POST messages': {
    call: (scene, who) => who.post(`${at(scene)}/messages`, { content: 'Hello' }),
    dm: expected(201, 403),
    group: expected(201),
  },
  'GET message': same((scene, who) => who.get(`/api/messages/${scene.message_id}`), expected(200)),
  'PUT message': same((scene, who) => who.put(`/api/messages/${scene.message_id}`, { content: 'Mine' }), expected(403)),
  'DELETE message': same((scene, who) => who.delete(`/api/messages/${scene.message_id}`), expected(403)),
  'PUT reaction': {
    call: (scene, who) => who.put(`/api/messages/${scene.message_id}/reactions/👍/@me`),
    dm: expected(204, 403),
    group: expected(204),
  },
  'DELETE reaction': same(
    (scene, who) => who.delete(`/api/messages/${scene.message_id}/reactions/👍/@me`),
    expected(204),
  ),
  'GET reactors': same((scene, who) => who.get(`/api/messages/${scene.message_id}/reactions/👍`), expected(200)),
  'DELETE reactions': same((scene, who) => who.delete(`/api/messages/${scene.message_id}/reactions`), expected(403)),
  'PUT pin': {
    call: (scene, who) => who.put(`${at(scene)}/pins/${scene.message_id}`),
    dm: expected(204, 403),
    group: expected(204),
  },
  'DELETE pin': {
    call: (scene, who) => who.delete(`${at(scene)}/pins/${scene.message_id}`),
    dm: expected(204, 403),
    group: expected(204),
  },
  'GET pins': same((scene, who) => who.get(`${at(scene)}/pins`), expected(200)),
  'GET files': same((scene, who) => who.get(`/api/messages/${scene.message_id}/files`), expected(200)),
  'GET file': same((scene, who) => who.get(`/api/files/${scene.file_id}`), expected(200)),
  'GET download': same((scene, who) => who.get(`/api/files/${scene.file_id}/download-url`), expected(200)),
  'DELETE file': same((scene, who) => who.delete(`/api/files/${scene.file_id}`), expected(403)),
  'GET permissions': same((scene, who) => who.get(`${at(scene)}/permissions`), expected(200)),
  'PUT overwrite': same((scene, who) => who.put(`${at(scene)}/permissions/1`, { allow: 0, deny: 0 }), expected(403)),
  'DELETE overwrite': same((scene, who) => who.delete(`${at(scene)}/permissions/1`), expected(403)),
  'GET explain': same((scene, who) => who.get(`${at(scene)}/permissions/explain`), expected(403)),
  'GET voice states': same((scene, who) => who.get(`${at(scene)}/voice-states`), expected(200)),
  'POST bulk delete': same(
    (scene, who) => who.post(`${at(scene)}/messages/bulk-delete`, { ids: [scene.message_id] }),
    expected(403),
  ),
  'GET first message': same(
    (scene, who) => who.get(`${at(scene)}/first-message?since=2026-01-01T00:00:00.000Z`),
    expected(200),
  ),
  'POST unread': same((scene, who) => who.post(`${at(scene)}/unread`, { message_id: scene.message_id }), expected(200)),
  'GET threads': same((scene, who) => who.get(`${at(scene)}/threads`), expected(200)),
  'POST threads': same((scene, who) => who.post(`${at(scene)}/threads`, { name: 'Owls' }), expected(403)),
  'PUT followers': same((scene, who) => who.put(`${at(scene)}/followers/@me`), expected(403)),
  'DELETE followers': same((scene, who) => who.delete(`${at(scene)}/followers/@me`), expected(403)),
  'GET commands': same((scene, who) => who.get(`${at(scene)}/commands`), expected(200)),
  'GET webhooks': same((scene, who) => who.get(`${at(scene)}/webhooks`), expected(403)),
  'POST webhooks': same((scene, who) => who.post(`${at(scene)}/webhooks`, { name: 'Owl' }), expected(403)),
  'PUT notifications': same(
    (scene, who) => who.put(`/api/notifications/channels/${scene.id}`, { level: 'all' }),
    expected(200),
  ),
  'DELETE notifications': same((scene, who) => who.delete(`/api/notifications/channels/${scene.id}`), expected(204)),
  'PUT embeds': same(
    (scene, who) => who.put(`/api/messages/${scene.message_id}/embeds/suppressed`, { suppressed: true }),
    expected(403),
  ),
  'DELETE reaction of everyone': same(
    (scene, who) => who.delete(`/api/messages/${scene.message_id}/reactions/👍`),
    expected(403),
  ),
  'POST call decline': same((scene, who) => who.post(`${at(scene)}/call/decline`), expected(204)),
  // Everyone asks for alice's own removal: the owner's alone.
  'DELETE another recipient': same((scene, who) => who.delete(`${at(scene)}/recipients/${alice.id}`), expected(403)),
  // Whoever is in it already stays.
  'PUT recipient': {
    call: (scene, who) => who.put(`${at(scene)}/recipients/${alice.id}`),
    dm: expected(403),
    group: expected(200),
  },
}

/** A dm of alice's with the caller, if it has a part in one, or else with bob; or a group with both. */
async function scene(type: Scene['type'], caller: Caller): Promise<Scene> {
  const partner = caller === 'blocked' || caller === 'deleted' ? callers[caller] : bob
  const ids = type === 'dm' ? [partner.id] : [bob.id, blocked.id, former.id, deleted.id]
  const { id } = (await alice.post('/api/channels/direct', { recipient_ids: ids })).body
  const { id: file_id } = await upload(alice, 'owl.txt', 'text/plain', new TextEncoder().encode('Owl'))
  const sent = await alice.post(`/api/channels/${id}/messages`, { content: 'Hello', file_ids: [file_id] })
  expect(sent.status).toBe(201)
  if (type === 'group') expect((await former.delete(`/api/channels/${id}/recipients/${former.id}`)).status).toBe(204)
  return { type, id, message_id: sent.body.id, file_id }
}

const scenes = new Map<string, Scene>()
for (const type of ['dm', 'group'] as const)
  for (const caller of Object.keys(callers) as Caller[]) scenes.set(`${type} ${caller}`, await scene(type, caller))
expect((await alice.post(`/api/friends/${blocked.id}/block`)).status).toBe(200)
expect((await deleteAccountOf(deleted)).status).toBe(204)

for (const [route, { call, dm, group }] of Object.entries(ROUTES))
  test(`${route}: in a dm and a group, each caller gets what the table says`, async () => {
    const statuses = { dm: {} as Partial<Expected>, group: {} as Partial<Expected> }
    for (const type of ['dm', 'group'] as const)
      for (const caller of Object.keys(callers) as Caller[])
        statuses[type][caller] = (await call(scenes.get(`${type} ${caller}`) as Scene, callers[caller])).status
    expect(statuses).toEqual({ dm, group })
  })

test('commands in a dm and a group: participants are heard, everyone else is told that there is nothing', async () => {
  for (const type of ['dm', 'group'] as const)
    for (const caller of ['participant', 'former', 'friend', 'stranger', 'blocked'] as const) {
      const { id: channel_id, message_id } = scenes.get(`${type} ${caller}`) as Scene
      const live = await connect(callers[caller])
      const codes = []
      for (const [op, d] of [
        ['typing.start', { channel_id }],
        ['channel.ack', { channel_id, message_id }],
        ['voice.join', { channel_id, self_mute: false, self_deaf: false }],
      ] as const)
        codes.push((await live.command(op, d)).error?.code ?? 'ok')
      const isIn = caller === 'participant' || caller === 'blocked'
      const door = caller === 'blocked' && type === 'dm' ? 'cannot_contact' : 'ok'
      expect([type, caller, ...codes]).toEqual([
        type,
        caller,
        ...(isIn ? [door, 'ok', door] : ['not_found', 'not_found', 'not_found']),
      ])
      live.close()
    }
})

test('a participant may do in a dm or group what SQL and TypeScript both say', async () => {
  expect(await sql`select participant_permissions() as bits`).toEqual([{ bits: PARTICIPANT_PERMISSIONS }] as never)
})
