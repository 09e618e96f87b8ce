import { Job } from '../../core/job.ts'
import { isAny } from '../../database/job-lock.ts'
import { isDatabaseAway, type Transaction } from '../../database/database.ts'
import { runBatches } from '../../events/batch-job.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { audit } from '../audit/record.ts'
import { lockServersShowing } from '../files/access.ts'
import { selectLocations } from '../access/place.ts'
import { isAlert } from '../messages/notice.ts'
import { hidePost, removeMessages } from '../messages/remove.ts'

/** The longest period whose messages a ban can delete, in seconds: a week. */
export const DELETED_SECONDS_MAX = 604_800
const PERIOD_MS = 1_000
/** Messages checked per transaction; bounds its locks. */
const BATCH_MAX = 100
/** Batches per run; the next run continues. */
const BATCHES_MAX = 50

interface Sweep {
  server_id: number
  user_id: number
  actor_id: number
  since: string
  before_id: number
}

/**
 * Deletes recent messages of banned accounts, as requested with the ban, newest first. Runs on one process and resumes
 * after a restart.
 */
export class BanSweeps extends Job {
  constructor(private readonly parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(PERIOD_MS, 'ban_sweeps', parts.log)
  }

  protected async work(): Promise<void> {
    const { sql, write } = this.parts
    if (!(await isAny(sql, sql`select from ban_sweeps`))) return
    let failure: unknown
    const position = { server_id: 0, user_id: 0 }
    let batchesLeft = BATCHES_MAX
    const next = () => batchesLeft-- > 0
    while (batchesLeft > 0)
      try {
        await runBatches(write, 'ban_sweeps', next, (tx, emit) => sweepBatch(tx, emit, position))
        break
      } catch (error) {
        if (isDatabaseAway(error)) throw error
        failure ??= error
        // The next run tries this sweep again; the sweeps behind it do not wait for it.
        position.user_id++
      }
    if (failure !== undefined) throw failure
  }
}

/**
 * Deletes one batch of the first sweep at or behind a position.
 * @param position the position, which moves to that sweep
 * @returns whether more may be due
 */
async function sweepBatch(
  sql: Transaction,
  emit: Emit,
  position: Pick<Sweep, 'server_id' | 'user_id'>,
): Promise<boolean> {
  const [sweep] = await sql<Sweep[]>`
    select * from ban_sweeps where (server_id, user_id) >= (${position.server_id}, ${position.user_id})
    order by server_id, user_id limit 1`
  if (!sweep) return false
  Object.assign(position, { server_id: sweep.server_id, user_id: sweep.user_id })
  const { server_id, user_id, since, before_id } = sweep
  const condition = sql`server_id = ${server_id} and user_id = ${user_id}`
  // Pages through the index of an author's messages. Ids grow with time, so the sweep ends at the first page that is
  // too old.
  const page = await sql<{ id: number; channel_id: number; is_due: boolean; is_here: boolean }[]>`
    select m.id, m.channel_id, m.created_at >= ${since}::timestamptz as is_due,
      c.server_id = ${server_id} and not ${isAlert(sql)} as is_here
    from (select * from messages where author_id = ${user_id} and id < ${before_id}::bigint
      order by id desc limit ${BATCH_MAX}) m
    join channels c on c.id = m.channel_id`
  const dueMessages = page.filter(({ is_due, is_here }) => is_due && is_here)
  for (const [channel_id, messages] of Map.groupBy(dueMessages, (message) => message.channel_id))
    await removeOf(
      sql,
      emit,
      sweep,
      channel_id,
      messages.map(({ id }) => id),
    )
  const isLast = page.length < BATCH_MAX || page.every(({ is_due }) => !is_due)
  if (isLast) await sql`delete from ban_sweeps where ${condition}`
  else await sql`update ban_sweeps set before_id = ${Math.min(...page.map(({ id }) => id))} where ${condition}`
  return true
}

/** Deletes messages of one channel, like POST /channels/:channel_id/messages/bulk-delete. */
async function removeOf(sql: Transaction, emit: Emit, sweep: Sweep, channel_id: number, ids: number[]): Promise<void> {
  const { server_id, actor_id, user_id } = sweep
  await lockServersShowing(sql, sql`f.message_id = any(${ids})`)
  await sql`select share_channel(c) from channels c where c.id = ${channel_id}`
  await sql`select 1 from users where id = ${user_id} for key share`
  const [place] = await selectLocations(sql, sql`m.id = any(${ids}) limit 1`)
  if (!place) return
  await hidePost(sql, channel_id, ids, actor_id)
  const removedIds = await removeMessages(sql, emit, ids, { ...place, channel_id, recipient_id: null })
  const entry = { server_id, actor_id, action: 'messages.deleted' as const }
  if (removedIds.length > 0)
    await audit(sql, entry, ['channel', channel_id], { message_ids: removedIds, author_ids: [user_id] }, null)
}
