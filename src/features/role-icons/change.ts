import { randomBytes } from 'node:crypto'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { columns, type Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { chargeAssets } from '../access/assets.ts'
import { audit } from '../audit/record.ts'
import { EMOJI_BYTES_MAX } from '../emoji/model.ts'
import { emojiPicture } from '../emoji/picture.ts'
import { demandUnattached } from '../files/access.ts'
import { recordPicture, removeUnused, uploadedBytes } from '../files/server-picture.ts'
import { decodeInTurn } from '../files/upload.ts'
import { beginRoleChange, demandBelow, visibleRole } from '../roles/hierarchy.ts'
import { Role } from '../roles/model.ts'

/** The object key of a role's picture. @param key the last part of its URL */
export const objectKey = (key: string): string => `role-icons/${key}`

/**
 * A role that the caller may change, in its locked server.
 * @throws Problem `not_found`, `missing_permission`, `forbidden`
 */
async function lockedRole(sql: Transaction, role_id: number, userId: number): Promise<Role> {
  const { server_id } = await visibleRole(sql, role_id, userId)
  const actor = await beginRoleChange(sql, server_id, userId)
  const role = await visibleRole(sql, role_id, userId)
  demandBelow(actor, role.position)
  if (role.is_everyone) throw new Problem('forbidden', 'The everyone role has no picture')
  return role
}

/** Deletes a role's picture. @returns the id of the upload that it was made from */
async function dropIcon(sql: Transaction, role_id: number): Promise<number | null> {
  const [row] = await sql<{ file_id: number }[]>`delete from role_icons where role_id = ${role_id} returning file_id`
  return row?.file_id ?? null
}

async function publish(
  sql: Transaction,
  emit: Emit,
  { id, server_id }: Role,
  actor_id: number,
  iconUrl: string | null,
  [before, after]: [before: number | null, after: number | null],
): Promise<Role> {
  const [role] = await sql<Role[]>`update roles set icon_url = ${iconUrl}, updated_at = now()
    where id = ${id} returning ${columns(sql, Role)}`
  emit(topic.server(server_id), 'role.updated', found(role))
  const entry = { server_id, actor_id, action: 'role.updated' as const }
  await audit(sql, entry, ['role', id], { icon_file_id: before }, { icon_file_id: after })
  return found(role)
}

/**
 * Gives a role a picture from a file that the account has uploaded, and deletes the uploaded file.
 * @throws Problem `not_found`, `missing_permission`, `forbidden`, `already_attached`, `validation_failed`,
 * `too_many_bytes`, `unavailable`
 */
export async function setIcon(parts: Parts, role_id: number, userId: number, file_id: number): Promise<Role> {
  // Refused before the picture is decoded.
  await parts.write((sql) => lockedRole(sql, role_id, userId))
  const bytes = await decodeInTurn(userId, async () =>
    emojiPicture(await uploadedBytes(parts, file_id, userId, EMOJI_BYTES_MAX)),
  )
  const key = randomBytes(16).toString('hex')
  return recordPicture(parts, objectKey(key), bytes, async (sql, emit) => {
    const role = await lockedRole(sql, role_id, userId)
    await demandUnattached(sql, file_id)
    const before = await dropIcon(sql, role_id)
    const { server_id } = role
    await sql`insert into role_icons ${sql({ role_id, server_id, key, size: bytes.length, file_id })}`
    await removeUnused(sql, file_id)
    await chargeAssets(sql, server_id, bytes.length, parts.environment)
    return publish(sql, emit, role, userId, `/media/role-icons/${key}`, [before, file_id])
  })
}

/** Removes the picture of a role, if it has one. @throws Problem `not_found`, `missing_permission`, `forbidden` */
export async function removeIcon(sql: Transaction, emit: Emit, role_id: number, userId: number): Promise<Role> {
  const role = await lockedRole(sql, role_id, userId)
  const before = await dropIcon(sql, role_id)
  return before === null ? role : publish(sql, emit, role, userId, null, [before, null])
}
