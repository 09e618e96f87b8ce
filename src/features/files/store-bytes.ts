import { randomBytes } from 'node:crypto'
import { storageFull } from '../../core/disk-space.ts'
import { found, Problem } from '../../core/errors.ts'
import type { Parts } from '../../parts.ts'
import { cleanBytes } from './clean.ts'
import { demandType, IMAGE_BYTES_MAX, isPicture, measure, NO_PICTURE, OCTETS, type Picture } from './content.ts'
import { properType, SNIFF_BYTES } from './content.ts'
import { sourceOf } from './metadata/reader.ts'
import { pictureInTurn, reserveUpload, withdrawUpload } from './upload.ts'

/** Delete objects that are not recorded within this time. */
const GUARD_MINUTES = 60

/** Bytes that become a file. */
export interface FileInput {
  filename: string
  /** A MIME type. If the bytes are of another type, the file is stored as octet-stream. */
  content_type: string
  bytes: Uint8Array
  /** A description for those who do not see it. */
  alt?: string | undefined
}

/**
 * Stores bytes from a request as a file of the account, without their metadata. They count towards its limits like
 * uploads.
 * @returns the file's id
 * @throws Problem `too_many_bytes`, `too_many_uploads`, `storage_full`, `token_revoked`, `unavailable`
 */
export async function storeBytes(parts: Parts, userId: number, { filename, content_type, alt, ...input }: FileInput) {
  const { sql, objects, write } = parts
  if (await objects.isFull(input.bytes.length)) throw storageFull()
  const announcedType = properType(content_type)
  const { bytes, size, content_type: type } = await cleanBytes(await typeOf(announcedType, input.bytes), input.bytes)
  const reservation = await reserveUpload(parts, userId, { filename, content_type: type, size })
  const key = `files/${randomBytes(16).toString('hex')}`
  const work = async () => {
    const { width, height, thumbnail } = isPicture(type) ? await pictureOf(userId, bytes) : NO_PICTURE
    const thumbnail_key = thumbnail ? `${key}.webp` : null
    // Schedule the deletion first, so that the new objects are deleted if this process dies.
    await sql`insert into object_outbox (key, due_at) select made.key, now() + ${GUARD_MINUTES} * interval '1 minute'
      from unnest(array[${key}, ${thumbnail_key}]::text[]) made (key) where made.key is not null`
    await objects.put(key, bytes, type)
    if (thumbnail && thumbnail_key) await objects.put(thumbnail_key, thumbnail, 'image/webp')
    return write(async (tx) => {
      const [account] = await tx`select 1 from users where id = ${userId} and deleted_at is null for no key update`
      found(account, 'token_revoked')
      await withdrawUpload(tx, reservation.key)
      const row = {
        uploader_id: userId,
        filename,
        content_type: type,
        size,
        width,
        height,
        key,
        thumbnail_key,
        alt: alt || null,
      }
      const [file] = await tx<{ id: number }[]>`insert into files ${tx(row)} returning id`
      await tx`delete from object_outbox where key in (${key}, ${`${key}.webp`})`
      return found(file, 'internal').id
    })
  }
  return work().catch(async (error: unknown) => {
    await sql`update object_outbox set due_at = now() where key in (${key}, ${`${key}.webp`})`.catch(() => {})
    await withdrawUpload(sql, reservation.key).catch(() => {})
    throw error
  })
}

/** If too many pictures wait, store the file without a thumbnail rather than lose the post. */
async function pictureOf(userId: number, bytes: Uint8Array): Promise<Picture> {
  if (bytes.length > IMAGE_BYTES_MAX) return measure(sourceOf(bytes))
  return pictureInTurn(userId, async () => bytes).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'unavailable') return measure(sourceOf(bytes))
    throw error
  })
}

/** The announced type, unless the bytes are of another one. */
async function typeOf(announcedType: string, bytes: Uint8Array): Promise<string> {
  try {
    await demandType(announcedType, bytes.subarray(0, SNIFF_BYTES))
    return announcedType
  } catch (error) {
    if (error instanceof Problem && error.code === 'upload_mismatch') return OCTETS
    throw error
  }
}
