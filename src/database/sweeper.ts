import { type Database, isDatabaseFault, type Transaction } from './database.ts'
import { claim } from './job-lock.ts'
import { errorFields, type Log } from '../core/log.ts'

const SWEEP_MS = 30_000
/** Rows deleted per statement, so that no lock is held for long. */
const BATCH_ROWS_MAX = 5_000
const BATCHES_MAX = 20
/** Batches of events per sweep: a log that grows by 16,000 events a second for hours is kept short. */
const EVENT_BATCHES_MAX = 100
/** Events outlive the resume window by this much, so that a started replay can finish. */
const EVENT_MARGIN_S = 60
/** How long addresses and devices of past logins are remembered. */
const KNOWN_DAYS = 90
/** The longest slowmode; older marks have no effect. */
const SLOWMODE_SECONDS_MAX = 21_600

/**
 * Deletes expired rows at intervals, in batches, on one node. Emits no events, because nobody can see these
 * rows any more.
 */
export function openSweeper(sql: Database, resumeWindowS: number, log: Log) {
  /** Up to here this sweep has read the log. Each batch would otherwise read the dead rows of those before it again. */
  let sweptId = 0
  // The newest event stays, so that there is always an `s` to resume from.
  const sweepEvents = async (tx: Transaction) => {
    const [batch] = await tx<{ count: number; newest: number | null }[]>`
      with gone as (
        delete from events where id in (
          select id from (select id, created_at from events where id > ${sweptId} order by id
            limit ${BATCH_ROWS_MAX}) oldest
          where created_at < now() - ${resumeWindowS + EVENT_MARGIN_S} * interval '1 second'
            and id < (select max(id) from events))
        returning id
      )
      select count(*)::int as count, max(id) as newest from gone`
    sweptId = batch?.newest ?? sweptId
    return { count: batch?.count ?? 0 }
  }
  const jobs: ((tx: Transaction) => Promise<{ count: number }>)[] = [
    sweepEvents,
    async (tx) => tx`delete from message_nonces where (author_id, channel_id, nonce) in (
      select author_id, channel_id, nonce from message_nonces where created_at < now() - interval '24 hours'
      limit ${BATCH_ROWS_MAX})`,
    async (tx) => tx`delete from group_nonces where (owner_id, nonce) in (
      select owner_id, nonce from group_nonces where created_at < now() - interval '24 hours'
      limit ${BATCH_ROWS_MAX})`,
    async (tx) => tx`delete from ws_tickets where hash in (
      select hash from ws_tickets where expires_at < now() limit ${BATCH_ROWS_MAX})`,
    async (tx) => tx`delete from pending_logins where hash in (
      select hash from pending_logins where expires_at < now() limit ${BATCH_ROWS_MAX})`,
    async (tx) => tx`delete from spent_challenges where hash in (
      select hash from spent_challenges where expires_at < now() limit ${BATCH_ROWS_MAX})`,
    async (tx) => tx`delete from interactions where id in (
      select id from interactions where created_at < now() - interval '20 minutes' limit ${BATCH_ROWS_MAX})`,
    async (tx) => tx`delete from mail_tokens where hash in (
      select hash from mail_tokens where expires_at < now() limit ${BATCH_ROWS_MAX})`,
    async (tx) => tx`delete from claim_links where hash in (
      select hash from claim_links where expires_at < now() limit ${BATCH_ROWS_MAX})`,
    async (tx) => tx`delete from sessions where id in (
      select id from sessions where expires_at < now() limit ${BATCH_ROWS_MAX})`,
    async (tx) => tx`delete from known_addresses where (user_id, ip) in (
      select user_id, ip from known_addresses where seen_at < now() - ${KNOWN_DAYS} * interval '1 day'
      limit ${BATCH_ROWS_MAX})`,
    async (tx) => tx`delete from known_devices where (user_id, device) in (
      select user_id, device from known_devices where seen_at < now() - ${KNOWN_DAYS} * interval '1 day'
      limit ${BATCH_ROWS_MAX})`,
    async (tx) => tx`delete from slowmode_marks where (user_id, channel_id) in (
      select user_id, channel_id from slowmode_marks
      where sent_at < now() - ${SLOWMODE_SECONDS_MAX} * interval '1 second' limit ${BATCH_ROWS_MAX})`,
    // Accounts of deleted webhooks, once nothing names them any more, as webhook_gone says. Only webhooks have a user
    // name with this prefix.
    async (tx) => tx`delete from users where id in (
      select u.id from users u where u.username >= 'webhook:' and u.username < 'webhook;' and u.kind = 'webhook'
        and not exists (select from webhooks w where w.id = u.id)
        and not exists (select from messages m where m.author_id = u.id)
        and not exists (select from audit_log a where a.actor_id = u.id)
        and not exists (select from cases c where c.actor_id = u.id)
        and not exists (select from reports r where r.author_id = u.id)
        and not exists (select from report_evidence e where e.author_id = u.id) limit ${BATCH_ROWS_MAX})`,
    async (tx) => tx`delete from preview_pages where hash in (
      select hash from preview_pages where fetched_at < now() - interval '1 hour'
        and (leased_until is null or leased_until < now()) limit ${BATCH_ROWS_MAX})`,
  ]

  async function sweepAll(): Promise<void> {
    let failure: unknown
    sweptId = 0
    for (const job of jobs) {
      const batch = () => sql.begin(async (tx) => ((await claim(tx, 'sweep')) ? (await job(tx)).count : 0))
      try {
        const batchesMax = job === sweepEvents ? EVENT_BATCHES_MAX : BATCHES_MAX
        for (let n = 0; n < batchesMax; n++) if ((await batch()) < BATCH_ROWS_MAX) break
      } catch (error) {
        if (isDatabaseFault(error)) throw error
        // A table that cannot be swept does not block the others.
        failure ??= error
      }
    }
    if (failure !== undefined) throw failure
  }

  // Runs are sequential: two at once would compete for the lock.
  let running = Promise.resolve()
  const run = () => (running = running.catch(() => {}).then(sweepAll))

  const timer = setInterval(() => {
    run().catch((error: unknown) => log('warn', 'sweep', errorFields(error)))
  }, SWEEP_MS)
  return { run, stop: () => clearInterval(timer) }
}
