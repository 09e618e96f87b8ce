import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { membership } from '../../features/access/guard.ts'
import { selectMembers } from '../../features/members/membership.ts'
import type { Member } from '../../features/members/model.ts'
import type { Status } from '../../features/status/model.ts'
import type { Facts } from '../facts.ts'
import type { Ids } from '../ids.ts'
import { presenceOf } from '../shapes/presences.ts'
import { memberOf } from '../shapes/users.ts'

const CHUNK_MAX = 1000
const NAMED_MAX = 100

export const MembersRequest = z.object({
  guild_id: z.union([z.string(), z.array(z.string()).length(1)]),
  query: z.string().max(100).nullish(),
  limit: z.int().min(0).nullish(),
  presences: z.boolean().nullish(),
  user_ids: z.union([z.string(), z.array(z.string()).max(NAMED_MAX)]).nullish(),
  nonce: z.string().max(32).nullish(),
})

interface Asked {
  user_id: number
  statusOf(userId: number): Status
  facts: Facts
  ids: Ids
}

/** The members that a request names or matches, at most a chunk. */
async function membersAfter(
  sql: Database,
  serverId: number,
  { query, limit }: { query: string; limit: number },
  userIds: number[] | undefined,
  after: number,
): Promise<Omit<Member, 'status'>[]> {
  const name = `${query.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const isNamed = userIds
    ? sql`m.user_id = any(${userIds})`
    : query === ''
      ? sql`true`
      : sql`coalesce(m.nickname, u.display_name) ilike ${name}`
  return selectMembers(
    sql,
    sql`m.server_id = ${serverId} and m.user_id > ${after} and ${isNamed} order by m.user_id limit ${limit}`,
  )
}

/**
 * Answers a bot's request for members of a server that it is in, in chunks.
 * @param mayListAll false for a bot without the intent for members, which only asks for some
 * @param send sends one chunk, and waits until the next may follow
 * @throws Problem `not_found` for a server that the bot is not in
 */
export async function sendMembers(
  sql: Database,
  request: z.infer<typeof MembersRequest>,
  { user_id, statusOf, facts, ids }: Asked,
  mayListAll: boolean,
  send: (body: object) => Promise<void>,
): Promise<void> {
  const [guild = ''] = [request.guild_id].flat()
  const serverId = (await ids.find('server', guild)) ?? 0
  await membership(sql, serverId, user_id)
  const named = request.user_ids === null || request.user_ids === undefined ? undefined : [request.user_ids].flat()
  const idOf = await ids.findAll((named ?? []).map((snowflake) => ({ kind: 'user', snowflake })))
  const userIds = named?.flatMap((snowflake) => idOf('user', snowflake) ?? [])
  const notFound = named?.filter((snowflake) => idOf('user', snowflake) === undefined) ?? []
  const isAll = !named && !request.query && !request.limit
  if (isAll && !mayListAll) return
  const [row] = await sql<{ count: number }[]>`select member_count as count from servers where id = ${serverId}`
  const chunks = isAll ? Math.max(1, Math.ceil((row?.count ?? 0) / CHUNK_MAX)) : 1
  const limit = isAll ? CHUNK_MAX : Math.min(request.limit || NAMED_MAX, CHUNK_MAX)
  let after = 0
  for (let chunk = 0; chunk < chunks; chunk++) {
    const members = await membersAfter(sql, serverId, { query: request.query ?? '', limit }, userIds, after)
    after = members.at(-1)?.user.id ?? after
    const body = await facts.resolve((of) => ({
      guild_id: of.id('server', serverId),
      members: members.map(({ user, ...member }) => memberOf(of, user, member)),
      chunk_index: chunk,
      chunk_count: chunks,
      not_found: notFound,
      ...(request.presences
        ? { presences: members.map(({ user }) => presenceOf(of, user.id, statusOf(user.id))) }
        : {}),
      ...(request.nonce ? { nonce: request.nonce } : {}),
    }))
    await send(body)
  }
}
