import { columns, type Database, type Sql } from '../database/database.ts'
import { Channel } from '../features/access/model.ts'
import type { Trigger } from '../features/automod/model.ts'
import type { CalendarEvent } from '../features/calendar/model.ts'
import { emojiColumns } from '../features/emoji/change.ts'
import type { CustomEmoji } from '../features/emoji/model.ts'
import { stickerColumns } from '../features/stickers/change.ts'
import type { Sticker } from '../features/stickers/model.ts'
import { commandsWhere } from '../features/interactions/commands.ts'
import { selectMembers } from '../features/members/membership.ts'
import type { Message } from '../features/messages/model.ts'
import { type Overwrite, Role } from '../features/roles/model.ts'
import type { PublicUser } from '../core/schema.ts'
import { type FactKind, type FactKinds, type Kind, type Loaded, type Lookup, type MemberOverwrites } from './lookup.ts'
import { snowflake } from './snowflake.ts'

// The statements behind the facts: each loads all missing facts of one kind.

/** The table of each kind of row. */
export const TABLES = {
  user: 'users',
  channel: 'channels',
  server: 'servers',
  role: 'roles',
  message: 'messages',
  emoji: 'emojis',
  sticker: 'stickers',
  file: 'files',
  command: 'bot_commands',
  interaction: 'interactions',
  event: 'calendar_events',
  sound: 'sounds',
  audit: 'audit_log',
} as const satisfies Record<Kind, string>

const ms = (sql: Sql, column: string) => sql`(date_part('epoch', ${sql(column)}) * 1000)::bigint`

/** The Discord id of a row, and the server of a channel. */
interface IdRow {
  id: number
  discordId: string
  server_id: number | null
}

/** The ids of the rows that exist. The role `everyone` has its server's id, as on Discord. */
export async function loadIds(sql: Database, kind: Kind, ids: number[]): Promise<IdRow[]> {
  if (kind === 'role') {
    const rows = await sql<{ id: number; own_id: number; ms: number }[]>`
      select r.id, case when r.is_everyone then s.id else r.id end as own_id,
        case when r.is_everyone then ${ms(sql, 's.created_at')} else ${ms(sql, 'r.created_at')} end as ms
      from roles r join servers s on s.id = r.server_id where r.id = any(${ids})`
    return rows.map((row) => ({ id: row.id, discordId: snowflake(row.own_id, row.ms), server_id: null }))
  }
  const isChannel = kind === 'channel'
  const rows = await sql<{ id: number; ms: number; server_id: number | null }[]>`
    select id, ${ms(sql, 'created_at')} as ms, ${isChannel ? sql`server_id` : sql`null`} as server_id
    from ${sql(TABLES[kind])} where id = any(${ids})`
  return rows.map(({ id, ms: atMs, server_id }) => ({ id, discordId: snowflake(id, atMs), server_id }))
}

/** Threads in a list. */
const THREADS_MAX = 1000

/** The end of a span that has only the next date of an event `e`: an event that repeats may have hundreds. */
const nextDate = (sql: Sql) => sql`select min(d.starts_at) + interval '1 millisecond' as until from event_dates d
  where d.event_id = e.id and not d.is_cancelled and d.ends_at > now()`

type Loader<K extends FactKind> = (sql: Database, keys: string[]) => Promise<Map<string, FactKinds[K]>>

const numbers = (keys: string[]) => keys.map(Number)
/** The two ids of keys such as `4:2`. */
const pairs = (keys: string[]) => {
  const split = keys.map((key) => key.split(':').map(Number))
  return [split.map(([one]) => one ?? 0), split.map(([, other]) => other ?? 0)] as const
}
/** The rows of each server; an empty list for one that has none. */
function listsBy<T extends { server_id: number }>(keys: string[], rows: T[]): Map<string, T[]> {
  const lists = Map.groupBy(rows, (row) => String(row.server_id))
  return new Map(keys.map((key) => [key, lists.get(key) ?? []]))
}
const byId = <T extends { id: number }>(rows: T[]) => new Map(rows.map((row) => [String(row.id), row]))

