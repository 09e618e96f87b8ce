import { randomBytes } from 'node:crypto'
import { codeOf, found } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import { field } from '../../http/answers.ts'
import type { Parts } from '../../parts.ts'
import { demandUnattached } from '../files/access.ts'
import { recordPicture, removeUnused, uploadedBytes } from '../files/server-picture.ts'
import { decodeInTurn } from '../files/upload.ts'
import { BANNER_BYTES_MAX, BANNER_HEIGHT_PX, BANNER_WIDTH_PX, type Profile, type ProfilePatch } from './model.ts'

const FORMATS = new Set(['png', 'jpeg', 'webp', 'gif'])
/** 12 megapixels, a phone's photo, decode to 48 MB. */
const PIXELS_MAX = 12_500_000
const QUALITY = 85

/** The object key of a banner. @param key the last part of its URL */
export const objectKey = (key: string): string => `banners/${key}`

/** The profile of an account, if the viewer may read it. @throws Problem `not_found` */
export async function visibleProfile(sql: Sql, viewerId: number, userId: number): Promise<Profile> {
  const [profile] = await sql<Profile[]>`
    select u.id as user_id, coalesce(p.bio, '') as bio, p.pronouns, '/media/banners/' || b.key as banner_url
    from users u left join profiles p on p.user_id = u.id left join banners b on b.user_id = u.id
    where u.id = ${userId} and u.deleted_at is null and sees_profile(${viewerId}, u.id)`
  return found(profile)
}

/** Until the commit the account is not deleted. @throws Problem `token_revoked` */
async function lockAccount(sql: Transaction, userId: number): Promise<void> {
  const [account] = await sql`select 1 from users where id = ${userId} and deleted_at is null for no key update`
  found(account, 'token_revoked')
}

/** Changes the named fields. @throws Problem `token_revoked` */
export async function changeProfile(sql: Transaction, user_id: number, change: ProfilePatch): Promise<Profile> {
  await lockAccount(sql, user_id)
  await sql`insert into profiles ${sql({ user_id, ...change })}
    on conflict (user_id) do update set ${sql(change)}`
  return visibleProfile(sql, user_id, user_id)
}

const refusal = () =>
  field('file_id', `An undamaged PNG, JPEG, WebP or GIF of at most ${BANNER_BYTES_MAX / 1024 ** 2} MiB`)

/**
 * Re-encodes a picture as a banner, which does not move. `Bun.Image` turns a photo as its camera was held.
 * @throws Problem `validation_failed`
 */
async function bannerOf(bytes: Uint8Array): Promise<{ picture: Uint8Array; width: number; height: number }> {
  try {
    const { format, width, height } = await new Bun.Image(bytes, { maxPixels: PIXELS_MAX }).metadata()
    if (!FORMATS.has(format) || width * height > PIXELS_MAX) throw refusal()
    const picture = await new Bun.Image(bytes, { maxPixels: PIXELS_MAX })
      .resize(BANNER_WIDTH_PX, BANNER_HEIGHT_PX, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .bytes()
    const after = await new Bun.Image(picture).metadata()
    return { picture, width: after.width, height: after.height }
  } catch (error) {
    if (codeOf(error)?.startsWith('ERR_IMAGE')) throw refusal()
    throw error
  }
}

/**
 * Sets the account's banner from a file that it has uploaded, and deletes the uploaded file.
 * @throws Problem `not_found`, `already_attached`, `validation_failed`, `unavailable`, `token_revoked`
 */
export async function setBanner(parts: Parts, user_id: number, file_id: number): Promise<Profile> {
  const { picture, width, height } = await decodeInTurn(user_id, async () =>
    bannerOf(await uploadedBytes(parts, file_id, user_id, BANNER_BYTES_MAX)),
  )
  const key = randomBytes(16).toString('hex')
  return recordPicture(parts, objectKey(key), picture, async (sql) => {
    // A file is locked before its account.
    await demandUnattached(sql, file_id)
    await lockAccount(sql, user_id)
    await sql`delete from banners where user_id = ${user_id}`
    await sql`insert into banners ${sql({ user_id, key, size: picture.length, width, height, file_id })}`
    await removeUnused(sql, file_id)
    return visibleProfile(sql, user_id, user_id)
  })
}

/** Removes the account's banner, if it has one. @throws Problem `token_revoked` */
export async function removeBanner(sql: Transaction, userId: number): Promise<Profile> {
  await lockAccount(sql, userId)
  await sql`delete from banners where user_id = ${userId}`
  return visibleProfile(sql, userId, userId)
}
