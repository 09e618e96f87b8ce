import { topic } from '../../core/events.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { RING_INTERVAL_SECONDS, RING_SECONDS } from './model.ts'

/**
 * Rings everyone in a dm or group except the caller, unless the conversation has just rung. Accounts that block the
 * caller, or that the caller blocks, are left out, and so are accounts that have not accepted the request that the dm
 * is. It rings silently for those who do not want to be disturbed, unless
 * the caller is a friend whose calls they let through. Locks the pairs and the call.
 */
export async function ring(sql: Transaction, emit: Emit, channel_id: number, me: number): Promise<void> {
  const [call] = await sql`update calls set rung_at = now() where channel_id = ${channel_id}
    and coalesce(rung_at < now() - ${RING_INTERVAL_SECONDS} * interval '1 second', true) returning 1`
  if (!call) return
  const rings = await sql<{ user_id: number; until: string; silent: boolean }[]>`
    insert into call_rings as ring (user_id, channel_id, until, silent)
    select p.user_id, p.channel_id, now() + ${RING_SECONDS} * interval '1 second',
      u.own_status is not distinct from 'dnd' and not exists (
        select from dnd_callers c where c.user_id = p.user_id and c.caller_id = ${me})
    from participants p join users u on u.id = p.user_id
    where p.channel_id = ${channel_id} and p.user_id <> ${me} and not stand_in_block(p.user_id, ${me})
      and p.request is distinct from 'waiting' and p.request is distinct from 'ignored'
    on conflict (user_id, channel_id) do update set until = excluded.until, silent = excluded.silent
    returning ring.user_id, iso(ring.until) as until, ring.silent`
  for (const { user_id, until, silent } of rings)
    emit(topic.user(user_id, { channel_id }), 'call.ringing', { channel_id, by: me, until, silent })
}

/** Stops ringing. @param which a condition on call_rings `ring` */
export async function stopRinging(
  sql: Transaction,
  emit: Emit,
  which: ReturnType<Sql>,
  reason: 'answered' | 'unanswered' | 'over',
): Promise<void> {
  const rings = await sql<{ user_id: number; channel_id: number }[]>`
    delete from call_rings ring where ${which} returning ring.user_id, ring.channel_id`
  for (const { user_id, channel_id } of rings)
    emit(topic.user(user_id, { channel_id }), 'call.ended', { channel_id, reason })
}

/**
 * After a block: neither account rings the other any more, and their dm call ends. Group calls continue. The caller has
 * locked both accounts.
 */
export async function partCallers(
  sql: Transaction,
  emit: Emit,
  notify: Notify,
  me: number,
  other: number,
): Promise<void> {
  const between: ReturnType<Sql> = sql`ring.user_id in (${me}, ${other}) and exists (select from calls c
    where c.channel_id = ring.channel_id and c.started_by in (${me}, ${other}) and c.started_by <> ring.user_id)`
  await stopRinging(sql, emit, between, 'over')
  const [call] = await sql`select 1 from participants p join calls c using (channel_id)
    where p.user_id = ${me} and p.other_id = ${other} and c.ended_at is null`
  if (call) notify({ kind: 'access_changed', user_ids: [me, other] })
}
