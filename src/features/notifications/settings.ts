import type { z } from 'zod'
import { columns, type Sql, type Transaction } from '../../database/database.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { field } from '../../http/answers.ts'
import type { Emit } from '../../events/write.ts'
import { NotificationSetting, type NotificationPatch } from './model.ts'

/** A server, a channel of one, or a dm or group. */
export interface Place extends Pick<NotificationSetting, 'server_id' | 'channel_id'> {
  /** The channel that the account must see to be notified: for a thread, its parent. */
  audience_id: number | null
  isForum: boolean
}

const NOTHING = { level: null, muted_until: null, suppress_everyone: null, listed: null }

/** Settings per account, because `ready` lists them all. */
const SETTINGS_MAX = 1_000

/** An account's settings. */
export const settingsOf = (sql: Sql, user_id: number) => sql<NotificationSetting[]>`
  select ${columns(sql, NotificationSetting)} from notification_settings where user_id = ${user_id}
  order by server_id, channel_id nulls first`

function emitSetting(emit: Emit, user_id: number, place: Place, setting: NotificationSetting): void {
  const within = { server_id: place.server_id ?? undefined, channel_id: place.audience_id ?? undefined }
  emit(topic.user(user_id, within), 'notifications.updated', setting)
}

/**
 * Changes an account's setting for a place that it sees, and publishes it to its own sockets.
 * @throws Problem `too_many_settings`, `validation_failed`
 */
export async function changeSetting(
  sql: Transaction,
  emit: Emit,
  user_id: number,
  place: Place,
  change: z.infer<typeof NotificationPatch>,
): Promise<NotificationSetting> {
  const { server_id, channel_id } = place
  if (change.level === 'all_posts' && !place.isForum) throw field('level', 'Only a forum has posts')
  const [setting] = await sql<NotificationSetting[]>`
    insert into notification_settings ${sql({ user_id, server_id, channel_id, ...NOTHING, ...change })}
    on conflict on constraint one_setting_a_place do update set ${sql(change)}
    returning ${columns(sql, NotificationSetting)}`
  const [all] = await sql<{ count: number }[]>`
    select count(*)::int as count from notification_settings where user_id = ${user_id}`
  if (found(all).count > SETTINGS_MAX) throw new Problem('too_many_settings')
  emitSetting(emit, user_id, place, found(setting))
  return found(setting)
}

/** Removes an account's setting for a place, and publishes that to its own sockets. */
export async function removeSetting(sql: Transaction, emit: Emit, user_id: number, place: Place): Promise<void> {
  const { server_id, channel_id } = place
  const rows = await sql`delete from notification_settings where user_id = ${user_id}
    and server_id is not distinct from ${server_id} and channel_id is not distinct from ${channel_id}
    returning 1`
  if (rows.length > 0) emitSetting(emit, user_id, place, { server_id, channel_id, ...NOTHING })
}
