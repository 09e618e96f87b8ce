import { randomBytes } from 'node:crypto'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { chargeAssets } from '../access/assets.ts'
import { lockedMembership } from '../access/guard.ts'
import { audit } from '../audit/record.ts'
import { demandUnattached } from '../files/access.ts'
import { recordPicture, removeUnused, uploadedBytes } from '../files/server-picture.ts'
import { decodeInTurn } from '../files/upload.ts'
import { type Sticker, STICKER_BYTES_MAX, type StickerPatch, STICKERS_PER_SERVER_MAX } from './model.ts'
import { stickerPicture } from './picture.ts'

/** Deleted stickers per server that are kept, because messages still show them. */
export const DELETED_KEPT_MAX = 200

/** The columns of a Sticker, of stickers `s`. */
export const stickerColumns = (sql: Sql) =>
  sql`s.id, s.server_id, s.name, s.alt, s.tags, '/media/stickers/' || s.key as url, s.is_animated as animated,
    s.creator_id, s.created_at`

/** The object key of a sticker's picture. @param key the last part of its URL */
export const objectKey = (key: string): string => `stickers/${key}`

/** Finds a sticker through a member of its server. @throws Problem `not_found` */
export async function visibleSticker(sql: Sql, id: number, userId: number): Promise<Sticker> {
  const [sticker] = await sql<Sticker[]>`
    select ${stickerColumns(sql)} from stickers s join members m on m.server_id = s.server_id and m.user_id = ${userId}
    where s.id = ${id} and s.deleted_at is null`
  return found(sticker)
}

/** @throws Problem `not_found`, `missing_permission` */
async function lockServer(sql: Transaction, server_id: number, userId: number): Promise<void> {
  await sql`select 1 from servers where id = ${server_id} for no key update`
  await sql`select share_access(${server_id})`
  await lockedMembership(sql, server_id, userId, 'manage_emoji')
}

/**
 * Creates a sticker from a picture that the account has uploaded, and deletes the uploaded file, because the sticker
 * has its own copy.
 * @throws Problem `not_found`, `missing_permission`, `already_attached`, `validation_failed`, `too_many_stickers`,
 * `too_many_bytes`, `unavailable`
 */
export async function createSticker(
  parts: Parts,
  server_id: number,
  userId: number,
  { name, alt, tags, file_id }: { name: string; alt: string; tags: string; file_id: number },
): Promise<Sticker> {
  const { picture, isAnimated } = await decodeInTurn(userId, async () =>
    stickerPicture(await uploadedBytes(parts, file_id, userId, STICKER_BYTES_MAX)),
  )
  const key = randomBytes(16).toString('hex')
  return recordPicture(parts, objectKey(key), picture, async (tx, emit) => {
    await lockServer(tx, server_id, userId)
    const [row] = await tx<{ count: number }[]>`
      select count(*)::int as count from stickers where server_id = ${server_id} and deleted_at is null`
    if (found(row).count >= STICKERS_PER_SERVER_MAX) throw new Problem('too_many_stickers')
    await demandUnattached(tx, file_id)
    const [sticker] = await tx<Sticker[]>`
      insert into stickers as s (server_id, name, alt, tags, key, size, is_animated, creator_id)
      values (${server_id}, ${name}, ${alt}, ${tags}, ${key}, ${picture.length}, ${isAnimated}, ${userId})
      returning ${stickerColumns(tx)}`
    await removeUnused(tx, file_id)
    await chargeAssets(tx, server_id, picture.length, parts.environment)
    emit(topic.server(server_id), 'sticker.created', found(sticker, 'internal'))
    await note(tx, userId, 'sticker.created', null, found(sticker))
    return found(sticker)
  })
}

/** Changes the name, description or tags of a sticker. @throws Problem `not_found`, `missing_permission` */
export async function changeSticker(
  sql: Transaction,
  emit: Emit,
  id: number,
  userId: number,
  patch: StickerPatch,
): Promise<Sticker> {
  const { server_id } = await visibleSticker(sql, id, userId)
  await lockServer(sql, server_id, userId)
  const before = await visibleSticker(sql, id, userId)
  const { name = before.name, alt = before.alt, tags = before.tags } = patch
  const change = { name, alt, tags }
  if (before.name === name && before.alt === alt && before.tags === tags) return before
  const [sticker] = await sql<Sticker[]>`
    update stickers s set ${sql(change)} where id = ${id} returning ${stickerColumns(sql)}`
  emit(topic.server(server_id), 'sticker.updated', found(sticker))
  await note(sql, userId, 'sticker.updated', before, found(sticker))
  return found(sticker)
}

/**
 * Deletes a sticker. Nobody can send it any more, but messages that contain it still show it.
 * @throws Problem `not_found`, `missing_permission`
 */
export async function deleteSticker(sql: Transaction, emit: Emit, id: number, userId: number): Promise<void> {
  const { server_id } = await visibleSticker(sql, id, userId)
  await lockServer(sql, server_id, userId)
  const before = await visibleSticker(sql, id, userId)
  await sql`update stickers set deleted_at = clock_timestamp() where id = ${id}`
  await sql`delete from stickers where id in (select id from stickers
    where server_id = ${server_id} and deleted_at is not null order by deleted_at desc offset ${DELETED_KEPT_MAX})`
  emit(topic.server(server_id), 'sticker.deleted', { id, server_id })
  await note(sql, userId, 'sticker.deleted', before, null)
}

function note(
  sql: Transaction,
  actor_id: number,
  action: 'sticker.created' | 'sticker.updated' | 'sticker.deleted',
  before: Sticker | null,
  after: Sticker | null,
): Promise<void> {
  const { id, server_id } = found(before ?? after)
  const auditFields = (sticker: Sticker | null) =>
    sticker && { name: sticker.name, alt: sticker.alt, tags: sticker.tags }
  return audit(sql, { server_id, actor_id, action }, ['sticker', id], auditFields(before), auditFields(after))
}
