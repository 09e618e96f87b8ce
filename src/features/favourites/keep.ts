import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { copyFiles, type Original } from '../files/copies.ts'
import { removeUnused } from '../files/server-picture.ts'
import { type Favourite, FAVOURITES_MAX } from './model.ts'

/** Accounts that copy a picture on this process. */
const copyingIds = new Set<number>()

/** The columns of a Favourite, of favourites `v` with their files `f`. */
export const favouriteColumns = (sql: Sql) => sql`v.id, v.source_id, file_json(f) as file, v.created_at`

/** The columns of files that a copy needs; it does not depend on what it was copied from. */
const originalColumns = (sql: Sql) => sql`null::bigint as copied_from, f.filename, f.content_type, f.size, f.width,
  f.height, f.duration_ms, f.waveform, f.alt, f.key, f.thumbnail_key, f.keeps_metadata`

async function keptFrom(sql: Sql, userId: number, sourceId: number): Promise<Favourite | undefined> {
  const [favourite] = await sql<Favourite[]>`
    select ${favouriteColumns(sql)} from favourites v join files f on f.id = v.file_id
    where v.user_id = ${userId} and v.source_id = ${sourceId}`
  return favourite
}

/** @throws Problem `too_many_favourites` */
async function demandSpace(sql: Sql, userId: number): Promise<void> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from favourites where user_id = ${userId}`
  if (found(row).count >= FAVOURITES_MAX) throw new Problem('too_many_favourites')
}

/** Copies a file, one after another for each account. @throws Problem as copyFiles, and `unavailable` meanwhile */
async function copyOne(parts: Parts, userId: number, original: Original): Promise<number> {
  if (copyingIds.has(userId))
    throw new Problem('unavailable', 'Another picture of yours is being copied', { retry_after: 1 })
  copyingIds.add(userId)
  try {
    return found((await copyFiles(parts, userId, [original]))[0])
  } finally {
    copyingIds.delete(userId)
  }
}

/**
 * Keeps a copy of a picture that the account may see in a message.
 * @returns the favourite, and whether it was kept before
 * @throws Problem `not_found`, `picture_unreadable`, `too_many_favourites`, and as copyFiles
 */
export async function keepPicture(
  parts: Parts,
  userId: number,
  fileId: number,
): Promise<{ favourite: Favourite; isNew: boolean }> {
  const { sql, write } = parts
  const [original] = await sql<Original[]>`
    select ${originalColumns(sql)} from files f
    where f.id = ${fileId} and f.message_id is not null and may_see(f, ${userId})`
  const { content_type, thumbnail_key } = found(original)
  if (!content_type.startsWith('image/') || thumbnail_key === null) throw new Problem('picture_unreadable')
  const earlier = await keptFrom(sql, userId, fileId)
  if (earlier) return { favourite: earlier, isNew: false }
  await demandSpace(sql, userId)
  const copyId = await copyOne(parts, userId, found(original))
  return write(async (tx, emit) => {
    // Concurrent requests of the account wait here.
    await tx`select 1 from users where id = ${userId} for no key update`
    const other = await keptFrom(tx, userId, fileId)
    // The unused copy goes as an orphan.
    if (other) return { favourite: other, isNew: false }
    await demandSpace(tx, userId)
    await tx`insert into favourites (user_id, file_id, source_id) values (${userId}, ${copyId}, ${fileId})`
    const favourite = found(await keptFrom(tx, userId, fileId))
    emit(topic.user(userId), 'favourite.created', favourite)
    return { favourite, isNew: true }
  })
}

/**
 * Copies a favourite, as a file that the account can attach to a message.
 * @returns its id
 * @throws Problem `not_found`, and as copyFiles
 */
export async function copyFavourite(parts: Parts, userId: number, id: number): Promise<number> {
  const { sql } = parts
  const [original] = await sql<Original[]>`
    select ${originalColumns(sql)} from files f join favourites v on v.file_id = f.id
    where v.id = ${id} and v.user_id = ${userId}`
  return copyOne(parts, userId, found(original))
}

/** Deletes a favourite, with its copy. @throws Problem `not_found` */
export async function dropFavourite(sql: Transaction, emit: Emit, userId: number, id: number): Promise<void> {
  // Every transaction locks accounts before files.
  await sql`select 1 from users where id = ${userId} for no key update`
  const [favourite] = await sql<{ file_id: number }[]>`
    delete from favourites where id = ${id} and user_id = ${userId} returning file_id`
  const { file_id } = found(favourite)
  const unattached = await sql`select 1 from files where id = ${file_id} and message_id is null and scheduled_id is null
    for update`
  if (unattached.length > 0) await removeUnused(sql, file_id)
  emit(topic.user(userId), 'favourite.deleted', { id })
}
