import type { z } from 'zod'
import { columns, type Sql, type Transaction } from '../../database/database.ts'
import { topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import type { Emit } from '../../events/write.ts'
import { NotificationSetting, type NotificationPatch } from './model.ts'

/** A server, a channel of one, or a dm or group. */
type Place = Pick<NotificationSetting, 'server_id' | 'channel_id'>

const NOTHING = { level: null, muted_until: null, suppress_everyone: null }

/** What an account has set. */
export const settingsOf = (sql: Sql, user_id: number) => sql<NotificationSetting[]>`
  select ${columns(sql, NotificationSetting)} from notification_settings where user_id = ${user_id}
  order by server_id, channel_id nulls first`

const emitSetting = (emit: Emit, user_id: number, setting: NotificationSetting): void => {
  const { server_id, channel_id } = setting
  const within = { server_id: server_id ?? undefined, channel_id: channel_id ?? undefined }
  emit(topic.user(user_id, within), 'notifications.updated', setting)
}

/** Changes what an account has set for a place that it sees, and publishes it to its own sockets. */
export async function changeSetting(
  sql: Transaction,
  emit: Emit,
  user_id: number,
  place: Place,
  change: z.infer<typeof NotificationPatch>,
): Promise<NotificationSetting> {
  const [setting] = await sql<NotificationSetting[]>`
    insert into notification_settings ${sql({ user_id, ...place, ...NOTHING, ...change })}
    on conflict on constraint one_setting_a_place do update set ${sql(change)}
    returning ${columns(sql, NotificationSetting)}`
  emitSetting(emit, user_id, found(setting))
  return found(setting)
}

/** Removes what an account has set for a place, and publishes it to its own sockets. */
export async function removeSetting(sql: Transaction, emit: Emit, user_id: number, place: Place): Promise<void> {
  const gone = await sql`delete from notification_settings where user_id = ${user_id}
    and server_id is not distinct from ${place.server_id} and channel_id is not distinct from ${place.channel_id}
    returning 1`
  if (gone.length > 0) emitSetting(emit, user_id, { ...place, ...NOTHING })
}
