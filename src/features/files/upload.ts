import { randomBytes } from 'node:crypto'
import { columns, type Sql, type Transaction } from '../../database/database.ts'
import { errorFields } from '../../core/log.ts'
import type { Parts } from '../../parts.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { FairQueue } from '../../core/fair-queue.ts'
import { found, Problem } from '../../core/errors.ts'
import { bytesOf, cleanObject, inTime, objectSource } from './clean.ts'
import { demandType, IMAGE_BYTES_MAX, isPicture, measure, NO_PICTURE, type Picture, readPicture } from './content.ts'
import { SNIFF_BYTES } from './content.ts'
import { File, type FileDraft, UPLOAD_SECONDS } from './model.ts'

/**
 * Decoding a picture may take 100 MB and a second of CPU time, so they are decoded one by one, with turns between
 * accounts. By default an account may have 20 uploads, and may queue the pictures of all of them.
 */
const pictures = new FairQueue({ atOnce: 1, queuedMax: 128, queuedPerAccountMax: 20, waitMsMax: 30_000 })
/** Time limit for reading a picture from the object store. */
const READING_MS_MAX = 10_000
/** A picture that is not decoded within this time is stored without a thumbnail. */
const DECODING_MS_MAX = 10_000
/** Delete objects that are not recorded within this time. */
const GUARD_MINUTES = 60

/** Key prefix under which clients upload. */
const INCOMING = 'incoming/'
/**
 * Prefixes the key of an upload that is recorded while its URL is still valid. An external S3 accepts bytes at the URL
 * until then, so the row stays and counts.
 */
const RECORDED = 'recorded/'

interface UploadRow {
  key: string
  filename: string
  content_type: string
  size: number
  expires_at: string
}

/** The account whose limits apply: for a bot, its owner. */
const holderOf = (sql: Sql, userId: number) =>
  sql`coalesce((select owner_id from applications where id = ${userId}), ${userId}::bigint)`

/**
 * The usage of an account and its bots together. One statement, so that an upload that is recorded meanwhile counts
 * once.
 * @returns pending uploads, and bytes of files and pending uploads
 */
async function usageOf(sql: Sql, holder_id: number): Promise<{ pending: number; bytes: number }> {
  const [usage] = await sql<{ pending: number; bytes: number }[]>`
    select sum(own.pending)::int as pending,
      sum(greatest(u.stored_bytes, own.recorded_bytes) + own.pending_bytes)::bigint as bytes
    from users u cross join lateral (
      select count(*) filter (where is_pending) as pending,
        coalesce(sum(size) filter (where is_pending), 0) as pending_bytes,
        coalesce(sum(size) filter (where not is_pending), 0) as recorded_bytes
      from (select size, not starts_with(key, ${RECORDED}) as is_pending from uploads
        where user_id = u.id and expires_at > now()) uploads
    ) own
    where u.id = ${holder_id} or u.id in (select a.id from applications a where a.owner_id = ${holder_id})`
  return found(usage, 'internal')
}

/**
 * Reserves space for an upload. A bot's uploads count as its owner's.
 * @returns the upload, with its new key
 * @throws Problem `too_many_uploads`, `too_many_bytes`, `token_revoked`
 */
export async function reserveUpload(
  { write, environment }: Parts,
  userId: number,
  draft: { filename: string; content_type: string; size: number },
): Promise<UploadRow> {
  return write(async (sql) => {
    const accounts = await sql<{ id: number; holder_id: number }[]>`
      select id, ${holderOf(sql, userId)} as holder_id from users
      where id in (${userId}, ${holderOf(sql, userId)}) and deleted_at is null order by id for update`
    const { holder_id } = found(
      accounts.find(({ id }) => id === userId),
      'token_revoked',
    )
    const { pending, bytes } = await usageOf(sql, holder_id)
    if (pending >= environment.PENDING_UPLOADS_MAX) throw new Problem('too_many_uploads')
    if (bytes + draft.size > environment.STORED_BYTES_MAX) throw new Problem('too_many_bytes')
    // One folder per account, because the embedded store counts uploads by folder.
    const key = `${INCOMING}${holder_id}/${randomBytes(16).toString('hex')}`
    const [row] = await sql<UploadRow[]>`
      insert into uploads (key, user_id, filename, content_type, size, expires_at)
      values (${key}, ${userId}, ${draft.filename}, ${draft.content_type}, ${draft.size},
        now() + ${UPLOAD_SECONDS} * interval '1 second') returning *`
    return found(row, 'internal')
  })
}

/**
 * Turns an upload into a file: checks the object, copies it to a key that no later PUT can reach, removes its metadata,
 * inserts the record.
 * @throws Problem `not_found`, `upload_missing`, `upload_mismatch`, `token_revoked`, `unavailable`; `validation_failed`
 * for a waveform on a file that is not a sound
 */
