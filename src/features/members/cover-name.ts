import type { Parts } from '../../parts.ts'
import { lockServer } from '../access/guard.ts'
import { audit } from '../audit/record.ts'
import { announceMember } from './membership.ts'
import type { StatusOf } from '../status/model.ts'

/** Says nothing, and is the same in every language; the account's own name stays everywhere else. */
const neutralNickname = (userId: number): string => `Member ${userId}`

/**
 * Covers the display name of a member by a neutral nickname, in a server whose rules about profiles it breaks. Call
 * after the member has joined, and after its name has changed or its nickname was removed.
 */
export async function coverName(
  parts: Pick<Parts, 'sql' | 'write' | 'judge'>,
  server_id: number,
  user_id: number,
  statusOf: StatusOf,
): Promise<void> {
  if (parts.judge.isIdle()) return
  const [member] = await parts.sql<{ name: string }[]>`
    select u.display_name as name from members m join users u on u.id = m.user_id
    where m.server_id = ${server_id} and m.user_id = ${user_id} and m.nickname is null`
  if (!member) return
  const { name } = member
  const saying = { author_id: user_id, place: { server_id }, texts: [name], isName: true }
  if (!(await parts.judge.breaks(saying))) return
  await parts.write(async (sql, emit) => {
    await lockServer(sql, server_id)
    const nickname = neutralNickname(user_id)
    // Not the name that was judged any more: whoever changed it judges it again.
    const [covered] = await sql`update members m set nickname = ${nickname} from users u
      where m.server_id = ${server_id} and m.user_id = ${user_id} and m.nickname is null
        and u.id = m.user_id and u.display_name = ${name} returning 1`
    if (!covered) return
    await announceMember(sql, emit, { server_id, user_id }, statusOf(user_id))
    const entry = { server_id, actor_id: user_id, action: 'automod.renamed' as const }
    await audit(sql, entry, ['member', user_id], { nickname: null }, { nickname })
  })
}

/** coverName in every server of the account. */
export async function coverNames(
  parts: Pick<Parts, 'sql' | 'write' | 'judge'>,
  userId: number,
  statusOf: StatusOf,
): Promise<void> {
  if (parts.judge.isIdle()) return
  const servers = await parts.sql<{ server_id: number }[]>`select server_id from members where user_id = ${userId}`
  for (const { server_id } of servers) await coverName(parts, server_id, userId, statusOf)
}
