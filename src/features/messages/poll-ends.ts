import { Problem } from '../../core/errors.ts'
import type { Transaction } from '../../database/database.ts'
import { BatchJob } from '../../events/batch-job.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { demand } from '../access/guard.ts'
import { lockedLocation, lockedPlace, type MessageLocation } from '../access/place.ts'
import { emitPoll, lockPoll, newsColumns, type PollNews } from '../polls/vote.ts'
import { sendNotice } from './notice.ts'

const PERIOD_MS = 1_000
/** Ends per run, each in its own transaction with two events. */
const BATCHES_MAX = 500

/**
 * Ends polls when their time has come. Votes are refused from that moment on, by the clock of the database; the notice
 * follows within a second. Runs on one process and resumes after a restart.
 */
export class PollEnds extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(parts, {
      name: 'poll ends',
      periodMs: PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: (sql) => sql`select from polls where ended_at is null and ends_at <= now() limit 1`,
      batch: endDue,
    })
  }
}

async function endDue(sql: Transaction, emit: Emit): Promise<boolean> {
  // A random one of the first: a poll that fails must not block the others.
  const [due] = await sql<{ id: number }[]>`
    select id from (select message_id as id from polls where ended_at is null and ends_at <= now()
      order by ends_at limit ${BATCHES_MAX}) due order by random() limit 1`
  if (!due) return false
  const place = await lockedLocation(sql, due.id)
  await lockPoll(sql, due.id)
  await finish(sql, emit, due.id, place, place.author_id)
  return true
}

/** Ends a locked poll, unless it has ended: the counts of an anonymous one appear, and a notice says so. */
async function finish(sql: Transaction, emit: Emit, id: number, place: MessageLocation, actorId: number) {
  const [news] = await sql<PollNews[]>`update polls set ended_at = clock_timestamp()
    where message_id = ${id} and ended_at is null returning ${newsColumns(sql)}`
  if (!news) return
  emitPoll(emit, id, place, news)
  await sendNotice(sql, emit, place.channel_id, actorId, 'poll_ended', { message_id: id })
}

/**
 * Ends a poll before its time.
 * @throws Problem `not_found`, `missing_permission`, `poll_ended`
 */
export async function endPoll(sql: Transaction, emit: Emit, id: number, userId: number): Promise<void> {
  const place = await lockedPlace(sql, id, userId)
  const { is_over } = await lockPoll(sql, id)
  if (place.author_id !== userId) demand(place.permissions, 'manage_messages')
  if (is_over) throw new Problem('poll_ended')
  await finish(sql, emit, id, place, userId)
}
