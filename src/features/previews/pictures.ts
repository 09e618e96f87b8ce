import { randomBytes } from 'node:crypto'
import type { Database, Transaction } from '../../database/database.ts'
import { claim } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { demandType, isPicture, SNIFF_BYTES } from '../files/content.ts'
import { pictureInTurn } from '../files/upload.ts'

/** Key prefix of the objects, and path of the pictures on this server. */
const FOLDER = 'previews/'
export const PICTURES_PATH = '/media/previews'
/** A smaller picture is probably a tracking pixel. */
const EDGE_MIN = 16
/** Delete an unused picture after this time; a page's preview is cached for one hour. */
const UNUSED_HOURS = 2
/** Delete an object that is not recorded within this time. */
const GUARD_MINUTES = 60
const CHECKS_MAX = 500

/** A resized picture in the store. */
export interface StoredPicture {
  key: string
  width: number
  height: number
  /** The id of its record, if there is one. */
  id?: number
  /** Hashes of the source URL and of the bytes, by which the picture is found again. */
  origin?: { url_hash: Buffer; bytes_hash: Buffer }
}

/** The path of a picture on this server. */
export const pathOf = (key: string): string => `${PICTURES_PATH}/${key.slice(FOLDER.length)}`
/** The object key of a name in a path. */
export const keyOf = (name: string): string => FOLDER + name
export const PICTURE_NAME = /^[0-9a-f]{32}\.webp$/

/**
 * Resizes a picture in the account's turn, and stores it; undefined if it is not a picture.
 * @param type the announced type
 * @throws Problem `unavailable` when too many pictures wait, `upload_mismatch` for bytes of another type
 */
export async function storePicture(
  { sql, objects }: { sql: Database; objects: Pick<ObjectStore, 'put'> },
  userId: number,
  type: string,
  bytes: Buffer,
): Promise<StoredPicture | undefined> {
  if (!isPicture(type)) return undefined
  await demandType(type, bytes.subarray(0, SNIFF_BYTES))
  const { width, height, thumbnail } = await pictureInTurn(userId, async () => bytes)
  if (!thumbnail || !width || !height || Math.min(width, height) < EDGE_MIN) return undefined
  const metadata = await new Bun.Image(thumbnail).metadata()
  const key = `${FOLDER}${randomBytes(16).toString('hex')}.webp`
  // Schedule the deletion first, so that the object is deleted if this process dies.
  await sql`insert into object_outbox (key, due_at) values (${key}, now() + ${GUARD_MINUTES} * interval '1 minute')`
  await objects.put(key, thumbnail, 'image/webp')
  return { key, width: metadata.width, height: metadata.height }
}

/** Records a stored picture unless it is recorded already. @returns its id */
export async function recordPicture(sql: Transaction, picture: StoredPicture): Promise<number | undefined> {
  const { id, key, width, height, origin } = picture
  if (id !== undefined) return id
  const [row] = await sql<{ id: number }[]>`
    insert into preview_pictures ${sql({ key, width, height, ...origin })} returning id`
  if (!row) return undefined
  await sql`insert into preview_picture_checks (picture_id, due_at)
    values (${row.id}, now() + ${UNUSED_HOURS} * interval '1 hour')`
  await sql`delete from object_outbox where key = ${key}`
  return row.id
}

/**
 * The stored picture of a URL, if any. Its age is reset, so that it is not deleted while a page uses it.
 * @param bytesHash of the URL's present bytes; null for the URL's last picture
 */
export async function keptPicture(
  sql: Database,
  urlHash: Buffer,
  bytesHash: Buffer | null,
): Promise<StoredPicture | undefined> {
  const [picture] = await sql<StoredPicture[]>`
    with kept as (
      update preview_pictures set created_at = now() where id = (
        select id from preview_pictures where url_hash = ${urlHash}
          and (${bytesHash}::bytea is null or bytes_hash = ${bytesHash}) order by created_at desc, id desc limit 1)
      returning id, key, width, height
    ), checks as (
      insert into preview_picture_checks (picture_id, due_at)
        select id, now() + ${UNUSED_HOURS} * interval '1 hour' from kept
    ) select * from kept`
  return picture
}

/** Deletes previews' pictures that no message shows. Runs on one process. */
export function deleteUnusedPictures({ sql }: Pick<Parts, 'sql'>): Promise<void> {
  return sql.begin(async (tx) => {
    if (!(await claim(tx, 'preview pictures'))) return
    const checks = await tx<{ id: number; picture_id: number }[]>`select id, picture_id from preview_picture_checks
      where due_at <= now() order by due_at limit ${CHECKS_MAX}`
    const ids = checks.map((check) => check.picture_id)
    const isUsed = tx`exists (select from message_pictures m where m.picture_id = p.id)`
    // A cached page may still be adding the picture to a message, which is over by the next check.
    await tx`insert into preview_picture_checks (picture_id, due_at)
      select p.id, p.created_at + ${UNUSED_HOURS} * interval '1 hour' from preview_pictures p
      where p.id = any(${ids}) and not ${isUsed} and p.created_at > now() - ${UNUSED_HOURS} * interval '1 hour'`
    await tx`update preview_pages set picture_id = null, preview = null where picture_id in (
      select p.id from preview_pictures p where p.id = any(${ids}) and not ${isUsed}
        and p.created_at <= now() - ${UNUSED_HOURS} * interval '1 hour')`
    await tx`delete from preview_pictures p where p.id = any(${ids}) and not ${isUsed}
      and p.created_at <= now() - ${UNUSED_HOURS} * interval '1 hour'`
    await tx`delete from preview_picture_checks where id = any(${checks.map((check) => check.id)})`
  })
}
