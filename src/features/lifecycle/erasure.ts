import type { Transaction } from '../../database/database.ts'
import { BatchJob } from '../../events/batch-job.ts'
import type { Parts } from '../../parts.ts'
import type { Emit } from '../../events/write.ts'
import { clearPictures, lockServersShowing } from '../files/access.ts'
import { emitUpdated, lockMessages } from '../access/place.ts'
import { eraseVotes } from '../polls/vote.ts'
import { eraseReactions } from '../reactions/erase.ts'

const PERIOD_MS = 5_000
/** Files, or messages with reactions or votes, per transaction. Bounds its locks and the messages in memory. */
const BATCH_MAX = 100
const BATCHES_MAX = 50

/** A file and the message that it is attached to. */
export interface CarriedFile {
  id: number
  message_id: number | null
}

/** Deletes files, removes them from avatars and icons, and publishes the messages that they were attached to. */
export async function removeFiles(sql: Transaction, emit: Emit, files: CarriedFile[]): Promise<void> {
  const ids = files.map((file) => file.id)
  await lockServersShowing(sql, sql`f.id = any(${ids})`)
  const messages = await lockMessages(
    sql,
    files.flatMap((file) => file.message_id ?? []),
  )
  await clearPictures(sql, emit, sql`f.id = any(${ids})`)
  await sql`delete from files where id = any(${ids})`
  for (const { id, ...place } of messages) await emitUpdated(sql, emit, id, place)
}

/**
 * Deletes a batch of a deleted account's files, of its reactions, or of its votes.
 * @param userId the account; any deleted account when absent
 * @returns false when nothing was left to do
 */
async function eraseBatch(sql: Transaction, emit: Emit, userId?: number): Promise<boolean> {
  // A random account: one that fails must not block the others.
  const [erasure] = await sql<{ user_id: number }[]>`select user_id from erasures
    ${userId === undefined ? sql`` : sql`where user_id = ${userId}`}
    order by random() limit 1 for update skip locked`
  if (!erasure) return false
  const files = await sql<CarriedFile[]>`select id, message_id from files
    where uploader_id = ${erasure.user_id} order by id limit ${BATCH_MAX}`
  await removeFiles(sql, emit, files)
  if (files.length === BATCH_MAX) return true
  const erasedCount = await eraseReactions(sql, emit, erasure.user_id, BATCH_MAX)
  if (erasedCount === BATCH_MAX) return true
  const pollCount = await eraseVotes(sql, emit, erasure.user_id, BATCH_MAX)
  if (pollCount < BATCH_MAX) await sql`delete from erasures where user_id = ${erasure.user_id}`
  return true
}

/**
 * Deletes files, reactions and votes of one deleted account in at most `batchesMax` batches. A request that waits for
 * its own account's files does not wait for the background job.
 */
export async function erase({ write }: Pick<Parts, 'write'>, batchesMax: number, userId: number): Promise<void> {
  for (let batch = 0; batch < batchesMax; batch++)
    if (!(await write((sql, emit) => eraseBatch(sql, emit, userId)))) return
}

/** Deletes the files, reactions and votes of deleted accounts. */
export class Erasure extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(parts, {
      name: 'erasure',
      periodMs: PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: (sql) => sql`select from erasures`,
      batch: (sql, emit) => eraseBatch(sql, emit),
    })
  }
}
