import { Job } from '../../core/job.ts'
import { errorFields } from '../../core/log.ts'
import { claim, isAny } from '../../database/job-lock.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { cleanObject } from './clean.ts'
import { DOWNLOAD_SECONDS } from './model.ts'
import { newKey } from './upload.ts'

const PERIOD_MS = 5_000
const FILES_AT_ONCE = 5
/** Failed attempts are repeated hourly, so this is a day. */
const ATTEMPTS_MAX = 24
/** Delete a new object that is not recorded within this time. */
const GUARD_MINUTES = 60

interface Earlier {
  id: number
  key: string
  content_type: string
  size: number
}

/** Lists all files that may contain metadata, except those whose uploaders chose to keep it. @returns how many */
export async function listEarlierFiles(sql: Transaction): Promise<number> {
  const { count } = await sql`insert into file_cleanings (file_id) select id from files
    where not keeps_metadata and (content_type ~ '^(image|audio|video)/' or content_type = 'application/octet-stream')
    on conflict do nothing`
  return count
}

const selectDue = (sql: Sql): ReturnType<Sql> =>
  sql`select file_id from file_cleanings where due_at <= now() order by due_at limit ${FILES_AT_ONCE}`

/**
 * Removes the metadata from earlier files that the operator has listed. A file gets a new object; the old one stays
 * until URLs of it have expired. A file whose structure is not understood is left as it is.
 */
export class EarlierFiles extends Job {
  constructor(private readonly parts: Pick<Parts, 'sql' | 'objects' | 'log'>) {
    super(PERIOD_MS, 'files.clean', parts.log)
  }

  protected async work(): Promise<void> {
    const { sql, log } = this.parts
    if (!(await isAny(sql, selectDue(sql)))) return
    await sql.begin(async (tx) => {
      if (!(await claim(tx, 'file cleanings'))) return
      const files = await tx<Earlier[]>`select f.id, f.key, f.content_type, f.size
        from files f where f.id in (${selectDue(tx)})`
      // Outside this transaction, which must not lock a file while its bytes are read.
      for (const file of files)
        await this.clean(file).then(
          () => sql`delete from file_cleanings where file_id = ${file.id}`,
          async (error: unknown) => {
            log('warn', 'files.clean', errorFields(error))
            await this.postpone(file)
          },
        )
    })
  }

  private async postpone({ id }: Earlier): Promise<void> {
    const { sql } = this.parts
    await sql`update file_cleanings set attempts = attempts + 1, due_at = now() + interval '1 hour'
      where file_id = ${id}`
    await sql`delete from file_cleanings where file_id = ${id} and attempts >= ${ATTEMPTS_MAX}`
  }

  private async clean({ id, ...raw }: Earlier): Promise<void> {
    const { sql, objects } = this.parts
    const key = newKey()
    await sql`insert into object_outbox (key, due_at) values (${key}, now() + ${GUARD_MINUTES} * interval '1 minute')`
    const { size, ...object } = await cleanObject(objects, 0, raw, key)
    if (object.key === raw.key) return void (await sql`delete from object_outbox where key = ${key}`)
    await sql.begin(async (tx) => {
      // Every transaction locks accounts before files.
      await tx`update users set stored_bytes = stored_bytes + ${size - raw.size}
        where id = (select uploader_id from files where id = ${id} and key = ${raw.key})`
      const updatedRows = await tx`update files set key = ${key}, size = ${size} where id = ${id} and key = ${raw.key}
        returning 1`
      if (updatedRows.length === 0) throw new Error('The file has been deleted meanwhile')
      await tx`delete from object_outbox where key = ${key}`
      await tx`insert into object_outbox (key, due_at)
        values (${raw.key}, now() + ${DOWNLOAD_SECONDS} * interval '1 second')`
    })
  }
}
