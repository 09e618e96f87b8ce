import type { Sql, Transaction } from '../../database/database.ts'
import { BatchJob } from '../../events/batch-job.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { clearPictures, lockServersShowing } from '../files/access.ts'
import { emitUpdated, lockMessages } from '../access/place.ts'

const PERIOD_MS = 500
/** Transactions per run; the next run continues. */
const BATCHES_MAX = 50
/** Originals checked per transaction; and forwards that it empties and publishes, with up to ten files each. */
const CHECKS_MAX = 200
const FORWARDS_MAX = 50

/** A message or file that may have been deleted. */
interface Check {
  id: number
  original_id: number | null
  file_id: number | null
}

/**
 * Empties the forwards of deleted messages, and deletes the copies of deleted files. Runs on one process. Readers see
 * the forwards as empty from the deletion on (message_stands, copy_stands in sql/0142_frozen_forwards.sql). Within a
 * second this job deletes the copies, which count towards the forwarder's limits, and updates screens that show the
 * forward. The deletion does not do this itself: forwards are in other channels, whose locks it does not have, and
 * there may be any number. The job resumes after a crash, because triggers list what is due.
 */
export class EmptiedForwards extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(parts, {
      name: 'forwards',
      periodMs: PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: (sql) => sql`select from forward_checks where due_at <= now() order by due_at limit 1`,
      batch: emptyBatch,
    })
  }
}

/** @returns false when nothing more is due */
async function emptyBatch(sql: Transaction, emit: Emit): Promise<boolean> {
  const checks = await sql<Check[]>`select id, original_id, file_id from forward_checks
    where due_at <= now() order by due_at limit ${CHECKS_MAX}`
  if (checks.length === 0) return false
  const lostChecks = await lostOf(sql, checks)
  const [first] = lostChecks
  if (!first) return checks.length === CHECKS_MAX
  if (await emptyForwards(sql, emit, first)) await sql`delete from forward_checks where id = ${first.id}`
  return true
}

/**
 * Removes originals that still exist from the list. A locked one may be about to be deleted, so it is checked again
 * later.
 * @returns the deleted ones
 */
async function lostOf(sql: Transaction, checks: Check[]): Promise<Check[]> {
  const messages = checks.flatMap(({ original_id }) => original_id ?? [])
  const files = checks.flatMap(({ file_id }) => file_id ?? [])
  await sql`with standing as (
      select id from messages where id = any(${messages}) for key share skip locked
    ), kept as (
      select id from files where id = any(${files}) for key share skip locked
    )
    delete from forward_checks where id = any(${checks.map(({ id }) => id)}) and (file_id in (select id from kept)
      or original_id in (select id from standing where message_stands(id)))`
  return sql<Check[]>`
    with held as (
      update forward_checks c set due_at = now() + interval '2 seconds'
      where id = any(${checks.map(({ id }) => id)}) and (exists (select from files where id = c.file_id)
        or message_stands(c.original_id)) returning id
    )
    select id, original_id, file_id from forward_checks
    where id = any(${checks.map(({ id }) => id)}) and id not in (select id from held) order by id`
}

/** Empties forwards, and publishes them. @returns true if none is left */
async function emptyForwards(sql: Transaction, emit: Emit, { original_id, file_id }: Check): Promise<boolean> {
  const rows = await sql<{ id: number }[]>`
    select id from messages where forwarded_id = ${original_id}
    union select message_id from files where copied_from = ${file_id} and message_id is not null
    order by id limit ${FORWARDS_MAX}`
  const ids = rows.map(({ id }) => id)
  const copies: ReturnType<Sql> = sql`f.message_id = any(${ids}) and f.copied_from is not null and not copy_stands(f)`
  await lockServersShowing(sql, copies)
  const forwards = await lockMessages(sql, ids)
  await clearPictures(sql, emit, copies)
  await sql`delete from files f where ${copies}`
  await sql`update messages set forwarded_id = null, forwarded = '{"content":null}'
    where id = any(${ids}) and forwarded_id = ${original_id}`
  // Events index a forward again if its comment is still searchable.
  await sql`delete from search_documents where message_id = any(${ids})`
  for (const { id, ...place } of forwards) await emitUpdated(sql, emit, id, place)
  return ids.length < FORWARDS_MAX
}
