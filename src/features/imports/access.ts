import { bitOf, common, union, without } from '../../core/permissions.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Write } from '../../events/write.ts'
import { lockServer } from '../access/guard.ts'
import { MEMBER_OVERWRITES_MAX } from '../members/member-overwrites.ts'
import type { GuildAccess } from './discord-rest.ts'
import { type ImportedServer, isThread, isVoice } from './imported-server.ts'
import { type Bits, GuildOverwrites, PERSON } from './overwrites.ts'
import type { Report } from './report.ts'
import type { Survey } from './survey.ts'

const MEMBERS_AT_ONCE = 500
const VIEW = bitOf('view_channel')

/** A channel that the import created, and its source. */
interface CreatedChannel {
  id: number
  source: string
  type: string
  parent_id: number | null
}

/** The bits of a role or an account in a channel. */
type ChannelBits = { channel_id: number; id: number } & Bits

/** Adds all roles, silent members and descriptions of stickers, which the bot's token fetched, to the survey. */
export function addAccess({ guild, roles, people, names, stickerTexts }: Survey, access: GuildAccess): void {
  for (const { id, description } of access.stickers) if (description) stickerTexts.set(id, description)
  for (const { id, name, color, position } of access.roles) {
    const hex = color === 0 ? null : `#${color.toString(16).padStart(6, '0')}`
    if (id !== guild.id) roles.set(id, { name, color: hex, position })
  }
  for (const { user, nick } of access.members) {
    if (people.has(user.id)) continue
    people.set(user.id, { id: user.id, name: nick || user.global_name || user.username, avatar: undefined })
    names.set(user.id, 1)
  }
}

/** Reports roles and overwrites that have no equivalent here. */
export function noteAccess({ guild, channels, people: imported }: Survey, access: GuildAccess, report: Report): void {
  if (!access.automod) report.note('automod_unread', guild.name)
  const overwrites = new GuildOverwrites(guild.id, access.roles)
  const importedIds = new Set<string>()
  const openCategories = new Map<string, string>()
  for (const channel of channels.values()) {
    const { id, name, type, categoryId, category } = channel
    importedIds.add(id).add(categoryId ?? '')
    if (isThread(channel)) continue
    const discordChannel = access.channels.get(id)
    const above = access.channels.get(categoryId ?? '')
    if (!discordChannel) report.note('unknown_channel', name)
    else if (above && isOpened(overwrites.bitsByRole(above), overwrites.bitsByRole(discordChannel, type)))
      openCategories.set(above.id, category ?? '')
  }
  for (const name of openCategories.values()) report.note('open_category', name)
  for (const { id, name, permission_overwrites } of access.channels.values()) {
    const people = permission_overwrites.filter(({ type }) => type === PERSON)
    const closingBits = union(VIEW, isVoice({ type: channels.get(id)?.type ?? '' }) ? bitOf('connect') : 0)
    const excludedCount = people.filter(({ deny }) => importedIds.has(id) && common(deny, closingBits) > 0).length
    if (excludedCount > 0) report.note('shut_out', name ?? undefined, excludedCount)
    const unknownCount = people.filter((person) => !imported.has(person.id)).length
    const lostCount = Math.max(unknownCount, people.length - MEMBER_OVERWRITES_MAX)
    if (lostCount > 0) report.note('person_overwrite', name ?? undefined, lostCount)
  }
}

/** True if a category denies a role access, and the channel inside has no overwrite for it. */
const isOpened = (category: Map<string, Bits>, inside: Map<string, Bits>): boolean =>
  [...category].some(([id, { deny }]) => {
    const insideBits = inside.get(id)
    return common(deny, VIEW) > 0 && common(union(insideBits?.allow ?? 0, insideBits?.deny ?? 0), VIEW) === 0
  })