const loaders: { [K in FactKind]: Loader<K> } = {
  async account(sql, keys) {
    const rows = await sql<{ account: PublicUser }[]>`
      select public_user(u) as account from users u where id = any(${numbers(keys)})`
    return byId(rows.map(({ account }) => account))
  },
  async member(sql, keys) {
    const [serverIds, userIds] = pairs(keys)
    const rows = await selectMembers(
      sql,
      sql`(m.server_id, m.user_id) in (select * from unnest(${serverIds}::bigint[], ${userIds}::bigint[]))`,
    )
    return new Map(rows.map(({ server_id, user, ...member }) => [`${server_id}:${user.id}`, member]))
  },
  async role_row(sql, keys) {
    return byId(await sql<Role[]>`select ${columns(sql, Role)} from roles where id = any(${numbers(keys)})`)
  },
  async channel_row(sql, keys) {
    return byId(
      await sql<Channel[]>`
      select ${columns(sql, Channel, 'c')} from channels c where c.id = any(${numbers(keys)})`,
    )
  },
  async guild_roles(sql, keys) {
    const rows = await sql<Role[]>`
      select ${columns(sql, Role)} from roles where server_id = any(${numbers(keys)}) order by position`
    return listsBy(keys, rows)
  },
  async guild_emoji(sql, keys) {
    const rows = await sql<CustomEmoji[]>`
      select ${emojiColumns(sql)} from emojis e
      where e.server_id = any(${numbers(keys)}) and e.deleted_at is null order by e.id`
    return listsBy(keys, rows)
  },
  async guild_stickers(sql, keys) {
    const rows = await sql<Sticker[]>`
      select ${stickerColumns(sql)} from stickers s
      where s.server_id = any(${numbers(keys)}) and s.deleted_at is null order by s.id`
    return listsBy(keys, rows)
  },
  async overwrites(sql, keys) {
    const ids = numbers(keys)
    const rows = await sql<Overwrite[]>`
      select channel_id, role_id, allow, deny from effective_overwrites where channel_id = any(${ids}) order by role_id`
    const grouped = Map.groupBy(rows, (row) => row.channel_id)
    return new Map(ids.map((id) => [String(id), grouped.get(id) ?? []]))
  },
  async member_overwrites(sql, keys) {
    const rows = await sql<({ id: number } & MemberOverwrites)[]>`
      select c.id,
        (select coalesce(json_agg(json_build_object('user_id', target.user_id, 'allow', bits[1], 'deny', bits[2])
            order by target.user_id), '[]')
          from (select distinct user_id from member_overwrites where channel_id in (c.id, c.parent_id)) target
          cross join lateral member_bits(c.id, c.parent_id, target.user_id) as bits) as rows,
        array(select cp.user_id from roles r
          join channel_permissions cp on cp.channel_id = c.id and cp.user_id = r.bot_id
          where r.server_id = c.server_id and r.bot_id is not null and can_view(cp.permissions)
            and holds(cp.permissions, 'manage_roles')) as manager_ids
      from channels c where c.id = any(${numbers(keys)}) and c.has_member_overwrites`
    return byId(rows)
  },
  async command_row(sql, keys) {
    return byId(await commandsWhere(sql, sql`c.id = any(${numbers(keys)})`))
  },
  async message_row(sql, keys) {
    const [messageIds, userIds] = pairs(keys)
    const rows = await sql<{ user_id: number; message: Message }[]>`
      select seen.user_id, message_json(m, seen.user_id) as message
      from unnest(${messageIds}::bigint[], ${userIds}::bigint[]) as seen (message_id, user_id)
      join messages m on m.id = seen.message_id
      cross join lateral channel_access(m.channel_id, seen.user_id) ca
      where can_view(ca.permissions) and holds(ca.permissions, 'read_history')`
    return new Map(rows.map(({ user_id, message }) => [`${message.id}:${user_id}`, message]))
  },
  async permissions(sql, keys) {
    const [channelIds, userIds] = pairs(keys)
    const rows = await sql<{ key: string; permissions: number }[]>`
      select seen.channel_id || ':' || seen.user_id as key, ca.permissions
      from unnest(${channelIds}::bigint[], ${userIds}::bigint[]) as seen (channel_id, user_id)
      cross join lateral channel_access(seen.channel_id, seen.user_id) ca`
    return new Map(rows.map((row) => [row.key, row.permissions]))
  },
  async invite_code(sql, keys) {
    const rows = await sql<{ id: number; code: string }[]>`
      select id, code from invites where id = any(${numbers(keys)})`
    return new Map(rows.map(({ id, code }) => [String(id), code]))
  },
  async rule_trigger(sql, keys) {
    const rows = await sql<{ id: number; trigger: Trigger }[]>`
      select id, trigger from automod_rules where id = any(${numbers(keys)})`
    return new Map(rows.map(({ id, trigger }) => [String(id), trigger]))
  },
  async newest_pin(sql, keys) {
    const rows = await sql<{ id: number; pinned_at: string | null }[]>`
      select c.id, (select max(m.pinned_at) from messages m where m.channel_id = c.id and m.pinned_at is not null)
        as pinned_at
      from channels c where c.id = any(${numbers(keys)})`
    return new Map(rows.map(({ id, pinned_at }) => [String(id), pinned_at]))
  },
  async home_channel(sql, keys) {
    const rows = await sql<{ id: number; channel_id: number }[]>`
      select s.id, c.id as channel_id from servers s cross join lateral (
        select id from channels where server_id = s.id and type = 'text' and not restricted
        order by id = s.system_channel_id desc nulls last, id limit 1) c
      where s.id = any(${numbers(keys)})`
    return new Map(rows.map(({ id, channel_id }) => [String(id), channel_id]))
  },
  async calendar_event(sql, keys) {
    // The content and those who see it come from one statement, so that no change of the place is between them.
    const rows = await sql<{ event: CalendarEvent; is_cancelled: boolean; bot_ids: number[] }[]>`
      select event_json(e, null, now(), next.until) as event, e.cancelled_at is not null as is_cancelled,
        array_to_json(array(select r.bot_id from roles r
          where r.server_id = e.server_id and r.bot_id is not null and sees_event(e, r.bot_id))) as bot_ids
      from calendar_events e cross join lateral (${nextDate(sql)}) next where e.id = any(${numbers(keys)})`
    return byId(rows.map(({ event, ...more }) => ({ ...event, ...more })))
  },
  async server_events(sql, keys) {
    const [serverIds, userIds] = pairs(keys)
    const rows = await sql<{ key: string; event: CalendarEvent }[]>`
      select seen.server_id || ':' || seen.user_id as key, event_json(e, seen.user_id, now(), next.until) as event
      from unnest(${serverIds}::bigint[], ${userIds}::bigint[]) as seen (server_id, user_id)
      join calendar_events e on e.server_id = seen.server_id
      cross join lateral (${nextDate(sql)}) next
      where e.cancelled_at is null and next.until is not null and sees_event(e, seen.user_id) order by e.id`
    const grouped = Map.groupBy(rows, ({ key }) => key)
    return new Map(keys.map((key) => [key, (grouped.get(key) ?? []).map(({ event }) => event)]))
  },
  async channel_threads(sql, keys) {
    const rows = await sql<Channel[]>`
      select ${columns(sql, Channel, 'c')} from channels c
      where c.parent_id = any(${numbers(keys)}) and c.type = 'thread' and c.archived_at is null
        and c.hidden is not true
      order by c.active_at desc limit ${THREADS_MAX}`
    const grouped = Map.groupBy(rows, ({ parent_id }) => String(parent_id))
    return new Map(keys.map((key) => [key, grouped.get(key) ?? []]))
  },
}

async function load<K extends FactKind>(sql: Database, kind: K, keys: string[], loaded: Loaded): Promise<void> {
  const facts = await loaders[kind](sql, keys)
  const byKey: Map<string, FactKinds[K] | undefined> = loaded[kind] ?? new Map()
  for (const key of keys) byKey.set(key, facts.get(key))
  Object.assign(loaded, { [kind]: byKey })
}

/** Loads the missing facts into `loaded`. */
export async function loadFacts(sql: Database, missing: Lookup['missing'], loaded: Loaded): Promise<void> {
  await Promise.all([...missing].map(([kind, keys]) => load(sql, kind, [...keys], loaded)))
}
