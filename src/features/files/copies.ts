import { randomBytes } from 'node:crypto'
import { found, Problem } from '../../core/errors.ts'
import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { reserveUpload, withdrawUpload } from './upload.ts'

/** Delete the objects of copies that are not recorded within this time. */
const GUARD_MINUTES = 60

export interface Original {
  /**
   * The original at the start of a chain of copies: this file itself if it is not a copy. Null: the copy outlives it.
   */
  copied_from: number | null
  filename: string
  content_type: string
  size: number
  width: number | null
  height: number | null
  duration_ms: number | null
  waveform: string | null
  alt: string | null
  key: string
  thumbnail_key: string | null
  keeps_metadata: boolean
}

/** The files of a message, in order; empty if the account may not read it. */
export const originalsOf = (sql: Sql, userId: number, messageId: number) => sql<Original[]>`
  select coalesce(f.copied_from, f.id) as copied_from, f.filename, f.content_type, f.size, f.width, f.height,
    f.duration_ms, f.waveform, f.alt, f.key, f.thumbnail_key, f.keeps_metadata
  from files f where f.message_id = ${messageId} and may_see(f, ${userId}) order by f.ordinal`

/**
 * Copies files. The copies belong to the account and count towards its limits like uploads, also while the copying
 * runs.
 * @returns the copies' ids in the files' order
 * @throws Problem `too_many_bytes`, `too_many_uploads`, `upload_missing` when a file is gone, `token_revoked`
 */
export async function copyFiles(parts: Parts, userId: number, originals: Original[]): Promise<number[]> {
  const { sql, objects, write } = parts
  const size = originals.reduce((sum, original) => sum + original.size, 0)
  const reservation = await reserveUpload(parts, userId, { filename: '', content_type: '', size })
  const copies = originals.map((original) => {
    const key = `files/${randomBytes(16).toString('hex')}`
    return { original, key, thumbnail_key: original.thumbnail_key === null ? null : `${key}.webp` }
  })
  const newKeys = copies.flatMap(({ key, thumbnail_key }) => [key, ...(thumbnail_key === null ? [] : [thumbnail_key])])
  const copy = async (from: string, to: string) => {
    const object = await objects.head(from)
    if (!object || !(await objects.copy({ from, to, etag: object.etag }))) throw new Problem('upload_missing')
  }
  const work = async () => {
    // Schedule the deletion first, so that the new objects are deleted if this process dies.
    await sql`insert into object_outbox (key, due_at)
      select key, now() + ${GUARD_MINUTES} * interval '1 minute' from unnest(${newKeys}::text[]) key`
    for (const { original, key, thumbnail_key } of copies) {
      await copy(original.key, key)
      if (original.thumbnail_key !== null && thumbnail_key !== null) await copy(original.thumbnail_key, thumbnail_key)
    }
    return write(async (tx) => {
      const [account] = await tx`select 1 from users where id = ${userId} and deleted_at is null for no key update`
      found(account, 'token_revoked')
      await withdrawUpload(tx, reservation.key)
      const rows = copies.map(({ original, ...keys }) => ({ ...original, ...keys, uploader_id: userId }))
      const files = await tx<{ id: number }[]>`insert into files ${tx(rows)} returning id`
      await tx`delete from object_outbox where key = any(${newKeys})`
      // A concurrent deletion of the original does not see these copies, so check again later.
      await tx`insert into forward_checks (file_id, due_at)
        select id, now() + interval '1 minute' from unnest(${originals.map((one) => one.copied_from)}::bigint[]) id
        where id is not null`
      return files.map(({ id }) => id)
    })
  }
  return work().catch(async (error: unknown) => {
    await sql`update object_outbox set due_at = now() where key = any(${newKeys})`.catch(() => {})
    await withdrawUpload(sql, reservation.key).catch(() => {})
    throw error
  })
}
