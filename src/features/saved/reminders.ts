import { topic } from '../../core/events.ts'
import type { Transaction } from '../../database/database.ts'
import { BatchJob } from '../../events/batch-job.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { queueReminder } from '../push/outbox.ts'
import type { SavedMark } from './model.ts'
import { emitSaved, isReadable, markColumns } from './saved.ts'

const PERIOD_MS = 1_000
/** Reminders per transaction, each with one event. */
const BATCH_MAX = 200
const BATCHES_MAX = 20

/**
 * Announces reminders when their time comes, once, to all sockets and devices of their accounts. Removes a saved
 * message whose account may not read it any more. Runs on one process and resumes after a restart.
 */
export class Reminders extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(parts, {
      name: 'reminders',
      periodMs: PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: (sql) => sql`select from saved_messages where remind_at <= now() and not is_announced limit 1`,
      batch: announce,
    })
  }
}

interface DueRow extends SavedMark {
  user_id: number
  audience_id: number
  is_readable: boolean
}

async function announce(sql: Transaction, emit: Emit): Promise<boolean> {
  const rows = await sql<DueRow[]>`
    select s.user_id, c.audience_id, ${isReadable(sql, sql`s.user_id`)} as is_readable, ${markColumns(sql)}
    from (
      select * from saved_messages where remind_at <= now() and not is_announced
      order by remind_at limit ${BATCH_MAX} for update skip locked
    ) s join messages m on m.id = s.message_id join channels c on c.id = m.channel_id`
  for (const { user_id, audience_id, is_readable, ...mark } of rows) {
    const { message_id } = mark
    if (is_readable) emitSaved(emit, user_id, mark, audience_id)
    else emit(topic.user(user_id), 'saved.removed', { message_id })
    const condition = sql`user_id = ${user_id} and message_id = ${message_id}`
    if (is_readable) await queueReminder(sql, { user_id, channel_id: mark.channel_id, message_id })
    if (is_readable) await sql`update saved_messages set is_announced = true where ${condition}`
    else await sql`delete from saved_messages where ${condition}`
  }
  return rows.length === BATCH_MAX
}