/** Makes members of imported authors who are members on Discord, with their roles. */
export async function makeMembers(write: Write, server: ImportedServer, { members }: GuildAccess): Promise<void> {
  const rows = members.flatMap(({ user, roles, joined_at }) => {
    const user_id = server.account(user.id)
    const role_ids = roles.map((id) => server.role(id)).filter((id) => id !== undefined)
    return user_id === undefined ? [] : [{ user_id, role_ids, joined_at: joined_at ?? null }]
  })
  rows.sort((a, b) => a.user_id - b.user_id)
  const { server_id } = server
  for (let at = 0; at < rows.length; at += MEMBERS_AT_ONCE) {
    const page = JSON.stringify(rows.slice(at, at + MEMBERS_AT_ONCE))
    await write(async (sql) => {
      await lockServer(sql, server_id)
      await sql`select share_access(${server_id})`
      await sql`insert into members (server_id, user_id, joined_at)
        select ${server_id}, u.id, coalesce(given.joined_at, now())
        from json_to_recordset(${page}::text::json) as given (user_id bigint, joined_at timestamptz)
        join users u on u.id = given.user_id where u.deleted_at is null on conflict do nothing`
      await sql`insert into member_roles (server_id, user_id, role_id)
        select m.server_id, m.user_id, r.id
        from json_to_recordset(${page}::text::json) as given (user_id bigint, role_ids bigint[])
        join members m on m.server_id = ${server_id} and m.user_id = given.user_id
        join roles r on r.server_id = m.server_id and r.id = any(given.role_ids) on conflict do nothing`
    })
  }
}

/** Applies Discord's permissions to roles and channels of the locked server. */
export async function grant(sql: Transaction, server: ImportedServer, survey: Survey, access: GuildAccess) {
  const { server_id } = server
  const guildId = survey.guild.id
  await sql`select change_access(${server_id})`
  const everyone = await everyoneOf(sql, server_id)
  const roleOf = (id: string) => (id === guildId ? everyone : server.role(id))
  const roles = access.roles
    .toSorted((a, b) => a.position - b.position || (BigInt(a.id) > BigInt(b.id) ? -1 : 1))
    .flatMap(({ id, permissions, hoist, mentionable }) => {
      const role_id = roleOf(id)
      return role_id === undefined ? [] : [{ role_id, permissions, hoist, mentionable }]
    })
  // Roles that no longer exist on Discord go below the others, without permissions.
  await sql`update roles r set permissions = given.permissions, hoist = given.hoist, mentionable = given.mentionable,
      position = case when r.is_everyone then 0 else 250 + given.nth end
    from json_to_recordset(${JSON.stringify(roles.map((role, nth) => ({ ...role, nth })))}::text::json)
      as given (role_id bigint, permissions bigint, hoist boolean, mentionable boolean, nth int)
    where r.id = given.role_id`
  await sql`update roles r set position = o.nth
    from (select id, row_number() over (order by position, id) as nth from roles
      where server_id = ${server_id} and not is_everyone) o where r.id = o.id`
  const channels = await sql<CreatedChannel[]>`select c.id, p.source, c.type, c.parent_id
    from import_parts p join channels c on c.id = p.target_id
    where p.import_id = ${server.id} and p.kind = 'channel' and c.type <> 'thread'`
  const overwrites = new GuildOverwrites(guildId, access.roles)
  const rows = overwritesOf(
    channels,
    ({ source }) => {
      const channel = access.channels.get(source)
      return channel && overwrites.bitsByRole(channel, survey.channels.get(source)?.type)
    },
    roleOf,
    everyone,
  ).map(({ id: role_id, ...row }) => ({ ...row, role_id }))
  const memberRows = overwritesOf(
    channels,
    ({ source }) => {
      const channel = access.channels.get(source)
      return channel && overwrites.bitsByPerson(channel, survey.channels.get(source)?.type)
    },
    (id) => server.account(id),
  )
  await grantMembers(sql, server_id, memberRows)
  await sql`delete from overwrites where channel_id = any(${channels.map(({ id }) => id)})`
  if (rows.length > 0)
    await sql`insert into overwrites (channel_id, role_id, allow, deny) select channel_id, role_id, allow, deny
      from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as o (channel_id bigint, role_id bigint, allow bigint, deny bigint)`
  await sql`select count(*) from refresh_restricted(${server_id})`
}

