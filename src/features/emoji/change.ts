import { randomBytes } from 'node:crypto'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { audit } from '../audit/record.ts'
import { demandUnattached } from '../files/access.ts'
import { recordPicture, removeUnused, uploadedBytes } from '../files/server-picture.ts'
import { decodeInTurn } from '../files/upload.ts'
import { chargeAssets } from '../access/assets.ts'
import { demand, membership } from '../access/guard.ts'
import { type CustomEmoji, EMOJI_BYTES_MAX, EMOJI_PER_SERVER_MAX } from './model.ts'
import { emojiPicture } from './picture.ts'

/** Deleted emoji per server whose pictures are kept, because messages still show them. */
export const DELETED_KEPT_MAX = 1_000

/** The columns of a CustomEmoji, of emojis `e`. */
export const emojiColumns = (sql: Sql) =>
  sql`e.id, e.server_id, e.name, '/media/emoji/' || e.key as url, e.creator_id, e.created_at`

/** The object key of an emoji's picture. @param key the last part of its URL */
export const objectKey = (key: string): string => `emoji/${key}`

/** Finds an emoji through a member of its server. @throws Problem `not_found` */
async function visibleEmoji(sql: Sql, id: number, userId: number): Promise<CustomEmoji> {
  const [emoji] = await sql<CustomEmoji[]>`
    select ${emojiColumns(sql)} from emojis e join members m on m.server_id = e.server_id and m.user_id = ${userId}
    where e.id = ${id} and e.deleted_at is null`
  return found(emoji)
}

/**
 * Locks a server: until the commit nobody else changes its emoji, and the caller keeps its permissions.
 * @throws Problem `not_found`, `missing_permission`
 */
async function lockServer(sql: Transaction, server_id: number, userId: number): Promise<void> {
  await sql`select 1 from servers where id = ${server_id} for no key update`
  await sql`select share_access(${server_id})`
  demand((await membership(sql, server_id, userId)).permissions, 'manage_emoji')
}

/**
 * Creates an emoji from a picture that the account has uploaded, and deletes the uploaded file, because the emoji has
 * its own copy.
 * @throws Problem `not_found`, `missing_permission`, `already_attached`, `validation_failed`, `too_many_emoji`,
 * `emoji_name_taken`, `too_many_bytes`, `unavailable`
 */
export async function createEmoji(
  parts: Parts,
  server_id: number,
  userId: number,
  { name, file_id }: { name: string; file_id: number },
): Promise<CustomEmoji> {
  const picture = await decodeInTurn(userId, async () =>
    emojiPicture(await uploadedBytes(parts, file_id, userId, EMOJI_BYTES_MAX)),
  )
  const key = randomBytes(16).toString('hex')
  return recordPicture(parts, objectKey(key), picture, async (tx, emit) => {
    await lockServer(tx, server_id, userId)
    const [row] = await tx<{ count: number }[]>`
      select count(*)::int as count from emojis where server_id = ${server_id} and deleted_at is null`
    if (found(row).count >= EMOJI_PER_SERVER_MAX) throw new Problem('too_many_emoji')
    await demandUnattached(tx, file_id)
    const [emoji] = await tx<CustomEmoji[]>`
      insert into emojis as e (server_id, name, key, creator_id, size)
      values (${server_id}, ${name}, ${key}, ${userId}, ${picture.length}) returning ${emojiColumns(tx)}`
    await removeUnused(tx, file_id)
    await chargeAssets(tx, server_id, picture.length, parts.environment)
    emit(topic.server(server_id), 'emoji.created', found(emoji, 'internal'))
    await note(tx, userId, 'emoji.created', null, found(emoji))
    return found(emoji)
  })
}

/** @throws Problem `not_found`, `missing_permission`, `emoji_name_taken` */
export async function renameEmoji(sql: Transaction, emit: Emit, id: number, userId: number, name: string) {
  const { server_id } = await visibleEmoji(sql, id, userId)
  await lockServer(sql, server_id, userId)
  const before = await visibleEmoji(sql, id, userId)
  if (before.name === name) return before
  const [emoji] = await sql<CustomEmoji[]>`
    update emojis e set name = ${name} where id = ${id} returning ${emojiColumns(sql)}`
  emit(topic.server(server_id), 'emoji.updated', found(emoji))
  await note(sql, userId, 'emoji.updated', before, found(emoji))
  return found(emoji)
}

/**
 * Deletes an emoji. Nobody can use it any more, but messages that contain it still show it.
 * @throws Problem `not_found`, `missing_permission`
 */
export async function deleteEmoji(sql: Transaction, emit: Emit, id: number, userId: number): Promise<void> {
  const { server_id } = await visibleEmoji(sql, id, userId)
  await lockServer(sql, server_id, userId)
  const before = await visibleEmoji(sql, id, userId)
  await sql`update emojis set deleted_at = clock_timestamp() where id = ${id}`
  await sql`delete from emojis where id in (select id from emojis
    where server_id = ${server_id} and deleted_at is not null order by deleted_at desc offset ${DELETED_KEPT_MAX})`
  emit(topic.server(server_id), 'emoji.deleted', { id, server_id })
  await note(sql, userId, 'emoji.deleted', before, null)
}

function note(
  sql: Transaction,
  actor_id: number,
  action: 'emoji.created' | 'emoji.updated' | 'emoji.deleted',
  before: CustomEmoji | null,
  after: CustomEmoji | null,
): Promise<void> {
  const { id, server_id } = found(before ?? after)
  const auditFields = (emoji: CustomEmoji | null) => emoji && { name: emoji.name }
  return audit(sql, { server_id, actor_id, action }, ['emoji', id], auditFields(before), auditFields(after))
}
