import type { Sql } from '../database/database.ts'
import { found } from '../core/errors.ts'
import { eventText } from '../core/events.ts'
import { type Channel, channelOf } from '../features/access/model.ts'
import { followedThreads } from '../features/threads/follow.ts'
import { type Packed, packed } from './compression.ts'
import type { Presence } from './presence.ts'
import { PresenceLists } from './presence-lists.ts'
import { packedMarks, unpacked } from './mark-list.ts'
import { loadMarks, type Marks } from './read-marks.ts'
import { accessOf, type Loaded } from './server-views.ts'
import { snapshotsOf } from './snapshots.ts'

/** The fields of `ready` that concern one server, for a client that opens it. */
export interface ServerOpening {
  server_id: number
  marks: Marks
  threads: Channel[]
  /** JSON. */
  presences: string
}

/**
 * Reads the servers that an account wants to open. Servers in which it is no member are left out.
 * @param sql all reads must see the same snapshot of the database
 * @param load reads memberships in that snapshot
 */
export async function loadOpenings(
  sql: Sql,
  load: (userIds: number[]) => Promise<Loaded>,
  userId: number,
  serverIds: readonly number[],
  presence: Pick<Presence, 'statusOf' | 'textOf'>,
) {
  const { mark, memberships: all } = await load([userId])
  const memberships = (all.get(userId) ?? []).filter(({ view }) => serverIds.includes(view.id))
  const access = accessOf(userId, memberships)
  const snapshots = snapshotsOf(memberships, presence.statusOf(userId))
  if (memberships.length === 0) return { access, mark, snapshots, openings: new Array<ServerOpening>(), missed: [] }
  const [followed, flat, blocked_ids] = await Promise.all([
    followedThreads(sql, [userId]),
    marksIn(sql, userId, serverIds),
    blockedBy(sql, userId),
  ])
  const lists = new PresenceLists(presence.textOf)
  const own = memberships.map((membership) => {
    const visible = new Set(membership.view.channels.map(({ id }) => id))
    const threads = followed.filter(({ parent_id }) => visible.has(parent_id ?? 0))
    return { membership, threads: threads.map((thread) => channelOf(thread)) }
  })
  const none = { user_id: userId, blocked_ids, groups: [], dms: [] }
  const marks = await loadMarks(
    sql,
    own.map(({ membership, threads }) => ({ ...none, marks: unpacked(flat.get(membership.view.id) ?? ''), threads })),
    own.map(({ membership }) => [membership]),
  )
  const openings = own.map(({ membership: { view }, threads }, at) => ({
    server_id: view.id,
    marks: found(marks[at]),
    threads,
    presences: lists.list([lists.placesOf(view.near)]),
  }))
  return { access, mark, snapshots, openings, missed: [] }
}

/** The marks of an account by server, packed. */
async function marksIn(sql: Sql, userId: number, serverIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await sql<{ server_id: number; marks: string }[]>`
    select c.server_id, ${packedMarks(sql)} as marks from read_marks mark join channels c on c.id = mark.channel_id
    where mark.user_id = ${userId} and c.server_id = any(${[...serverIds]}) group by c.server_id`
  return new Map(rows.map(({ server_id, marks }) => [server_id, marks]))
}

async function blockedBy(sql: Sql, userId: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select other_id as id from relations_of where user_id = ${userId} and blocks`
  return rows.map(({ id }) => id)
}

/**
 * The event `server.opened`.
 * @param sees false for a channel that the account has lost since the read
 */
export function openedFrame(
  { server_id, marks, threads, presences }: ServerOpening,
  isCompressed: boolean,
  sees: (channelId: number) => boolean,
): Packed {
  const [seen, lost] = [true, false].map((isSeen) => threads.filter(({ parent_id }) => sees(parent_id ?? 0) === isSeen))
  const lostIds = new Set(lost?.map(({ id }) => id))
  const marksJson = marks.text({ sees: (id) => sees(id) && !lostIds.has(id) })
  const fields = `"read_marks":${marksJson},"threads":${JSON.stringify(seen)},"presences":${presences}`
  const text = eventText('server.opened', undefined, `{"server_id":${server_id},${fields}}`)
  return isCompressed ? packed(text) : text
}
