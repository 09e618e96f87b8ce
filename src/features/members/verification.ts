import type { Sql, Transaction } from '../../database/database.ts'
import { BatchJob } from '../../events/batch-job.ts'
import type { Emit, Notify } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { lockServer } from '../access/guard.ts'
import type { Server } from '../access/model.ts'
import { announceMember } from './membership.ts'
import type { StatusOf } from '../status/model.ts'
import { hasGivenRole, isUnverified, verifiedAt } from './verified-at.ts'

const PERIOD_MS = 1_000
/** Members per transaction, which locks their server. */
const BATCH_MAX = 200
const BATCHES_MAX = 10

/**
 * After the verification of a server has changed: members who wait for it are judged anew.
 * @param isForAll true if all other members are too
 */
export const renewVerification = (sql: Transaction, server_id: number, isForAll: boolean) =>
  sql`insert into verification_sweeps (server_id, binds_all) values (${server_id}, ${isForAll})
    on conflict (server_id) do update set binds_all = excluded.binds_all, after_id = 0`

/**
 * Members `m`, with account `u`, that a change of verification can bind: people who have only self-assignable roles,
 * and not the owner.
 */
const canBeBound = (sql: Sql) => sql`m.held_back is null and u.kind in ('person', 'guest') and u.id <> s.owner_id
  and not ${hasGivenRole(sql)}`

/** The number of members who could no longer write if a verification bound all. */
export async function countUnverified(
  sql: Sql,
  server_id: number,
  { verification, verification_minutes }: Pick<Server, 'verification' | 'verification_minutes'>,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from members m join users u on u.id = m.user_id
    cross join (
      select owner_id, ${verification}::text as verification, ${verification_minutes}::int as verification_minutes
      from servers where id = ${server_id}
    ) s
    where m.server_id = ${server_id} and ${canBeBound(sql)} and ${isUnverified(sql)}`
  return row?.count ?? 0
}

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

/** Judges members after a change of verification, and announces who is held back or waits for another time. */
export class VerificationSweeps extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>, statusOf: StatusOf) {
    super(parts, {
      name: 'verification_sweeps',
      periodMs: PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: (sql) => sql`select from verification_sweeps`,
      batch: (sql, emit, notify) => judgeBatch(sql, emit, notify, statusOf),
    })
  }
}

async function judgeBatch(sql: Transaction, emit: Emit, notify: Notify, statusOf: StatusOf): Promise<boolean> {
  const [next] = await sql<
    { server_id: number }[]
  >`select server_id from verification_sweeps order by server_id limit 1`
  if (!next) return false
  const { server_id } = next
  // A server that is being deleted has no members.
  const [server] = await sql`select 1 from servers where id = ${server_id} and owner_id is not null`
  if (server) await lockServer(sql, server_id)
  // Read inside the lock, because a change may have begun it anew.
  const [sweep] = await sql<{ binds_all: boolean; after_id: number }[]>`
    select binds_all, after_id from verification_sweeps where server_id = ${server_id}`
  if (!sweep) return true
  const { binds_all, after_id } = sweep
  const ids = server ? await nextMembers(sql, server_id, binds_all, after_id) : []
  const last = ids.at(-1)
  if (last === undefined) {
    await sql`delete from verification_sweeps where server_id = ${server_id}`
    return true
  }
  await sql`select change_access(${server_id})`
  const members = await sql<{ user_id: number }[]>`
    update members m set held_back = 'unverified', held_until = ${verifiedAt(sql)} from servers s, users u
    where m.server_id = ${server_id} and m.user_id = any(${ids}) and s.id = m.server_id and u.id = m.user_id
      and (m.held_back = 'unverified' or ${binds_all} and ${canBeBound(sql)} and ${isUnverified(sql)})
    returning m.user_id`
  for (const { user_id } of members) await announceMember(sql, emit, { server_id, user_id }, statusOf(user_id))
  if (members.length > 0) notify({ kind: 'access_changed', user_ids: members.map(({ user_id }) => user_id) })
  await sql`update verification_sweeps set after_id = ${last} where server_id = ${server_id}`
  return true
}

async function nextMembers(sql: Sql, server_id: number, isForAll: boolean, afterId: number): Promise<number[]> {
  const rows = await sql<{ user_id: number }[]>`
    select user_id from members m where server_id = ${server_id} and user_id > ${afterId}
      and ${isForAll ? sql`(held_back is null or held_back = 'unverified')` : sql`held_back = 'unverified'`}
    order by user_id limit ${BATCH_MAX}`
  return rows.map(({ user_id }) => user_id)
}
