import type { Sql } from '../../database/database.ts'
import { claim, isAny } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import { Job } from '../../core/job.ts'
import { errorFields } from '../../core/log.ts'
import { isShownElsewhere } from './server-picture.ts'

const PERIOD_MS = 2_000
const BATCH_MAX = 100
const BATCHES_MAX = 20
const AT_ONCE = 8
const RETRY_SECONDS_MAX = 3600
const ORPHAN_DAYS = 1

/** Uploads that expired without a file record. */
const expiredUploads = (sql: Sql): ReturnType<Sql> =>
  sql`select key from uploads where expires_at < now() - interval '1 minute' limit ${BATCH_MAX}`

/** Files that no message, scheduled message, avatar, icon, event or favourite has used for ORPHAN_DAYS. */
const unusedFiles = (sql: Sql): ReturnType<Sql> => sql`
  select f.id from files f where f.message_id is null and f.scheduled_id is null
    and f.created_at < now() - ${ORPHAN_DAYS} * interval '1 day' and not ${isShownElsewhere(sql)}
  limit ${BATCH_MAX}`

/** Due objects that reports keep wait until ReportExpiry has deleted the last report with them. */
const postponeKept = (tx: Sql): Promise<unknown> => tx`
  update object_outbox o set due_at = 'infinity'
  from (select key from object_outbox where due_at <= now() order by due_at limit ${BATCH_MAX}) due
  where o.key = due.key and exists (
    select from report_files k where k.key = o.key or k.thumbnail_key = o.key)`

/** Deletes the objects listed in object_outbox, and unused files. Each of these jobs runs on one process. */
export class ObjectDeletions extends Job {
  constructor(private readonly parts: Pick<Parts, 'sql' | 'objects' | 'log'>) {
    super(PERIOD_MS, 'outbox', parts.log)
  }

  protected async work(): Promise<void> {
    const { sql } = this.parts
    const dueObjects: ReturnType<Sql> = sql`
      (${expiredUploads(sql)}) union all (select key from object_outbox where due_at <= now() order by due_at limit 1)`
    if (!(await isAny(sql, dueObjects)) && !(await isAny(sql, unusedFiles(sql)))) return
    await this.deleteExpiredUploads()
    await this.deleteOrphans()
    for (let batch = 0; batch < BATCHES_MAX; batch++) if ((await this.deleteDueObjects()) < BATCH_MAX) return
  }

  /** Lists objects of uploads that expired without a file record. */
  private deleteExpiredUploads(): Promise<void> {
    return this.parts.sql.begin(async (tx) => {
      if (!(await claim(tx, 'uploads'))) return
      const uploads = await tx<{ key: string }[]>`delete from uploads where key in (
        ${expiredUploads(tx)}) returning key`
      // Objects of recorded uploads were listed when they were recorded.
      await tx`insert into object_outbox (key) select key from unnest(${uploads.map((row) => row.key)}::text[]) key
        where key like 'incoming/%' on conflict do nothing`
    })
  }

  /** Deletes unused files; a trigger lists their objects. */
  private deleteOrphans(): Promise<void> {
    return this.parts.sql.begin(async (tx) => {
      if (!(await claim(tx, 'orphans'))) return
      const orphans = await tx<{ id: number }[]>`${unusedFiles(tx)} for update skip locked`
      const ids = orphans.map((file) => file.id)
      // The deletion changes the uploaders' byte counts: lock accounts in order of id, as everywhere.
      await tx`select 1 from users where id in (select uploader_id from files where id = any(${ids}))
        order by id for no key update`
      await tx`delete from files where id = any(${ids})`
    })
  }

  /**
   * Deletes one batch of listed objects. A failed deletion is retried with growing delays.
   * @returns how many objects were deleted
   */
  private deleteDueObjects(): Promise<number> {
    const { sql, objects, log } = this.parts
    return sql.begin(async (tx) => {
      if (!(await claim(tx, 'outbox'))) return 0
      await postponeKept(tx)
      const dueObjects = await tx<{ key: string }[]>`select key from object_outbox where due_at <= now()
        order by due_at limit ${BATCH_MAX} for update skip locked`
      const deletedKeys: string[] = []
      for (let at = 0; at < dueObjects.length; at += AT_ONCE) {
        const deletions = dueObjects.slice(at, at + AT_ONCE).map(async ({ key }) => {
          await objects.delete(key)
          deletedKeys.push(key)
        })
        const failure = (await Promise.allSettled(deletions)).find((deletion) => deletion.status === 'rejected')
        if (failure) log('warn', 'outbox.remove', errorFields(failure.reason))
      }
      await tx`delete from object_outbox where key = any(${deletedKeys})`
      await tx`update object_outbox set attempts = attempts + 1,
        due_at = now() + least(${RETRY_SECONDS_MAX}, 2 ^ least(attempts + 1, 12)) * interval '1 second'
        where key = any(${dueObjects.map((row) => row.key).filter((key) => !deletedKeys.includes(key))})`
      return deletedKeys.length
    })
  }
}
