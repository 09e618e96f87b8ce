import type { Transaction } from '../../database/database.ts'
import { BatchJob } from '../../events/batch-job.ts'
import type { Emit, Notify } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { lockServer } from '../access/guard.ts'
import { announceMember } from './membership.ts'
import type { StatusOf } from './model.ts'
import { verifiedAt } from './verified-at.ts'

const PERIOD_MS = 1_000
/** Members per transaction, which locks their server. */
const BATCH_MAX = 200
const BATCHES_MAX = 10

/** After the verification of a server has changed: who waits for it is judged anew. */
export const renewVerification = (sql: Transaction, server_id: number) =>
  sql`update members m set held_until = ${verifiedAt(sql)} from servers s, users u
    where m.server_id = ${server_id} and m.held_back = 'unverified' and s.id = m.server_id and u.id = m.user_id`

/** After an account has proven its address: VerificationEnds lets it in where that was missing. */
export const noteProven = (sql: Transaction, userId: number) =>
  sql`update members m set held_until = now() from servers s
    where m.user_id = ${userId} and m.held_back = 'unverified' and s.id = m.server_id and s.verification = 'mail'`

/** Lets in members who are verified meanwhile, and announces that. Runs on one process. */
export class VerificationEnds extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>, statusOf: StatusOf) {
    super(parts, {
      name: 'verification',
      periodMs: PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: (sql) => sql`select from members where held_back = 'unverified' and held_until <= now()`,
      batch: (sql, emit, notify) => letIn(sql, emit, notify, statusOf),
    })
  }
}

async function letIn(sql: Transaction, emit: Emit, notify: Notify, statusOf: StatusOf): Promise<boolean> {
  const [next] = await sql<{ server_id: number }[]>`select server_id from members
    where held_back = 'unverified' and held_until <= now() order by held_until limit 1`
  if (!next) return false
  const { server_id } = next
  await lockServer(sql, server_id)
  await sql`select change_access(${server_id})`
  const members = await sql<{ user_id: number }[]>`
    update members set held_back = null, held_until = null
    where server_id = ${server_id} and user_id in (
      select user_id from members
      where server_id = ${server_id} and held_back = 'unverified' and held_until <= now() limit ${BATCH_MAX})
    returning user_id`
  for (const { user_id } of members) await announceMember(sql, emit, { server_id, user_id }, statusOf(user_id))
  notify({ kind: 'access_changed', user_ids: members.map(({ user_id }) => user_id) })
  return true
}
