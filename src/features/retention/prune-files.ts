import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { type CarriedFile, removeFiles } from '../lifecycle/erasure.ts'
import { blankEvents } from '../messages/remove.ts'
import { isPicture } from './prune-messages.ts'

/** Files per transaction; each causes an event for its message. */
const FILES_BATCH_MAX = 100

/** Age and size from which files of messages are deleted. */
export interface FileRetention {
  days: number
  bytesMin: number
}

/** Expired files of messages, except avatars and icons, oldest first. */
const dueFiles = (sql: Sql, { days, bytesMin }: FileRetention) => sql`
  select f.id, f.message_id, f.created_at from files f
  where f.message_id is not null and f.size >= ${bytesMin}
    and f.created_at < now() - ${days} * interval '1 day'
    and not ${isPicture(sql)}
  order by f.created_at`

/** How overdue the oldest expired file is, seconds; 0 if none is due. */
export async function filesOverdue(sql: Sql, retention: FileRetention): Promise<number> {
  const [oldest] = await sql<{ overdue_s: number }[]>`
    select extract(epoch from now() - ${retention.days} * interval '1 day' - created_at)::float8 as overdue_s
    from (${dueFiles(sql, retention)} limit 1) f`
  return oldest?.overdue_s ?? 0
}

/**
 * Deletes the oldest expired files, at most FILES_BATCH_MAX, and removes them from the event log; publishes their
 * messages, which stay.
 * @returns true if the batch is full, so that more may be due
 */
export async function pruneFiles(sql: Transaction, emit: Emit, retention: FileRetention): Promise<boolean> {
  const files = await sql<CarriedFile[]>`${dueFiles(sql, retention)} limit ${FILES_BATCH_MAX}`
  if (files.length === 0) return false
  await removeFiles(sql, emit, files)
  await blankEvents(
    sql,
    files.flatMap((file) => file.message_id ?? []),
  )
  return files.length === FILES_BATCH_MAX
}
