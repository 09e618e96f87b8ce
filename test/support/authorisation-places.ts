import { randomUUID } from 'node:crypto'
import { FOLLOWER_PLACES } from './authorisation-followers.ts'
import { POLL_PLACES } from './authorisation-polls.ts'
import {
  everyone,
  message,
  moderators,
  NOBODY,
  ofMessage,
  parties,
  type PlaceRow,
  refused,
  row,
  seers,
  writers,
} from './place-rows.ts'
import type { Scene } from './place-scenes.ts'

const READS = { server: seers(200), direct: parties(200) }
const REFUSED = { server: seers(403), direct: parties(403) }
const WITHOUT_WEBHOOKS = { category: seers(403), forum: seers(403), thread: seers(403) }
/** Only stages have a topic while they run. */
const NO_STAGE = { server: seers(422), direct: parties(422) }
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const at = ({ id }: Scene) => `/api/channels/${id}`
const ofAlice = ({ id, alice }: Scene) => `/api/channels/${id}/permissions/members/${alice.id}`
const file = ({ file_id }: Scene) => `/api/files/${file_id}`
const directMessage = ({ message_id }: Scene) => `/api/dm/messages/${message_id}`

/** The path of the file in a report of the message. */
async function reportedFile({ alice, id, message_id, file_id }: Scene): Promise<string> {
  const { sql } = alice.parley.parts
  const [author] = await sql`insert into users (username, email, password_hash, display_name)
    values (${randomUUID()}, ${randomUUID()}, 'none', 'Eve') returning id`
  const [report] = await sql`
    insert into reports (subject, subject_id, server_id, channel_id, audience_id, author_id, for_operator)
    select 'message', ${message_id}, server_id, id, audience_id, ${author?.id}, server_id is null
    from channels where id = ${id}
    on conflict (subject, subject_id, server_id, for_operator) where state = 'open' do update set
      author_id = excluded.author_id returning id`
  await sql`insert into report_files (report_id, file_id, filename, content_type, size, key)
    values (${report?.id}, ${file_id}, 'owl.txt', 'text/plain', 3, 'files/owl') on conflict do nothing`
  return `/api/reports/${report?.id}/files/${file_id}`
}

/**
 * The status of every route about a place for every caller, by type of place. A key may name one of several calls after
 * the route. A category has no messages, so routes of messages have no row for it.
 */
