import { ephemeralFrame, topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import type { PublicUser } from '../../core/schema.ts'
import type { Transaction } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { demandContact, isRequested } from '../access/contact.ts'
import { demand } from '../access/guard.ts'
import { audienceOf } from '../access/place.ts'
import { lockedChannel } from './acknowledge.ts'

/**
 * Announces to everybody who sees a channel that the account is typing there; to nobody while the dm is a request.
 * Published before the commit, so that nobody loses access to the channel in between.
 * @param isInvisible the account does not want to be seen: the command is checked, and announced to nobody
 * @throws Problem `not_found`, `missing_permission`, `cannot_contact`
 */
export const typeIn = (
  { sql, bus }: Pick<Parts, 'sql' | 'bus'>,
  user_id: number,
  channel_id: number,
  isInvisible: boolean,
) =>
  sql.begin(async (tx) => {
    const channel = await lockedChannel(tx, channel_id, user_id)
    if (channel.type === 'category' || channel.type === 'forum')
      throw new Problem('forbidden', 'Messages cannot be sent to a category or forum')
    demand(channel.permissions, channel.type === 'thread' ? 'send_in_threads' : 'send_messages')
    if (channel.locked) demand(channel.permissions, 'manage_threads')
    const user = await publicUser(tx, user_id)
    const others = channel.participant_ids.filter((id) => id !== user_id)
    if (channel.type === 'dm') {
      const partnerId = await partnerIn(tx, channel_id, user_id)
      await demandContact(tx, user_id, partnerId)
      if (await isRequested(tx, channel_id, [user_id, partnerId])) return {}
    }
    if (isInvisible) return {}
    const audiences = channel.server_id === null ? others.map((id) => topic.user(id)) : await audienceOf(tx, channel)
    const typing = { channel_id, ...(channel.type === 'dm' ? { user_id } : {}), user }
    for (const to of audiences) bus.publish(ephemeralFrame(to, 'typing.started', typing))
    return {}
  })

/**
 * typeIn for the dm with a person. Without a message there, the other account does not see the dm, so nothing is sent.
 * @throws Problem `cannot_target_self`, `not_found`, `cannot_contact`
 */
export async function typeTo(
  parts: Pick<Parts, 'sql' | 'bus'>,
  user_id: number,
  otherId: number,
  isInvisible: boolean,
) {
  if (user_id === otherId) throw new Problem('cannot_target_self')
  const [row] = await parts.sql<{ channel_id: number | null }[]>`
    select p.channel_id from users u
    left join participants p on p.user_id = ${user_id} and p.other_id = u.id and p.is_open where u.id = ${otherId}`
  const { channel_id } = found(row)
  if (channel_id !== null) return typeIn(parts, user_id, channel_id, isInvisible)
  await demandContact(parts.sql, user_id, otherId)
  return {}
}

async function partnerIn(sql: Transaction, channel_id: number, user_id: number): Promise<number> {
  const [row] = await sql<{ other_id: number }[]>`
    select other_id from participants where channel_id = ${channel_id} and user_id = ${user_id}`
  return found(row).other_id
}

async function publicUser(sql: Transaction, id: number): Promise<PublicUser> {
  const [row] = await sql<{ user: PublicUser }[]>`select public_user(u) as user from users u where u.id = ${id}`
  return found(row).user
}
