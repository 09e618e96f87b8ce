import type { Sql } from '../database/database.ts'
import type { Channel } from '../features/access/model.ts'
import type { Unread } from '../features/unread/model.ts'
import { NOBODY } from './channel-news.ts'
import type { Membership } from './server-views.ts'

/** An account's read marks, and its possibly unread places outside of servers. */
export interface OwnMarks {
  user_id: number
  /** Alternating channel ids and message ids, as JSON without brackets. */
  marks: string
  blocked_ids: number[]
  /** Groups: alternating channel ids and newest message ids. */
  groups: number[]
  /** Threads that the account follows and can see. */
  threads: Pick<Channel, 'id' | 'last_message_id'>[]
  /** Dms with unread messages, or marked unread. */
  dms: number[]
}

interface Place {
  channel_id: number
  user_id: number
}

/** The read marks of an account, apart by whether something is unread. */
export interface Marks {
  /** By channel: the message up to which it is read. */
  read: Map<number, number>
  unread: Unread[]
}

/**
 * Finds what several accounts have read. Channels that their newest message does not decide are looked up with one
 * statement for all accounts.
 * @param memberships of each account, in the same order
 */
export async function loadMarks(sql: Sql, accounts: OwnMarks[], memberships: Membership[][]): Promise<Marks[]> {
  const doubtful: Place[] = []
  const lists = accounts.map((account, at) => {
    const { user_id, marks: flat, blocked_ids, groups, threads, dms } = account
    const marks = pairs(JSON.parse(`[${flat}]`))
    const blockedIds = new Set([user_id, ...blocked_ids, NOBODY])
    const unread = new Map<number, Unread | undefined>()
    const doubt = (channel_id: number) => {
      doubtful.push({ user_id, channel_id })
      unread.set(channel_id, undefined)
    }
    for (const { member, view } of memberships[at] ?? [])
      for (const { channel_id, newest_id, author_id, mention_id } of view.news) {
        const message_id = marks.get(channel_id) ?? member.floor_id
        if (newest_id <= message_id) continue
        if (mention_id > message_id || blockedIds.has(author_id)) doubt(channel_id)
        else unread.set(channel_id, { channel_id, message_id, newest_id, mention_count: 0 })
      }
    for (const [channel_id, newest_id] of pairs(groups)) if (newest_id > (marks.get(channel_id) ?? 0)) doubt(channel_id)
    for (const { id, last_message_id } of threads) if ((last_message_id ?? 0) > (marks.get(id) ?? 0)) doubt(id)
    dms.forEach(doubt)
    return { user_id, marks, unread }
  })
  const answers = Map.groupBy(await unreadOf(sql, doubtful), ({ user_id }) => user_id)
  return lists.map(({ user_id, marks, unread }) => {
    // The account may have several lists, of its servers one by one.
    for (const { user_id: _, ...mark } of answers.get(user_id) ?? [])
      if (unread.has(mark.channel_id)) unread.set(mark.channel_id, mark)
    const found = [...unread.values()].filter((mark): mark is Unread => Boolean(mark?.newest_id))
    for (const { channel_id } of found) marks.delete(channel_id)
    return { read: marks, unread: found }
  })
}

/** The marks as JSON. @param isListed false for a channel to leave out; undefined keeps all */
export function marksText({ read, unread }: Marks, isListed?: (channelId: number) => boolean): string {
  const texts: string[] = []
  for (const mark of unread) if (!isListed || isListed(mark.channel_id)) texts.push(JSON.stringify(mark))
  for (const [channel_id, message_id] of read)
    if (!isListed || isListed(channel_id)) texts.push(`{"channel_id":${channel_id},"message_id":${message_id}}`)
  return `[${texts.join(',')}]`
}

function pairs(flat: number[]): Map<number, number> {
  const valueByKey = new Map<number, number>()
  for (let at = 0; at + 1 < flat.length; at += 2) valueByKey.set(flat[at] ?? 0, flat[at + 1] ?? 0)
  return valueByKey
}

async function unreadOf(sql: Sql, places: Place[]): Promise<(Unread & { user_id: number })[]> {
  if (places.length === 0) return []
  return sql`
    select asked.user_id, u.* from (
      select user_id, array_agg(channel_id) as channel_ids
      from unnest(${places.map(({ user_id }) => user_id)}::bigint[],
        ${places.map(({ channel_id }) => channel_id)}::bigint[]) as place (user_id, channel_id) group by user_id) asked
    cross join lateral unread_of(asked.user_id, asked.channel_ids) u`
}
