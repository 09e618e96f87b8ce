import { bit, followed, inThread, type Row } from './authorisation-rows.ts'
import { moderators, parties, type PlaceRow, row, seers, writers } from './place-rows.ts'
import type { Scene } from './place-scenes.ts'

const at = ({ id }: Scene) => `/api/channels/${id}`

/** Rows of followers of threads. */
export const FOLLOWERS: Record<string, Row> = {
  'PUT /api/channels/:channel_id/followers/@me': bit('view_channel', 204, inThread('/followers/@me'), { plain: 404 }),
  'DELETE /api/channels/:channel_id/followers/@me': bit('view_channel', 204, inThread('/followers/@me'), {
    plain: 404,
  }),
  'GET /api/channels/:channel_id/followers': bit('manage_threads', 200, inThread('/followers')),
  'PUT /api/channels/:channel_id/followers/:user_id': bit('send_in_threads', 204, followed),
  'DELETE /api/channels/:channel_id/followers/:user_id': bit('manage_threads', 204, followed),
}

/** The same by type of place. */
export const FOLLOWER_PLACES: Record<string, PlaceRow> = {
  'PUT /api/channels/:channel_id/followers/@me': row((scene, who) => who.put(`${at(scene)}/followers/@me`), {
    server: seers(403),
    thread: seers(204),
    direct: parties(403),
  }),
  'DELETE /api/channels/:channel_id/followers/@me': row((scene, who) => who.delete(`${at(scene)}/followers/@me`), {
    server: seers(403),
    thread: seers(204),
    direct: parties(403),
  }),
  'GET /api/channels/:channel_id/followers': row((scene, who) => who.get(`${at(scene)}/followers`), {
    server: seers(403),
    thread: moderators(200),
    direct: parties(403),
  }),
  'PUT /api/channels/:channel_id/followers/:user_id': row(
    (scene, who) => who.put(`${at(scene)}/followers/${scene.alice.id}`),
    { server: seers(403), thread: { ...writers(204), blocked: 403 }, direct: parties(403) },
  ),
  'DELETE /api/channels/:channel_id/followers/:user_id': row(
    (scene, who) => who.delete(`${at(scene)}/followers/${scene.alice.id}`),
    { server: seers(403), thread: moderators(204), direct: parties(403) },
  ),
}