export const PLACES: Record<string, PlaceRow> = {
  ...POLL_PLACES,
  ...FOLLOWER_PLACES,
  'GET /api/channels/:channel_id': row((scene, who) => who.get(at(scene)), {
    server: seers(200),
    direct: parties(200),
  }),
  'PUT /api/channels/:channel_id': row((scene, who) => who.put(at(scene), { name: `owls-${scene.id}` }), {
    server: moderators(200),
    thread: moderators(200, 200),
    dm: parties(403),
    group: parties(200),
  }),
  'PUT /api/channels/:channel_id archived': row((scene, who) => who.put(at(scene), { archived: true }), {
    server: moderators(422),
    thread: moderators(200, 200),
    dm: parties(403),
    group: parties(422),
  }),
  'PUT /api/channels/:channel_id locked': row((scene, who) => who.put(at(scene), { locked: true }), {
    server: moderators(422),
    thread: moderators(200),
    dm: parties(403),
    group: parties(422),
  }),
  'DELETE /api/channels/:channel_id': row((scene, who) => who.delete(at(scene)), {
    server: moderators(204),
    direct: parties(403),
  }),
  'GET /api/channels/:channel_id/messages': row((scene, who) => who.get(`${at(scene)}/messages`), {
    server: seers(200),
    direct: parties(200),
  }),
  'POST /api/channels/:channel_id/messages': row(
    (scene, who) => who.post(`${at(scene)}/messages`, { content: 'Hello' }),
    { server: writers(201), category: seers(403), forum: seers(403), dm: parties(201, 403), group: parties(201) },
  ),
  'POST /api/channels/:channel_id/scheduled': row(
    (scene, who) => who.post(`${at(scene)}/scheduled`, { draft: { content: 'Later' }, send_at: inAnHour() }),
    // The send asks whether the other one of a dm accepts it.
    { server: writers(201), category: seers(403), forum: seers(403), dm: parties(201), group: parties(201) },
  ),
  'POST /api/channels/:channel_id/messages/bulk-delete': row(
    (scene, who) => who.post(`${at(scene)}/messages/bulk-delete`, { ids: [scene.message_id || 1] }),
    { server: moderators(204), direct: parties(403) },
  ),
  'GET /api/channels/:channel_id/first-message': row(
    (scene, who) => who.get(`${at(scene)}/first-message?since=2026-01-01T00:00:00.000Z`),
    { server: seers(200), direct: parties(200) },
  ),
  'POST /api/channels/:channel_id/unread': row(
    (scene, who) => who.post(`${at(scene)}/unread`, { message_id: scene.message_id || 1 }),
    { server: seers(200), category: seers(404), forum: seers(404), direct: parties(200) },
  ),
  'GET /api/channels/:channel_id/pins': row((scene, who) => who.get(`${at(scene)}/pins`), {
    server: seers(200),
    direct: parties(200),
  }),
  'PUT /api/channels/:channel_id/pins/:message_id': ofMessage(
    (scene, who) => who.put(`${at(scene)}/pins/${scene.message_id}`),
    { server: moderators(204), dm: parties(204, 403), group: parties(204) },
  ),
  'DELETE /api/channels/:channel_id/pins/:message_id': ofMessage(
    (scene, who) => who.delete(`${at(scene)}/pins/${scene.message_id}`),
    { server: moderators(204), dm: parties(204, 403), group: parties(204) },
  ),
  'GET /api/channels/:channel_id/permissions': row((scene, who) => who.get(`${at(scene)}/permissions`), {
    server: seers(200),
    direct: parties(200),
  }),
  'PUT /api/channels/:channel_id/permissions/:role_id': row(
    (scene, who) => who.put(`${at(scene)}/permissions/${scene.role_id}`, { allow: 0, deny: 0 }),
    { server: moderators(200), thread: seers(403), direct: parties(403) },
  ),
  'DELETE /api/channels/:channel_id/permissions/:role_id': row(
    (scene, who) => who.delete(`${at(scene)}/permissions/${scene.role_id}`),
    { server: moderators(204), thread: seers(403), direct: parties(403) },
  ),
  'GET /api/channels/:channel_id/permissions/members': row(
    (scene, who) => who.get(`${at(scene)}/permissions/members`),
    {
      server: moderators(200),
      direct: parties(403),
    },
  ),
  // Nobody ranks above alice, who owns the server.
  'PUT /api/channels/:channel_id/permissions/members/:user_id': refused((scene, who) =>
    who.put(ofAlice(scene), { deny: 1024 }),
  ),
  'DELETE /api/channels/:channel_id/permissions/members/:user_id': refused((scene, who) => who.delete(ofAlice(scene))),
  'GET /api/channels/:channel_id/permissions/explain': row(
    (scene, who) => who.get(`${at(scene)}/permissions/explain`),
    { server: seers(200), direct: parties(403) },
  ),
  'GET /api/channels/:channel_id/voice-states': row((scene, who) => who.get(`${at(scene)}/voice-states`), {
    server: seers(200),
    direct: parties(200),
  }),
  'POST /api/channels/:channel_id/stage': row(
    (scene, who) => who.post(`${at(scene)}/stage`, { topic: 'Owls' }),
    NO_STAGE,
  ),
  'PUT /api/channels/:channel_id/stage': row(
    (scene, who) => who.put(`${at(scene)}/stage`, { topic: 'Owls' }),
    NO_STAGE,
  ),
  'DELETE /api/channels/:channel_id/stage': row((scene, who) => who.delete(`${at(scene)}/stage`), NO_STAGE),
  'POST /api/channels/:channel_id/call/decline': row((scene, who) => who.post(`${at(scene)}/call/decline`), {
    server: seers(204),
    direct: parties(204),
  }),
  'GET /api/channels/:channel_id/threads': row((scene, who) => who.get(`${at(scene)}/threads`), {
    server: seers(200),
    direct: parties(200),
  }),
  'POST /api/channels/:channel_id/threads with a first message': row(
    (scene, who) => who.post(`${at(scene)}/threads`, { name: 'Owls', message: { content: 'Which?' } }),
    { server: seers(422), forum: writers(201), direct: parties(422) },
  ),
  'POST /api/channels/:channel_id/threads': row((scene, who) => who.post(`${at(scene)}/threads`, { name: 'Owls' }), {
    server: seers(403),
    forum: writers(422),
    text: writers(201),
    voice: writers(201),
    direct: parties(403),
  }),
  // Nobody in the scenes manages the server.
  'GET /api/channels/:channel_id/writers': row((scene, who) => who.get(`${at(scene)}/writers`), REFUSED),
  'PUT /api/channels/:channel_id/recipients/:user_id': row(
    // Members already in it stay.
    (scene, who) => who.put(`${at(scene)}/recipients/${scene.alice.id}`),
    { server: seers(403), dm: parties(403), group: parties(200) },
  ),
  'DELETE /api/channels/:channel_id/recipients/:user_id': row(
    // Nobody removes the owner.
    (scene, who) => who.delete(`${at(scene)}/recipients/${scene.alice.id}`),
    { server: seers(403), direct: parties(403) },
  ),
  'GET /api/channels/:channel_id/commands': row((scene, who) => who.get(`${at(scene)}/commands`), {
    server: seers(200),
    direct: parties(200),
  }),
  'POST /api/interactions': row(
    (scene, who) =>
      who.post('/api/interactions', { kind: 'command', channel_id: scene.id, command_id: scene.command_id }),
    { server: writers(201), direct: parties(404) },
  ),
  'GET /api/channels/:channel_id/webhooks': row((scene, who) => who.get(`${at(scene)}/webhooks`), {
    server: moderators(200),
    direct: parties(403),
  }),
  'POST /api/channels/:channel_id/webhooks': row((scene, who) => who.post(`${at(scene)}/webhooks`, { name: 'Owl' }), {
    ...WITHOUT_WEBHOOKS,
    server: moderators(201),
    direct: parties(403),
  }),
  // Moved to the place from a text channel that all of these see.
  'PUT /api/webhooks/:webhook_id': row(
    async (scene, who) => who.put(`/api/webhooks/${await scene.webhook()}`, { channel_id: scene.id }),
    { ...WITHOUT_WEBHOOKS, server: moderators(200), direct: { ...seers(403), moderator: 404 } },
  ),
  'PUT /api/notifications/channels/:channel_id': row(
    (scene, who) => who.put(`/api/notifications/channels/${scene.id}`, { level: 'all' }),
    { server: seers(200), direct: parties(200) },
  ),
  'DELETE /api/notifications/channels/:channel_id': row(
    (scene, who) => who.delete(`/api/notifications/channels/${scene.id}`),
    { server: seers(204), direct: parties(204) },
  ),
  'GET /api/search': row((scene, who) => who.get(`/api/search?q=heron&channel_id=${scene.id}`), {
    server: seers(200),
    direct: parties(200),
  }),
  // 404 stands for a place that is left out.
  'GET /api/unread': row(
    async (scene, who) => {
      const { status, body } = await who.get(`/api/unread?channel_ids=${scene.id}`)
      return { status: status === 200 && body.length === 0 ? 404 : status }
    },
    { server: seers(200), direct: parties(200) },
  ),

  'GET /api/messages/:message_id': ofMessage((scene, who) => who.get(message(scene)), {
    server: seers(200),
    direct: parties(200),
  }),
  'PUT /api/saved/:message_id': ofMessage((scene, who) => who.put(`/api/saved/${scene.message_id}`, {}), {
    server: seers(200),
    direct: parties(200),
  }),
  // Nobody learns whether the message exists.
  'DELETE /api/saved/:message_id': ofMessage((scene, who) => who.delete(`/api/saved/${scene.message_id}`), {
    server: everyone(204),
    direct: everyone(204),
  }),
  'PUT /api/messages/:message_id': ofMessage((scene, who) => who.put(message(scene), { content: 'Mine' }), {
    server: seers(403),
    direct: parties(403),
  }),
  'DELETE /api/messages/:message_id': ofMessage((scene, who) => who.delete(message(scene)), {
    server: moderators(204),
    direct: parties(403),
  }),
  'PUT /api/messages/:message_id/embeds/suppressed': ofMessage(
    (scene, who) => who.put(`${message(scene)}/embeds/suppressed`, { suppressed: true }),
    { server: moderators(200), direct: parties(403) },
  ),
  'PUT /api/messages/:message_id/reactions/:emoji/@me': ofMessage(
    (scene, who) => who.put(`${message(scene)}/reactions/👍/@me`),
    { server: writers(204), dm: parties(204, 403), group: parties(204) },
  ),
  'DELETE /api/messages/:message_id/reactions/:emoji/@me': ofMessage(
    (scene, who) => who.delete(`${message(scene)}/reactions/👍/@me`),
    { server: seers(204), direct: parties(204) },
  ),
  'GET /api/messages/:message_id/reactions/:emoji': ofMessage(
    (scene, who) => who.get(`${message(scene)}/reactions/👍`),
    { server: seers(200), direct: parties(200) },
  ),
  'DELETE /api/messages/:message_id/reactions/:emoji': ofMessage(
    (scene, who) => who.delete(`${message(scene)}/reactions/👍`),
    { server: moderators(204), direct: parties(403) },
  ),
  'DELETE /api/messages/:message_id/reactions/:emoji/:user_id': ofMessage(
    (scene, who) => who.delete(`${message(scene)}/reactions/👍/999999999`),
    { server: moderators(204), direct: parties(403) },
  ),
  'DELETE /api/messages/:message_id/reactions': ofMessage((scene, who) => who.delete(`${message(scene)}/reactions`), {
    server: moderators(204),
    direct: parties(403),
  }),
  // The list is empty for accounts that may not see the message.
  'POST /api/emoji/used': ofMessage((scene, who) => who.post('/api/emoji/used', { message_ids: [scene.message_id] }), {
    server: everyone(200),
    direct: everyone(200),
  }),
  'GET /api/messages/:message_id/files': ofMessage((scene, who) => who.get(`${message(scene)}/files`), READS),
  'GET /api/files/:file_id': ofMessage((scene, who) => who.get(file(scene)), READS),
  'GET /api/files/:file_id/download-url': ofMessage((scene, who) => who.get(`${file(scene)}/download-url`), READS),
  // 404 stands for a file that is left out.
  'POST /api/files/download-urls': ofMessage(
    async (scene, who) => {
      const { status, body } = await who.post('/api/files/download-urls', { ids: [scene.file_id] })
      return { status: status === 200 && body[scene.file_id] === undefined ? 404 : status }
    },
    { server: seers(200), direct: parties(200) },
  ),
  // The file is no picture.
  'POST /api/favourites': ofMessage((scene, who) => who.post('/api/favourites', { file_id: scene.file_id }), {
    server: seers(422),
    direct: parties(422),
  }),
  // Only its uploader describes a file.
  'PUT /api/files/:file_id': ofMessage((scene, who) => who.put(file(scene), { alt: 'An owl' }), {
    server: seers(403),
    direct: parties(403),
  }),
  'DELETE /api/files/:file_id': ofMessage((scene, who) => who.delete(file(scene)), {
    server: moderators(204),
    direct: parties(403),
  }),

  'POST /api/messages/:message_id/reports': ofMessage(
    (scene, who) => who.post(`${message(scene)}/reports`, { reason: 'spam' }),
    { server: seers(204), direct: parties(204) },
  ),
  // A report about an account outside of the place. Those of dms and groups are the operator's.
  'GET /api/reports/:report_id/files/:file_id/download-url': ofMessage(
    async (scene, who) => who.get(`${await reportedFile(scene)}/download-url`),
    { server: { ...NOBODY, moderator: 200 }, direct: NOBODY },
  ),

  // The shortcuts by person: to them, messages of other places are not there.
  'PUT /api/dm/messages/:message_id': ofMessage((scene, who) => who.put(directMessage(scene), { content: 'Mine' }), {
    server: NOBODY,
    dm: parties(403),
    group: NOBODY,
  }),
  'DELETE /api/dm/messages/:message_id': ofMessage((scene, who) => who.delete(directMessage(scene)), {
    server: NOBODY,
    dm: parties(403),
    group: NOBODY,
  }),
  'POST /api/dm/messages/:message_id/read': ofMessage((scene, who) => who.post(`${directMessage(scene)}/read`), {
    server: NOBODY,
    dm: parties(200),
    group: NOBODY,
  }),
}
