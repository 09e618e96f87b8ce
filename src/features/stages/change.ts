import { found, Problem } from '../../core/errors.ts'
import { topic as topics } from '../../core/events.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { field } from '../../http/answers.ts'
import type { Stage } from '../access/model.ts'
import { demand, type VisibleChannel, visibleChannel } from '../access/guard.ts'
import { channelColumns, type ChannelRow } from '../access/channel-rows.ts'
import { audit } from '../audit/record.ts'

/** The permissions that together make a member a moderator of a stage, as in Discord. */
export const MODERATOR_BITS = ['mute_members', 'move_members', 'manage_channels'] as const satisfies Permission[]

/** @throws Problem `missing_permission` */
export function demandModerator({ permissions }: Pick<VisibleChannel, 'permissions'>): void {
  for (const bit of MODERATOR_BITS) demand(permissions, bit)
}

/** A stage that the caller moderates. @throws Problem `not_found`, `missing_permission`, `validation_failed` */
export function demandStage(channel: VisibleChannel): number {
  if (channel.type !== 'stage' || channel.server_id === null) throw field('channel_id', 'Must be a stage')
  demandModerator(channel)
  return channel.server_id
}

type Change = 'started' | 'updated' | 'ended'

/** The author of a change, and its stage. */
interface Act {
  sql: Transaction
  emit: Emit
  channel_id: number
  actor_id: number
}

/**
 * Changes what a stage is about, for a moderator whose access does not change meanwhile.
 * @param next gets what runs, and returns what is to run; null: nothing
 */
async function change(
  { sql, emit, channel_id, actor_id }: Act,
  kind: Change,
  next: (now: Stage | null) => Promise<Stage | null>,
): Promise<Stage> {
  const server_id = demandStage(await visibleChannel(sql, channel_id, actor_id))
  await sql`select share_access(${server_id})`
  await sql`select 1 from channels where id = ${channel_id} for no key update`
  const channel = await visibleChannel(sql, channel_id, actor_id)
  demandStage(channel)
  const before = channel.stage ?? null
  const after = await next(before)
  await sql`update channels set stage = ${after && JSON.stringify(after)}::text::json where id = ${channel_id}`
  const stage = found(after ?? before, 'internal')
  const about = (state: Stage | null) => state && { topic: state.topic }
  const entry = { server_id, actor_id, action: `stage.${kind}` as const }
  await audit(sql, entry, ['channel', channel_id], about(before), about(after))
  emit(topics.seers(channel), `stage.${kind}`, { ...stage, channel_id, server_id })
  return stage
}

/** Starts a stage. @throws Problem `stage_running`, and those of `demandStage` */
export const startStage = (act: Act, topic: string): Promise<Stage> =>
  change(act, 'started', async (now) => {
    if (now) throw new Problem('stage_running')
    // Ids of channels, so that no run of a stage has the id of another, nor of a channel.
    const [row] = await act.sql<Pick<Stage, 'id' | 'started_at'>[]>`
      select nextval(pg_get_serial_sequence('channels', 'id')) as id, now()::timestamptz(3) as started_at`
    const { id, started_at } = found(row, 'internal')
    return { id, topic, started_by: act.actor_id, started_at }
  })

/** Changes the topic of a running stage. @throws Problem `not_found`, and those of `demandStage` */
export const editStage = (act: Act, topic: string): Promise<Stage> =>
  change(act, 'updated', async (now) => ({ ...found(now ?? undefined), topic }))

/**
 * Ends a stage whose call is over, if it still runs. No moderator does that, so the audit log has no entry.
 * @param endedMs how long ago the call ended; a stage that has been started since goes on
 */
export async function endEmptyStage(sql: Transaction, emit: Emit, channel_id: number, endedMs: number): Promise<void> {
  const [channel] = await sql<ChannelRow[]>`
    select ${channelColumns(sql)} from channels c where c.id = ${channel_id} and c.stage is not null
      and (c.stage->>'started_at')::timestamptz <= clock_timestamp() - ${endedMs} * interval '1 millisecond'
    for no key update of c`
  if (!channel?.stage || channel.server_id === null) return
  await sql`update channels set stage = null where id = ${channel_id}`
  emit(topics.seers(channel), 'stage.ended', { ...channel.stage, channel_id, server_id: channel.server_id })
}

/** Ends a running stage; its call goes on. @throws Problem `not_found`, and those of `demandStage` */
export const endStage = (act: Act): Promise<Stage> =>
  change(act, 'ended', async (now) => {
    found(now ?? undefined)
    return null
  })
