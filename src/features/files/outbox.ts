import { claim } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import { errorFields } from '../../core/log.ts'

const PERIOD_MS = 2_000
const BATCH_MAX = 100
const BATCHES_MAX = 20
const AT_ONCE = 8
const RETRY_SECONDS_MAX = 3600
const ORPHAN_DAYS = 1

/** Carries out what the outbox holds, and finds files that nothing refers to; of several nodes one at a time. */
export function openOutbox({ sql, objects, log }: Pick<Parts, 'sql' | 'objects' | 'log'>) {
  /** One batch; a removal that failed comes again, later each time. */
  async function removeDue(): Promise<number> {
    return sql.begin(async (tx) => {
      if (!(await claim(tx, 'outbox'))) return 0
      const due = await tx<{ key: string }[]>`select key from object_outbox where due_at <= now()
        order by due_at limit ${BATCH_MAX} for update skip locked`
      const gone: string[] = []
      for (let at = 0; at < due.length; at += AT_ONCE) {
        const removals = due.slice(at, at + AT_ONCE).map(async ({ key }) => {
          await objects.delete(key)
          gone.push(key)
        })
        const failed = (await Promise.allSettled(removals)).find((removal) => removal.status === 'rejected')
        if (failed) log('warn', 'outbox.remove', errorFields(failed.reason))
      }
      await tx`delete from object_outbox where key = any(${gone})`
      await tx`update object_outbox set attempts = attempts + 1,
        due_at = now() + least(${RETRY_SECONDS_MAX}, 2 ^ least(attempts + 1, 12)) * interval '1 second'
        where key = any(${due.map((row) => row.key).filter((key) => !gone.includes(key))})`
      return gone.length
    })
  }

  /** Uploads that came to nothing, and files that no message, avatar or icon has used for a day. */
  async function sweepOrphans(): Promise<void> {
    await sql.begin(async (tx) => {
      if (!(await claim(tx, 'uploads'))) return
      const expired = await tx<{ key: string }[]>`delete from uploads where key in (
        select key from uploads where expires_at < now() - interval '1 minute' limit ${BATCH_MAX}) returning key`
      await tx`insert into object_outbox (key) select key from unnest(${expired.map((row) => row.key)}::text[]) key
        on conflict do nothing`
    })
    await sql.begin(async (tx) => {
      if (!(await claim(tx, 'orphans'))) return
      const orphans = await tx<{ id: number }[]>`
        select id from files where message_id is null and dm_message_id is null
          and created_at < now() - ${ORPHAN_DAYS} * interval '1 day'
          and not exists (select from users u where u.avatar_file_id = files.id)
          and not exists (select from servers s where s.icon_file_id = files.id)
        limit ${BATCH_MAX} for update skip locked`
      const ids = orphans.map((file) => file.id)
      // Their uploaders' bytes are counted: accounts in one order, as wherever several change.
      await tx`select 1 from users where id in (select uploader_id from files where id = any(${ids}))
        order by id for no key update`
      await tx`delete from files where id = any(${ids})`
    })
  }

  async function run(): Promise<void> {
    await sweepOrphans()
    for (let batch = 0; batch < BATCHES_MAX; batch++) if ((await removeDue()) < BATCH_MAX) return
  }

  let running: Promise<void> | undefined
  const once = (): Promise<void> => (running ??= run().finally(() => (running = undefined)))
  const timer = setInterval(() => {
    once().catch((error: unknown) => log('warn', 'outbox', errorFields(error)))
  }, PERIOD_MS)
  return { run: once, stop: () => clearInterval(timer) }
}