export async function recordUpload(parts: Parts, userId: number, draft: FileDraft): Promise<File> {
  const { sql, objects, write, log, environment } = parts
  const { key, sound, keep_metadata } = draft
  const [upload] = await sql<(UploadRow & { holder_id: number })[]>`
    select key, filename, content_type, size, expires_at, ${holderOf(sql, userId)} as holder_id from uploads
    where key = ${key} and user_id = ${userId} and expires_at > now()`
  const { filename, content_type, size, expires_at, holder_id } = found(upload)
  if (sound && !content_type.startsWith('audio/')) {
    const errors = [{ path: 'body.sound', message: `The upload is ${content_type}, not a sound` }]
    throw new Problem('validation_failed', 'Only sounds can have a waveform', { errors })
  }
  const object = await objects.head(key)
  if (!object) throw new Problem('upload_missing')
  if (object.size !== size) throw new Problem('upload_mismatch', `There are ${object.size} bytes, not ${size}`)
  const beginning = await objects.get(key, { start: 0, end: Math.min(size, SNIFF_BYTES) - 1 })
  await demandType(content_type, await bytesOf(beginning))

  const [rawKey, cleanKey] = [newKey(), newKey()]
  const newKeys = [rawKey, cleanKey].flatMap((each) => [each, thumbnailKey(each)])
  // Schedule the deletion first, so that the new objects are deleted if this process dies.
  await sql`insert into object_outbox (key, due_at)
    select key, now() + ${GUARD_MINUTES} * interval '1 minute' from unnest(${newKeys}::text[]) key`
  const work = async () => {
    if (!(await objects.copy({ from: key, to: rawKey, etag: object.etag }))) throw new Problem('upload_missing')
    const raw = { key: rawKey, content_type, size }
    const storedObject = keep_metadata ? raw : await cleanObject(objects, holder_id, raw, cleanKey)
    const { width, height, thumbnail } = await pictureOf(objects, holder_id, storedObject)
    const thumbnail_key = thumbnail ? thumbnailKey(storedObject.key) : null
    if (thumbnail && thumbnail_key) await objects.put(thumbnail_key, thumbnail, 'image/webp')
    return write(async (tx) => {
      const [account] = await tx`select 1 from users where id = ${userId} and deleted_at is null for no key update`
      found(account, 'token_revoked')
      // A key works once: a second request finds no upload.
      found((await endUpload(tx, key, environment.S3_ENDPOINT !== undefined))[0])
      const row = { uploader_id: userId, filename, ...storedObject, width, height, ...sound, thumbnail_key }
      const keeps_metadata = keep_metadata ?? false
      const [file] = await tx<
        File[]
      >`insert into files ${tx({ ...row, keeps_metadata })} returning ${columns(tx, File, 'files')}`
      const isRewritten = storedObject.key !== rawKey
      await tx`delete from object_outbox where key = any(${newKeys}) and (key <> ${rawKey} or not ${isRewritten})`
      if (isRewritten) await tx`update object_outbox set due_at = now() where key = ${rawKey}`
      // The upload URL is still valid, so delete the object of a late PUT after the URL has expired.
      await tx`insert into object_outbox (key, due_at)
        values (${key}, ${expires_at}::timestamptz + interval '1 minute')`
      return found(file, 'internal')
    })
  }
  const file = await work().catch(async (error: unknown) => {
    // Delete the new objects now. If the write was committed after all, the rows of used objects no longer exist.
    await sql`update object_outbox set due_at = now() where key = any(${newKeys})`.catch(() => {})
    throw error
  })
  await objects.delete(key).catch((error: unknown) => log('warn', 'upload.remove', errorFields(error)))
  return file
}

/** A key for a new object of a file. */
export const newKey = (): string => `files/${randomBytes(16).toString('hex')}`
const thumbnailKey = (key: string) => `${key}.webp`

/**
 * Ends a pending upload.
 * @param isCounted keep counting it until its URL expires, because the store still accepts bytes there
 */
const endUpload = (tx: Transaction, key: string, isCounted: boolean) =>
  isCounted
    ? tx`update uploads set key = ${RECORDED} || key where key = ${key} returning 1`
    : tx`delete from uploads where key = ${key} returning 1`

/** True if the embedded store accepts an object under the key: below INCOMING, only for a pending upload. */
export async function mayUpload(sql: Sql, key: string): Promise<boolean> {
  if (!key.startsWith(INCOMING)) return true
  return (await sql`select 1 from uploads where key = ${key} and expires_at > now()`).length > 0
}

/** Frees the upload under the key after the store failed to save its bytes. */
export async function withdrawUpload(sql: Sql, key: string): Promise<void> {
  await sql`delete from uploads where key = ${key}`
}

/** Decodes a picture in its account's turn. @throws Problem `unavailable` when too many pictures wait */
export const decodeInTurn = <T>(userId: number, decode: () => Promise<T>): Promise<T> => pictures.run(userId, decode)

/** Size and thumbnail of a recorded object; only the size in the header if it is too large to be decoded. */
async function pictureOf(
  objects: ObjectStore,
  userId: number,
  { key, content_type, size }: { key: string; content_type: string; size: number },
): Promise<Picture> {
  if (!isPicture(content_type)) return NO_PICTURE
  if (size > IMAGE_BYTES_MAX) return measure(objectSource(objects, key, size))
  return pictureInTurn(userId, () => inTime(objects.get(key).then(bytesOf), READING_MS_MAX))
}

/**
 * Measures a picture in its account's turn.
 * @param read reads its bytes, when the turn has come
 * @throws Problem `unavailable` when too many pictures wait
 */
export function pictureInTurn(
  userId: number,
  read: () => Promise<Uint8Array>,
  decodingMsMax = DECODING_MS_MAX,
): Promise<Picture> {
  return new Promise((resolve, reject) => {
    // Decoding cannot be interrupted: it occupies its slot until it ends, but the request continues.
    const decode = async () => {
      const timer = setTimeout(() => resolve(NO_PICTURE), decodingMsMax)
      try {
        resolve(await readPicture(await read()))
      } finally {
        clearTimeout(timer)
      }
    }
    pictures.run(userId, decode).catch(reject)
  })
}
