import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { found, Problem } from '../../core/errors.ts'
import { topic } from '../../core/events.ts'
import { demandContact } from '../access/contact.ts'
import { noteCall } from '../messages/requests.ts'
import { lockedChannel } from '../messages/acknowledge.ts'
import { sendNotice } from '../messages/notice.ts'
import { ring, stopRinging } from './rings.ts'

interface Call {
  started_by: number
  started_at: string
  ended_at: string
  participant_ids: number[]
  /** True if the call has rung anybody. */
  rang: boolean
}

/**
 * Records that an account joins the call of a dm or group. The first to join starts the call and rings the others; an
 * account that joins stops ringing.
 * @throws Problem `not_found`; `cannot_contact` in a dm: to start a call under the same rules as for a message, to join
 * a running one only if a block exists
 */
export async function enterCall(sql: Transaction, emit: Emit, channel_id: number, me: number): Promise<void> {
  const { type } = await lockedChannel(sql, channel_id, me)
  // A concurrent block waits until the ring exists, so that it can stop the ring.
  await sql`select lock_pair(least(p.user_id, ${me}), greatest(p.user_id, ${me})) from participants p
    where p.channel_id = ${channel_id} and p.user_id <> ${me}
    order by least(p.user_id, ${me}), greatest(p.user_id, ${me})`
  const others = await sql<{ user_id: number }[]>`
    select u.id as user_id from users u join participants p on p.channel_id = ${channel_id} and p.user_id = u.id
    where u.id <> ${me} order by u.id for key share of u`
  if (type === 'dm') await sql`select lock_requests(${me}, ${channel_id})`
  await sql`insert into calls (channel_id, started_by, participant_ids, ended_at)
    values (${channel_id}, ${me}, '{}', now()) on conflict do nothing`
  const [call] = await sql<{ ended: boolean }[]>`
    select ended_at is not null as ended from calls where channel_id = ${channel_id} for update`
  const isNewCall = found(call).ended
  for (const { user_id } of type === 'dm' ? others : [])
    if (isNewCall) await demandContact(sql, me, user_id)
    else await demandNoBlock(sql, me, user_id)
  if (isNewCall) {
    await sql`update calls set started_by = ${me}, started_at = now(), participant_ids = ${[me]}, alive_at = now(),
      ended_at = null where channel_id = ${channel_id}`
    if (type === 'dm') await noteCall(sql, emit, channel_id, me)
    // A dm without messages is hidden from the other account, so show it from now on.
    await sql`update participants set is_open = true where channel_id = ${channel_id} and not is_open`
    return ring(sql, emit, channel_id, me)
  }
  if (type === 'dm') await noteCall(sql, emit, channel_id, me)
  await sql`update calls set participant_ids = participant_ids || ${me}::bigint
    where channel_id = ${channel_id} and ${me} <> all (participant_ids)`
  await stopRinging(sql, emit, sql`ring.channel_id = ${channel_id} and ring.user_id = ${me}`, 'answered')
}

async function demandNoBlock(sql: Transaction, me: number, other: number): Promise<void> {
  const [row] = await sql<{ peace: boolean }[]>`select not stand_in_block(${me}, ${other}) as peace`
  if (!row?.peace) throw new Problem('cannot_contact')
}

/**
 * Ends the call of a dm or group: stops ringing, and posts a message about the call unless nobody was rung and nobody
 * else joined. Does nothing if the call has already ended.
 * @param silentS end the call only if no process has refreshed it for this many seconds; that is then its end
 */
export async function endCall(sql: Transaction, emit: Emit, channel_id: number, silentS = 0): Promise<void> {
  await sql`select share_channel(c) from channels c where c.id = ${channel_id}`
  await sql`select 1 from users u join participants p on p.channel_id = ${channel_id} and p.user_id = u.id
    order by u.id for key share of u`
  const [call] = await sql<Call[]>`
    update calls set ended_at = case when ${silentS} > 0 then alive_at else now() end
    where channel_id = ${channel_id} and ended_at is null
      and (${silentS} = 0 or alive_at < now() - ${silentS} * interval '1 second')
    returning started_by, iso(started_at) as started_at, iso(ended_at) as ended_at, participant_ids,
      coalesce(rung_at >= started_at, false) as rang`
  if (!call) return
  await stopRinging(sql, emit, sql`ring.channel_id = ${channel_id}`, 'over')
  const { rang, started_by, ...times } = call
  const isMissed = times.participant_ids.length < 2
  if (rang || !isMissed) await sendNotice(sql, emit, channel_id, started_by, 'call', { ...times, missed: isMissed })
}

/** Declines a call: the account's devices stop ringing. Does nothing if they do not ring. */
export async function declineCall(sql: Transaction, emit: Emit, channel_id: number, me: number): Promise<void> {
  const { participant_ids } = await lockedChannel(sql, channel_id, me)
  const deletedRings = await sql`
    delete from call_rings where channel_id = ${channel_id} and user_id = ${me} returning 1`
  if (deletedRings.length === 0) return
  const topics = participant_ids.map((id) => topic.user(id, { channel_id }))
  emit(topics, 'call.declined', { channel_id, user_id: me })
}
