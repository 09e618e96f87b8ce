import { createHash } from 'node:crypto'
import { plainText } from '../../core/markup/plain-text.ts'
import type { Sql } from '../../database/database.ts'
import type { PushMessage } from './model.ts'
import { settingsOf } from './outbox.ts'

/** Code points of a message to show in a notice. */
const TEXT_MAX = 240

/** A row of the outbox with its subscription. */
export interface Notice {
  id: number
  user_id: number
  subscription_id: number
  endpoint: string
  p256dh: string
  auth: string
  channel_id: number
  kind: PushMessage['kind']
  is_call: boolean
  message_id: number | null
  /** The saved message of a reminder, or of its end; 0 for others. */
  remind_id: number
  /** The event and its date, of a reminder of one; 0 for others. */
  event_id: number
  event_n: number
  /** Time until it expires. */
  left_s: number
  attempts: number
}

interface Content {
  author: string
  place: string | null
  text: string
}

/** The payload of a notice; undefined if it is obsolete, or the account may not see it. */
export async function pushMessage(sql: Sql, notice: Notice): Promise<PushMessage | undefined> {
  const { kind, user_id, channel_id, is_call, message_id, remind_id, event_id, event_n } = notice
  const place = message_id === null ? `/c/${channel_id}` : `/c/${channel_id}/${message_id}`
  const path = event_id > 0 ? `/app?event=${event_id}&date=${event_n}` : place
  const about = { ...(remind_id > 0 ? { remind_id } : {}), ...(event_id > 0 ? { event_id } : {}) }
  const base = { kind, user_id, channel_id, is_call, path, ...about }
  if (kind === 'over') return base
  const contentOf = { call: callOf, reminder: reminderOf, event: eventOf, promoted: eventOf, message: messageOf }[kind]
  const content = await contentOf(sql, notice)
  if (!content) return undefined
  const fields = { ...base, ...(message_id === null ? {} : { message_id }) }
  if ((await settingsOf(sql, user_id)).hide_content) return fields
  return { ...fields, author: content.author, text: content.text, ...(content.place ? { place: content.place } : {}) }
}

async function callOf(sql: Sql, { user_id, channel_id }: Notice): Promise<Content | undefined> {
  const [call] = await sql<Content[]>`
    select u.display_name as author, c.name as place, '' as text
    from call_rings r join calls on calls.channel_id = r.channel_id join channels c on c.id = r.channel_id
      join users u on u.id = calls.started_by
    where r.user_id = ${user_id} and r.channel_id = ${channel_id} and r.until > now()`
  return call
}

/** Parts of a query for a message `m`: with `surroundings`, its channel `c`, author `u`, server and membership. */
const surroundings = (sql: Sql) => sql`join channels c on c.id = m.channel_id join users u on u.id = m.author_id
  left join servers s on s.id = c.server_id
  left join members mem on mem.server_id = c.server_id and mem.user_id = m.author_id`
const authorOf = (sql: Sql) => sql`coalesce(m.author_name, mem.nickname, u.display_name)`
const placeOf = (sql: Sql) => sql`case when c.server_id is null then c.name else '#' || c.name || ' · ' || s.name end`
const textOf = (sql: Sql) =>
  sql`coalesce(nullif(m.content, ''), poll_text(m), sticker_text(m), left(rich_text(m), 4000), '')`
const namesIn = (sql: Sql) => sql`(select json_object_agg('@' || mentioned.id, mentioned.display_name)
  from users mentioned where mentioned.id = any (m.mention_ids))`

/**
 * The message as it is now, if it is still unread, the account's settings ask for a notice, and the account may read
 * it.
 */
async function messageOf(sql: Sql, { user_id, channel_id, message_id }: Notice): Promise<Content | undefined> {
  const [message] = await sql<(Content & { names: Record<string, string> | null })[]>`
    select ${authorOf(sql)} as author, ${placeOf(sql)} as place, ${textOf(sql)} as text, ${namesIn(sql)} as names
    from notice_in(${user_id}, ${channel_id}, ${message_id ?? 0}::bigint - 1, true) n
      join messages m on m.id = ${message_id} and m.channel_id = ${channel_id} ${surroundings(sql)}
    where n.is_unread and m.id > read_until(${user_id}, c) and not exists (
      select from relations_of r where r.user_id = ${user_id} and r.other_id = m.author_id
        and (r.blocks or c.type = 'group' and r.is_blocked))`
  return message && { ...message, text: plainOf(message.text, message.names ?? {}) }
}

/** The account's note, or the saved message as it is now, while the reminder is due and the account may read it. */
async function reminderOf(sql: Sql, { user_id, channel_id, message_id }: Notice): Promise<Content | undefined> {
  const [message] = await sql<(Content & { note: string | null; names: Record<string, string> | null })[]>`
    select ${authorOf(sql)} as author, ${placeOf(sql)} as place, ${textOf(sql)} as text, ${namesIn(sql)} as names,
      saved.note
    from saved_messages saved join messages m on m.id = saved.message_id and m.channel_id = ${channel_id}
      ${surroundings(sql)} cross join channel_access(c.id, ${user_id}) access
    where saved.user_id = ${user_id} and saved.message_id = ${message_id} and saved.remind_at <= now()
      and can_view(access.permissions) and holds(access.permissions, 'read_history')`
  return message && { ...message, text: plainOf(message.note ?? message.text, message.names ?? {}) }
}

/** The event and the time of its date, while the account is signed up, sees the event, and the date is to come. */
async function eventOf(sql: Sql, { user_id, event_id, event_n }: Notice): Promise<Content | undefined> {
  const [event] = await sql<Content[]>`
    select e.title as author, s.name as place, '<t:' || floor(extract(epoch from d.starts_at))::bigint || ':f>' as text
    from event_signups own join event_dates d using (event_id, n) join calendar_events e on e.id = own.event_id
      join servers s on s.id = e.server_id
    where own.event_id = ${event_id} and own.n = ${event_n} and own.user_id = ${user_id} and own.status <> 'waiting'
      and d.starts_at > now() and not d.is_cancelled and e.cancelled_at is null and sees_event(e, ${user_id})`
  return event
}

/** A text as one line without markup. Spoilers stay hidden, people appear by name, and other tokens are left out. */
function plainOf(text: string, names: Record<string, string>): string {
  const plain = plainText(text, {
    nameOf: (id) => names[`@${id}`] ?? '…',
    tokenNameOf: (token) => (token.startsWith('@') ? token : '…'),
    // The device formats times in its own language and time zone.
    timeOf: (seconds, style) => `<t:${seconds}:${style}>`,
  }).replace(/\s+/g, ' ')
  const points = Array.from(plain)
  return points.length > TEXT_MAX ? `${points.slice(0, TEXT_MAX).join('')}…` : plain
}

/**
 * The topic of a notice: a later notice replaces one with the same topic on a device. Hashed, so that it reveals
 * nothing to push services.
 */
export const topicOf = ({ auth, channel_id, is_call, remind_id, event_id }: Notice): string =>
  createHash('sha256')
    .update(`${auth} ${channel_id} ${is_call}${remind_id > 0 ? ` ${remind_id}` : ''}`)
    .update(event_id > 0 ? ` event ${event_id}` : '')
    .digest('base64url')
    .slice(0, 32)
