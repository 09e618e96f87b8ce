import { randomBytes } from 'node:crypto'
import { found, Problem } from '../../core/errors.ts'
import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'

/** Objects of copies that are not recorded within this time are deleted. */
const GUARD_MINUTES = 60

interface Original {
  filename: string
  content_type: string
  size: number
  width: number | null
  height: number | null
  key: string
  thumbnail_key: string | null
}

/**
 * Copies the files of a message that the account may read: the copies are its own, and count as its uploads do.
 * @param copies_max more files than these are refused
 * @returns the copies' ids in the files' order; none where it may not read the message
 * @throws Problem `too_many_bytes`, `too_many_uploads`, `upload_missing` when a file is gone, `token_revoked`
 */
export async function copyFiles(
  { sql, objects, write, environment }: Parts,
  user_id: number,
  message_id: number,
  copies_max: number,
): Promise<number[]> {
  const originals = await sql<Original[]>`
    select f.filename, f.content_type, f.size, f.width, f.height, f.key, f.thumbnail_key
    from files f where f.message_id = ${message_id} and may_see(f, ${user_id}) order by f.ordinal`
  if (originals.length === 0) return []
  if (originals.length > copies_max) throw new Problem('too_many_uploads', 'Too many files for one message')
  const copies = originals.map((original) => {
    const key = `files/${randomBytes(16).toString('hex')}`
    return { original, key, thumbnail_key: original.thumbnail_key === null ? null : `${key}.webp` }
  })
  const made = copies.flatMap(({ key, thumbnail_key }) => [key, ...(thumbnail_key === null ? [] : [thumbnail_key])])
  // Listed first: if this process dies, the new objects are deleted.
  await sql`insert into object_outbox (key, due_at)
    select key, now() + ${GUARD_MINUTES} * interval '1 minute' from unnest(${made}::text[]) key`
  const copy = async (from: string, to: string) => {
    const object = await objects.head(from)
    if (!object || !(await objects.copy({ from, to, etag: object.etag }))) throw new Problem('upload_missing')
  }
  const work = async () => {
    const bytes = originals.reduce((sum, { size }) => sum + size, 0)
    const demandRoom = async (tx: Sql) => {
      const [user] = await tx<{ stored_bytes: number }[]>`
        select stored_bytes from users where id = ${user_id} and deleted_at is null for no key update`
      const { stored_bytes } = found(user, 'token_revoked')
      if (stored_bytes + bytes > environment.STORED_BYTES_MAX) throw new Problem('too_many_bytes')
    }
    await demandRoom(sql)
    for (const { original, key, thumbnail_key } of copies) {
      await copy(original.key, key)
      if (original.thumbnail_key !== null && thumbnail_key !== null) await copy(original.thumbnail_key, thumbnail_key)
    }
    return write(async (tx) => {
      await demandRoom(tx)
      const rows = copies.map(({ original, ...keys }) => ({ ...original, ...keys, uploader_id: user_id }))
      const files = await tx<{ id: number }[]>`insert into files ${tx(rows)} returning id`
      await tx`delete from object_outbox where key = any(${made})`
      return files.map(({ id }) => id)
    })
  }
  return work().catch(async (error: unknown) => {
    await sql`update object_outbox set due_at = now() where key = any(${made})`.catch(() => {})
    throw error
  })
}
