import { randomBytes } from 'node:crypto'
import { columns } from '../../database/database.ts'
import { errorFields } from '../../core/log.ts'
import type { Parts } from '../../parts.ts'
import { Semaphore } from '../../core/semaphore.ts'
import { found, Problem } from '../../core/errors.ts'
import { demandType, IMAGE_BYTES_MAX, isPicture, type Picture, readPicture, SNIFF_BYTES } from './content.ts'
import { File, UPLOAD_SECONDS } from './model.ts'

/** Pictures decoded at once: each may take 200 MB for a moment. */
const pictures = new Semaphore(1, 64)
/** How long a record may take to make; after that its objects are taken for orphans. */
const GUARD_MINUTES = 60
const NO_PICTURE: Picture = { width: null, height: null, thumbnail: undefined }

interface UploadRow {
  key: string
  filename: string
  content_type: string
  size: number
  expires_at: string
}

/**
 * Makes room for an upload, and a key for it.
 * @throws Problem `too_many_uploads`, `too_many_bytes`, `token_revoked`
 */
export async function reserveUpload(
  { write, environment }: Parts,
  user_id: number,
  draft: { filename: string; content_type: string; size: number },
): Promise<UploadRow> {
  return write(async (sql) => {
    const [user] = await sql<{ stored_bytes: number }[]>`
      select stored_bytes from users where id = ${user_id} and deleted_at is null for update`
    const { stored_bytes } = found(user, 'token_revoked')
    const [pending] = await sql<{ count: number; bytes: number }[]>`
      select count(*)::int as count, coalesce(sum(size), 0)::bigint as bytes from uploads
      where user_id = ${user_id} and expires_at > now()`
    const { count, bytes } = found(pending)
    if (count >= environment.PENDING_UPLOADS_MAX) throw new Problem('too_many_uploads')
    if (stored_bytes + bytes + draft.size > environment.STORED_BYTES_MAX) throw new Problem('too_many_bytes')
    // The embedded store counts uploads by folder.
    const key = `incoming/${user_id}/${randomBytes(16).toString('hex')}`
    const [row] = await sql<UploadRow[]>`
      insert into uploads (key, user_id, filename, content_type, size, expires_at)
      values (${key}, ${user_id}, ${draft.filename}, ${draft.content_type}, ${draft.size},
        now() + ${UPLOAD_SECONDS} * interval '1 second') returning *`
    return found(row, 'internal')
  })
}

/**
 * Makes a record of what was uploaded: checks it, copies it to where no later PUT can reach it, then writes it down.
 * @throws Problem `not_found`, `upload_missing`, `upload_mismatch`, `token_revoked`
 */
export async function recordUpload(parts: Parts, user_id: number, key: string): Promise<File> {
  const { sql, objects, write, log } = parts
  const [upload] = await sql<UploadRow[]>`
    select key, filename, content_type, size, expires_at from uploads
    where key = ${key} and user_id = ${user_id} and expires_at > now()`
  const { filename, content_type, size, expires_at } = found(upload)
  const object = await objects.head(key)
  if (!object) throw new Problem('upload_missing')
  if (object.size !== size) throw new Problem('upload_mismatch', `There are ${object.size} bytes, not ${size}`)
  const beginning = await objects.get(key, { start: 0, end: Math.min(size, SNIFF_BYTES) - 1 })
  await demandType(content_type, await bytesOf(beginning))
  const whole = async () => readPicture(await bytesOf(await objects.get(key)))
  const measurable = isPicture(content_type) && size <= IMAGE_BYTES_MAX
  if (measurable && pictures.isFull()) throw new Problem('unavailable', 'Too many pictures at once', { retry_after: 5 })
  const { width, height, thumbnail } = measurable ? await pictures.run(whole) : NO_PICTURE

  const final = `files/${randomBytes(16).toString('hex')}`
  const thumbnail_key = thumbnail ? `${final}.webp` : null
  const made = [final, ...(thumbnail_key ? [thumbnail_key] : [])]
  // Should this process die now, the sweep removes what it made.
  await sql`insert into object_outbox (key, due_at)
    select key, now() + ${GUARD_MINUTES} * interval '1 minute' from unnest(${made}::text[]) key`
  if (!(await objects.copy({ from: key, to: final, etag: object.etag }))) throw new Problem('upload_missing')
  if (thumbnail && thumbnail_key) await objects.put(thumbnail_key, thumbnail, 'image/webp')
  const record = write(async (tx) => {
    const [living] = await tx`select 1 from users where id = ${user_id} and deleted_at is null for no key update`
    found(living, 'token_revoked')
    // A key works once: of two requests, the second finds no upload.
    found((await tx`delete from uploads where key = ${key} returning 1`)[0])
    const row = { uploader_id: user_id, filename, content_type, size, width, height, key: final, thumbnail_key }
    const [file] = await tx<File[]>`insert into files ${tx(row)} returning ${columns(tx, File)}`
    await tx`delete from object_outbox where key = any(${made})`
    // The URL is still good for a while: what a late PUT leaves behind goes when it no longer is.
    await tx`insert into object_outbox (key, due_at) values (${key}, ${expires_at}::timestamptz + interval '1 minute')`
    return found(file, 'internal')
  })
  const file = await record.catch(async (error: unknown) => {
    // What was made for nothing goes now. Had it been recorded after all, these rows would be gone.
    await sql`update object_outbox set due_at = now() where key = any(${made})`.catch(() => {})
    throw error
  })
  await objects.delete(key).catch((error: unknown) => log('warn', 'upload.remove', errorFields(error)))
  return file
}

async function bytesOf(stream: ReadableStream<Uint8Array> | undefined): Promise<Uint8Array> {
  if (!stream) throw new Problem('upload_missing')
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
