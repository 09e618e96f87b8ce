import { randomBytes } from 'node:crypto'
import { Problem } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import { field } from '../../http/answers.ts'
import type { Parts } from '../../parts.ts'
import { type AssetLimit, chargeAssets } from '../access/assets.ts'
import { emojiPicture } from '../emoji/picture.ts'
import { bytesOf } from '../files/clean.ts'
import { decodeInTurn } from '../files/upload.ts'
import { objectKey } from '../role-icons/change.ts'
import { PICTURE_BYTES_MAX, PICTURES_MAX, type Template } from './model.ts'

/** A decoded picture of a template, by the place of its role. */
export interface RolePicture {
  role: number
  /** The last part of its URL. */
  key: string
  bytes: Uint8Array
}

/**
 * Decodes the pictures of a template, in the account's turn.
 * @throws Problem `validation_failed`, `unavailable`
 */
export async function rolePicturesOf(userId: number, { roles }: Template): Promise<RolePicture[]> {
  const pictures: RolePicture[] = []
  for (const [role, { icon }] of roles.entries()) {
    if (icon === null) continue
    const decoding = decodeInTurn(userId, () => emojiPicture(Buffer.from(icon, 'base64')))
    const bytes = await decoding.catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'validation_failed')
        throw field(`template.roles.${role}.icon`, 'Must be an undamaged PNG, WebP or GIF')
      throw error
    })
    pictures.push({ role, key: randomBytes(16).toString('hex'), bytes })
  }
  return pictures
}

/** The pictures by the keys of their objects. */
export const objectsOf = (pictures: RolePicture[]): Map<string, Uint8Array> =>
  new Map(pictures.map(({ key, bytes }) => [objectKey(key), bytes]))

/** Gives the new roles their pictures, whose objects are stored. @throws Problem `too_many_bytes`, by a constraint */
export async function giveRolePictures(
  sql: Transaction,
  server_id: number,
  pictures: RolePicture[],
  roleIds: number[],
  limit: AssetLimit,
): Promise<void> {
  if (pictures.length === 0) return
  // No upload was it made from.
  const rows = pictures.map(({ role, key, bytes }) => ({
    role_id: roleIds[role] ?? 0,
    server_id,
    key,
    size: bytes.length,
    file_id: 0,
  }))
  await sql`insert into role_icons ${sql(rows)}`
  await sql`update roles r set icon_url = '/media/role-icons/' || i.key
    from role_icons i where i.role_id = r.id and r.server_id = ${server_id}`
  await chargeAssets(
    sql,
    server_id,
    rows.reduce((sum, { size }) => sum + size, 0),
    limit,
  )
}

/**
 * The pictures of a server's roles as a template has them, by role: of the highest roles that fit. The others are left
 * out, because a template without its pictures is better than none.
 * @param bytesMax characters of all pictures
 */
export async function describeRolePictures(
  { sql, objects }: Pick<Parts, 'objects'> & { sql: Sql },
  serverId: number,
  bytesMax: number,
): Promise<Map<number, string>> {
  const rows = await sql<{ role_id: number; key: string }[]>`
    select i.role_id, i.key from role_icons i join roles r on r.id = i.role_id
    where i.server_id = ${serverId} and r.bot_id is null and i.size <= ${PICTURE_BYTES_MAX}
    order by r.position desc limit ${PICTURES_MAX}`
  const icons = new Map<number, string>()
  let spareBytes = bytesMax
  for (const { role_id, key } of rows) {
    const object = await objects.get(objectKey(key))
    const icon = object ? Buffer.from(await bytesOf(object)).toString('base64') : ''
    if (icon === '' || icon.length > spareBytes) continue
    spareBytes -= icon.length
    icons.set(role_id, icon)
  }
  return icons
}
