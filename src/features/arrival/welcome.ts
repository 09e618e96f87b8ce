import type { Json, Sql, Transaction } from '../../database/database.ts'
import { field } from '../../http/answers.ts'
import type { Welcome, WelcomeDraft } from './model.ts'

interface Member {
  server_id: number
  user_id: number
}

/** Text and voice channels of the server that the member sees, among these. */
async function visibleOf(sql: Sql, { server_id, user_id }: Member, ids: number[]): Promise<Set<number>> {
  const rows = await sql<{ id: number }[]>`
    select c.id from channels c join channel_permissions cp on cp.channel_id = c.id and cp.user_id = ${user_id}
    where c.server_id = ${server_id} and c.type in ('text', 'voice', 'stage') and can_view(cp.permissions)
      and c.id = any(${ids})`
  return new Set(rows.map(({ id }) => id))
}

/** The welcome of a server, with the channels that the member sees; empty where none was set. */
export async function selectWelcome(sql: Sql, member: Member): Promise<Welcome> {
  const { server_id } = member
  const [welcome] = await sql<Pick<Welcome, 'content' | 'channels'>[]>`
    select content, channels from welcomes where server_id = ${server_id}`
  if (!welcome) return { server_id, content: '', channels: [] }
  const ids = welcome.channels.map(({ channel_id }) => channel_id)
  const visibleIds = await visibleOf(sql, member, ids)
  return { server_id, ...welcome, channels: welcome.channels.filter(({ channel_id }) => visibleIds.has(channel_id)) }
}

/** Replaces the welcome of the locked server. @throws Problem `validation_failed` for channels that are not its own */
export async function changeWelcome(
  sql: Transaction,
  member: Member,
  { content, channels }: WelcomeDraft,
): Promise<void> {
  const ids = channels.map(({ channel_id }) => channel_id)
  if ((await visibleOf(sql, member, ids)).size < ids.length)
    throw field('channels', 'Channels must be text or voice channels of this server')
  const fields = { content, channels: sql.json(channels as unknown as Json) }
  await sql`insert into welcomes ${sql({ server_id: member.server_id, ...fields })}
    on conflict (server_id) do update set ${sql(fields)}`
}