/** Stores the overwrites of people: of the first ones of a channel, and allowed bits only for members. */
async function grantMembers(sql: Transaction, server_id: number, rows: ChannelBits[]): Promise<void> {
  if (rows.length === 0) return
  const rowsWithin = [...Map.groupBy(rows, (row) => row.channel_id).values()].flatMap((ofChannel) =>
    ofChannel.toSorted((a, b) => b.deny - a.deny).slice(0, MEMBER_OVERWRITES_MAX),
  )
  await sql`insert into member_overwrites (server_id, channel_id, user_id, allow, deny)
    select ${server_id}, o.channel_id, o.id, case when m.user_id is null then 0 else o.allow end, o.deny
    from json_to_recordset(${JSON.stringify(rowsWithin)}::text::json)
      as o (channel_id bigint, id bigint, allow bigint, deny bigint)
    left join members m on m.server_id = ${server_id} and m.user_id = o.id
    where o.deny > 0 or m.user_id is not null on conflict do nothing`
}

async function everyoneOf(sql: Sql, server_id: number): Promise<number> {
  const [everyone] = await sql<[{ id: number }]>`
    select id from roles where server_id = ${server_id} and is_everyone`
  return everyone.id
}

/**
 * The overwrites that reproduce Discord's permissions. A channel that Discord does not have, such as one made of a
 * private thread, is closed.
 * @param bitsOf Discord's channel permissions of roles, by Discord's ids
 * @param idOf the role or account of an id on Discord
 * @param everyone the role that every member has, for overwrites of roles
 */
function overwritesOf(
  channels: CreatedChannel[],
  bitsOf: (channel: CreatedChannel) => Map<string, Bits> | undefined,
  idOf: (id: string) => number | undefined,
  everyone?: number,
): ChannelBits[] {
  const all = new Map<number, Map<number, Bits>>()
  const closedChannels: CreatedChannel[] = []
  for (const channel of channels) {
    const discordBits = bitsOf(channel)
    if (!discordBits && channel.type !== 'category') closedChannels.push(channel)
    const entries = [...(discordBits ?? [])].flatMap(([id, bits]) => {
      const ownId = idOf(id)
      return ownId === undefined ? [] : [[ownId, bits] as const]
    })
    all.set(channel.id, new Map(entries))
  }
  const closedIds = new Set(closedChannels.map(({ id }) => id))
  for (const { id } of channels.filter(({ type }) => type === 'category')) {
    const inside = channels.filter(({ id: child, parent_id }) => parent_id === id && !closedIds.has(child))
    // Here a category's overwrites also apply in its channels; on Discord they do not. Keep the bits that every channel
    // inside sets itself.
    for (const [ownId, bits] of all.get(id) ?? [])
      for (const channel of inside) {
        const channelBits = all.get(channel.id)?.get(ownId)
        const open = without(union(bits.allow, bits.deny), union(channelBits?.allow ?? 0, channelBits?.deny ?? 0))
        bits.allow = without(bits.allow, open)
        bits.deny = without(bits.deny, open)
      }
  }
  for (const { id, parent_id } of closedChannels) {
    const ids = [...(everyone === undefined ? [] : [everyone]), ...(all.get(parent_id ?? 0)?.keys() ?? [])]
    all.set(id, new Map(ids.map((ownId) => [ownId, { allow: 0, deny: VIEW }])))
  }
  return [...all].flatMap(([channel_id, entries]) =>
    [...entries].flatMap(([id, bits]) => (bits.allow === 0 && bits.deny === 0 ? [] : [{ channel_id, id, ...bits }])),
  )
}
