import { found, Problem } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { field } from '../../http/answers.ts'
import type { Parts } from '../../parts.ts'
import { bytesOf } from './clean.ts'

/** Delete the picture if it is not recorded within this time. */
const GUARD_MINUTES = 10

/**
 * The bytes of the account's own upload that is not attached to a message.
 * @throws Problem `not_found`, `already_attached`, `validation_failed` if it is too large
 */
export async function uploadedBytes(
  { sql, objects }: Pick<Parts, 'sql' | 'objects'>,
  fileId: number,
  userId: number,
  bytesMax: number,
): Promise<Uint8Array> {
  const [file] = await sql<{ key: string; size: number; is_attached: boolean }[]>`
    select key, size, message_id is not null or scheduled_id is not null as is_attached from files
    where id = ${fileId} and uploader_id = ${userId}`
  const { key, size, is_attached } = found(file)
  if (is_attached) throw new Problem('already_attached')
  if (size > bytesMax) throw field('file_id', `Must be at most ${bytesMax / 1024} KiB`)
  return bytesOf(await objects.get(key))
}

/**
 * Stores a picture or sound of a server, and records it in a transaction. If that fails, the object is deleted.
 * @param object its key in the object store
 * @param record records the picture
 */
export const recordPicture = <T>(
  parts: Pick<Parts, 'sql' | 'objects' | 'write'>,
  object: string,
  picture: Uint8Array,
  record: (tx: Transaction, emit: Emit, notify: Notify) => Promise<T>,
  contentType = 'image/webp',
): Promise<T> => recordPictures(parts, new Map([[object, picture]]), record, contentType)

/** The same for several pictures, by their keys; for none, only records. */
export async function recordPictures<T>(
  { sql, objects, write }: Pick<Parts, 'sql' | 'objects' | 'write'>,
  pictures: Map<string, Uint8Array>,
  record: (tx: Transaction, emit: Emit, notify: Notify) => Promise<T>,
  contentType = 'image/webp',
): Promise<T> {
  if (pictures.size === 0) return write(record)
  const keys = [...pictures.keys()]
  // Schedule the deletion first, so that the new objects are deleted if this process dies.
  await sql`insert into object_outbox (key, due_at)
    select key, now() + ${GUARD_MINUTES} * interval '1 minute' from unnest(${keys}::text[]) key`
  try {
    for (const [key, picture] of pictures) await objects.put(key, picture, contentType)
    return await write(async (tx, emit, notify) => {
      const recorded = await record(tx, emit, notify)
      await tx`delete from object_outbox where key = any(${keys}::text[])`
      return recorded
    })
  } catch (error) {
    // Delete the new objects now. If the write was committed after all, these rows no longer exist.
    await sql`update object_outbox set due_at = now() where key = any(${keys}::text[])`.catch(() => {})
    throw error
  }
}

/** True for a file `f` that an account or server shows outside of messages, or that somebody keeps. */
export const isShownElsewhere = (sql: Sql) => sql`(
  exists (select from users u where u.avatar_file_id = f.id)
  or exists (select from servers s where s.icon_file_id = f.id)
  or exists (select from channels c where c.icon_file_id = f.id)
  or exists (select from event_images i where i.file_id = f.id)
  or exists (select from favourites v where v.file_id = f.id))`

/** Deletes the locked file unless it is shown elsewhere. */
export async function removeUnused(sql: Transaction, fileId: number): Promise<void> {
  await sql`delete from files f where f.id = ${fileId} and not ${isShownElsewhere(sql)}`
}
