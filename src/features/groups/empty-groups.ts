import type { Sql, Transaction } from '../../database/database.ts'
import { BatchJob } from '../../events/batch-job.ts'
import type { Emit, Notify } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { clearPictures, lockServersShowing } from '../files/access.ts'

const PERIOD_MS = 5_000
/** Batches per run; the next run continues. */
const BATCHES_MAX = 50
/** Messages per transaction, each with up to ten files. */
const MESSAGES_MAX = 200

/** Deletes groups without participants, with their messages and files. Runs on one process. */
export class EmptyGroups extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(parts, {
      name: 'groups',
      periodMs: PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: (sql) => sql`select from channels where type = 'group' and participant_count = 0`,
      batch: deleteEmpty,
    })
  }
}

/**
 * Deletes messages of one group without participants, and the group after its last message.
 * @returns false if there is no such group
 */
async function deleteEmpty(sql: Transaction, emit: Emit, notify: Notify): Promise<boolean> {
  const [empty] = await sql<{ id: number }[]>`
    select id from channels where type = 'group' and participant_count = 0 order by random() limit 1`
  if (!empty) return false
  const page = await sql<{ id: number }[]>`
    select id from messages where channel_id = ${empty.id} order by id limit ${MESSAGES_MAX}`
  const ids = page.map((message) => message.id)
  const files: ReturnType<Sql> = sql`f.message_id = any(${ids})`
  await lockServersShowing(sql, files)
  await sql`select change_group(${empty.id})`
  await clearPictures(sql, emit, files)
  await sql`delete from messages where id = any(${ids})`
  if (ids.length === MESSAGES_MAX) return true
  await sql`delete from channels where id = ${empty.id}`
  notify({ kind: 'channel_deleted', channel_id: empty.id })
  return true
}
