import { columns, type Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { freeName } from '../../core/free-name.ts'
import { Overwrite, type OwnOverwrite } from '../roles/model.ts'

const NAME_CODE_POINTS_MAX = 100
/** Above this many, an event carries no overwrites, and clients fetch them when needed. */
const OVERWRITES_SENT_MAX = 200

/**
 * Moves a category's channels out of it before it is deleted. Each channel gets the overwrites that it inherited, so
 * that permissions do not change, and goes to the end of the channels without a category. The caller has locked the
 * server's list.
 * @returns the ids of the channels
 */
export async function releaseChannels(
  sql: Transaction,
  emit: Emit,
  { id, server_id }: { id: number; server_id: number },
): Promise<number[]> {
  await sql`
    insert into overwrites (channel_id, role_id, allow, deny)
    select c.id, up.role_id, up.allow, up.deny
    from channels c join overwrites up on up.channel_id = c.parent_id where c.parent_id = ${id}
    on conflict (channel_id, role_id) do update set
      allow = overwrites.allow | (excluded.allow & ~(overwrites.allow | overwrites.deny)),
      deny = overwrites.deny | (excluded.deny & ~(overwrites.allow | overwrites.deny))`
  await sql`
    insert into member_overwrites (server_id, channel_id, user_id, allow, deny)
    select up.server_id, c.id, up.user_id, up.allow, up.deny
    from channels c join member_overwrites up on up.channel_id = c.parent_id where c.parent_id = ${id}
    on conflict (channel_id, user_id) do update set
      allow = member_overwrites.allow | (excluded.allow & ~(member_overwrites.allow | member_overwrites.deny)),
      deny = member_overwrites.deny | (excluded.deny & ~(member_overwrites.allow | member_overwrites.deny))`
  const children = await sql<{ id: number; name: string; restricted: boolean }[]>`
    select id, name, restricted from channels where parent_id = ${id} order by position, id`
  const overwrites = await sql<Overwrite[]>`
    select ${columns(sql, Overwrite)} from overwrites
    where channel_id = any(${children.map((child) => child.id)}) order by role_id`
  // With many channels, the overwrites would be megabytes per member.
  const areSent = overwrites.length <= OVERWRITES_SENT_MAX
  const rowsOf = Map.groupBy(overwrites, (row) => row.channel_id)
  for (const channel of children) {
    const payload = { id: channel.id, server_id, overwrites: areSent ? (rowsOf.get(channel.id) ?? []) : null }
    emit(topic.channel({ ...channel, server_id }), 'channel.permissions_updated', payload)
  }
  const ownOverwrites = await sql<(OwnOverwrite & { user_id: number })[]>`
    select o.user_id, o.channel_id, o.server_id, o.allow, o.deny from member_overwrites o
    join channel_permissions cp on cp.channel_id = o.channel_id and cp.user_id = o.user_id
    where o.channel_id = any(${children.map((child) => child.id)}) and can_view(cp.permissions)`
  for (const { user_id, ...own } of ownOverwrites)
    emit(topic.user(user_id, { server_id }), 'channel.own_overwrite_updated', own)
  const others = await sql<{ name: string }[]>`
    select name from channels
    where server_id = ${server_id} and parent_id is null and type in ('text', 'voice', 'forum', 'stage')`
  const takenNames = new Set(others.map(({ name }) => name))
  const offset = others.length
  const keptNames = new Set(children.map(({ name }) => name).filter((name) => !takenNames.has(name)))
  const names = children.map(({ name }) => {
    if (keptNames.has(name)) return name
    const free = freeName(name, takenNames.union(keptNames), NAME_CODE_POINTS_MAX, '-')
    takenNames.add(free)
    return free
  })
  await sql`
    update channels c set parent_id = null, name = free.name, position = ${offset} + free.place, updated_at = now()
    from unnest(${children.map((child) => child.id)}::bigint[], ${names}::text[])
      with ordinality as free (id, name, place)
    where c.id = free.id`
  return children.map((child) => child.id)
}
