import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { found } from '../../core/errors.ts'
import { holds } from '../../core/permissions.ts'
import type { VisibleChannel } from '../access/guard.ts'
import type { BotCommand, CommandDraft, OfferedCommand } from './model.ts'

/** Commands per channel, and bytes of their options, so that many bots in a server do not make its lists endless. */
const OFFERED_MAX = 500
const OFFERED_BYTES_MAX = 512 * 1024

/** The content of the column `options`. Localisations and contexts are absent where a command has none. */
type Details = Pick<
  BotCommand,
  'options' | 'subcommands' | 'name_localizations' | 'description_localizations' | 'contexts'
>
interface Row extends Omit<BotCommand, keyof Details> {
  options: Details
}

const commandFrom = <R extends Row>({ options, ...row }: R) => ({ ...row, ...options })

const columns = (sql: Sql) =>
  sql`c.id, c.application_id, c.server_id, c.kind, c.name, c.description, c.options, c.default_permissions`

/** Commands of bots. @param where a condition on commands `c` */
export async function commandsWhere(sql: Sql, where: ReturnType<Sql>): Promise<BotCommand[]> {
  const rows = await sql<Row[]>`select ${columns(sql)} from bot_commands c where ${where} order by c.kind, c.name`
  return rows.map(commandFrom)
}

/** A bot's commands in one server, or its global ones. */
export const commandsOf = (sql: Sql, botId: number, server_id: number | null): Promise<BotCommand[]> =>
  commandsWhere(sql, sql`c.application_id = ${botId} and c.server_id is not distinct from ${server_id}`)

/**
 * Replaces a bot's commands in one server, or its global ones. A command that keeps its name keeps its id.
 * @throws Problem `not_found` for a server that the bot is not in
 */
export function replaceCommands({ write }: Parts, botId: number, server_id: number | null, drafts: CommandDraft[]) {
  return write(async (sql) => {
    // Serialize replacements.
    found((await sql`select 1 from applications where id = ${botId} for update`)[0])
    if (server_id !== null)
      found((await sql`select 1 from members where server_id = ${server_id} and user_id = ${botId}`)[0])
    await sql`delete from bot_commands where application_id = ${botId} and server_id is not distinct from ${server_id}
      and kind || ' ' || name <> all (${drafts.map(({ kind, name }) => `${kind} ${name}`)})`
    for (const { kind, name, description, default_permissions, ...details } of drafts) {
      const fields = { kind, name, description, default_permissions }
      const row = { ...fields, options: sql.json(details), application_id: botId, server_id }
      await sql`insert into bot_commands ${sql(row)}
        on conflict (application_id, server_id, kind, name) do update set description = excluded.description,
          options = excluded.options, default_permissions = excluded.default_permissions`
    }
    return commandsOf(sql, botId, server_id)
  })
}

/** SQL for whether a command `c` is offered in such places. */
const isOffered = (sql: Sql, context: 'server' | 'dm') =>
  sql`(c.options -> 'contexts' is null
    or (c.options -> 'contexts')::jsonb @> ${JSON.stringify([context])}::text::jsonb)`

/**
 * The commands that a caller may use in a channel: those of bots that see it, or of the bot in the dm. If there are too
 * many, each bot's first commands have priority.
 * @param channel with the caller's permissions there
 * @param id only this command
 */
export async function usableCommands(
  sql: Sql,
  userId: number,
  channel: VisibleChannel,
  id?: number,
): Promise<OfferedCommand[]> {
  const { id: channelId, server_id, permissions } = channel
  if (server_id !== null && !holds(permissions, 'use_commands')) return []
  const condition =
    server_id === null
      ? sql`c.server_id is null and c.application_id in (
          select other_id from participants where channel_id = ${channelId} and user_id = ${userId})
          and ${isOffered(sql, 'dm')}`
      : sql`(c.server_id is null or c.server_id = ${server_id}) and ${isOffered(sql, 'server')}
        and c.application_id in (
          select m.user_id from members m join applications a on a.id = m.user_id
          where m.server_id = ${server_id}
            and can_view((select ca.permissions from channel_access(${channelId}, m.user_id) ca)))`
  const rows = await sql<(Row & Pick<OfferedCommand, 'bot'>)[]>`
    select ${columns(sql)}, public_user(bot) as bot from (
      select f.*, sum(octet_length(f.options::text)) over (order by f.own, f.name, f.id) as bytes from (
        select c.*, row_number() over (partition by c.application_id order by c.name, c.id) as own
        from bot_commands c
        where ${condition} and ${id === undefined ? sql`true` : sql`c.id = ${id}`}
          and c.default_permissions & ~${permissions}::bigint = 0
        order by own, c.name, c.id limit ${OFFERED_MAX}) f) c
    join users bot on bot.id = c.application_id where c.bytes <= ${OFFERED_BYTES_MAX} order by c.name, c.id`
  return rows.map(commandFrom)
}
