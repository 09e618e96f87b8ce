import { columns, type Sql, type Transaction } from '../../database/database.ts'
import { contentDisposition, type ObjectStore } from '../../storage/object-store.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { emitUserUpdated } from '../accounts/profile.ts'
import { channelOf, Server } from '../access/model.ts'
import { channelColumns, type ChannelRow } from '../access/channel-rows.ts'
import { isShown } from './content.ts'
import { type Download, DOWNLOAD_SECONDS, File, type FileRow, type StoredFile } from './model.ts'

/** The files of `ids` that the account may see. */
export const visibleFiles = (sql: Sql, ids: number[], userId: number) => sql<FileRow[]>`
  select ${columns(sql, File, 'f')}, f.key, f.thumbnail_key from files f
  where f.id = any(${ids}) and may_see(f, ${userId})`

/** @throws Problem `not_found` for a file that the account may not see */
export async function visibleFile(sql: Sql, id: number, userId: number): Promise<FileRow> {
  return found((await visibleFiles(sql, [id], userId))[0])
}

/**
 * A pre-signed URL of a file's bytes. Types that browsers could execute are served as octet-stream attachments.
 * @param base the origin that the client uses
 * @throws Problem `not_found` for a thumbnail that does not exist
 */
export async function downloadOf(
  objects: ObjectStore,
  { key, thumbnail_key, content_type, filename }: StoredFile,
  base: string,
  variant: 'original' | 'thumbnail' = 'original',
): Promise<Download> {
  const isThumbnail = variant === 'thumbnail'
  const isInline = isThumbnail || isShown(content_type)
  const download_url = await objects.presignGet({
    key: isThumbnail ? found(thumbnail_key) : key,
    content_type: isThumbnail ? 'image/webp' : isInline ? content_type : 'application/octet-stream',
    disposition: contentDisposition(isInline ? 'inline' : 'attachment', isThumbnail ? `${filename}.webp` : filename),
    expiresS: DOWNLOAD_SECONDS,
    base,
  })
  return { download_url, expires_at: new Date(Date.now() + DOWNLOAD_SECONDS * 1000).toISOString() }
}

/**
 * Locks a file that was unattached when it was read.
 * @throws Problem `not_found`, `already_attached` if it has been attached meanwhile
 */
export async function demandUnattached(sql: Transaction, id: number): Promise<void> {
  const [file] = await sql<{ is_attached: boolean }[]>`
    select message_id is not null or scheduled_id is not null
        or exists (select from favourites v where v.file_id = f.id) as is_attached
      from files f where id = ${id} for update`
  if (found(file).is_attached) throw new Problem('already_attached')
}

/**
 * Locks the servers and groups whose icons are among files that are about to be deleted. To avoid deadlocks, every
 * transaction locks rows of servers, then groups by share_group or change_group, then rows of groups, then files, each
 * in order of id.
 * @param condition the condition for the files, as `f`
 * @param serverIds further servers that the transaction locks
 */
export async function lockServersShowing(
  sql: Transaction,
  condition: ReturnType<Sql>,
  serverIds: number[] = [],
): Promise<void> {
  // Not `or`, with which PostgreSQL would read every server.
  await sql`select 1 from servers where id in (
    select unnest(${serverIds}::bigint[])
    union all select s.id from files f join servers s on s.icon_file_id = f.id where ${condition}
  ) order by id for no key update`
  await sql`select share_group(id) from (select c.id from channels c
    where c.icon_file_id in (select f.id from files f where ${condition}) order by c.id) groups`
  await sql`select 1 from channels c where c.icon_file_id in (select f.id from files f where ${condition})
    order by c.id for no key update`
}

/** Deletes a file. Where it is an avatar or an icon of a server or group, clears and publishes that. */
export async function removeFile(sql: Transaction, emit: Emit, id: number): Promise<void> {
  await lockServersShowing(sql, sql`f.id = ${id}`)
  // Lock the file before reading its uses, so that it cannot become an avatar or icon in between.
  await sql`select 1 from files where id = ${id} for update`
  const users = await sql<{ id: number }[]>`
    update users set avatar_file_id = null, updated_at = now() where avatar_file_id = ${id} returning id`
  for (const user of users) await emitUserUpdated(sql, emit, user.id)
  const servers = await sql<Server[]>`update servers set icon_file_id = null, updated_at = now()
    where icon_file_id = ${id} returning ${columns(sql, Server)}`
  for (const server of servers) emit(topic.server(server.id), 'server.updated', server)
  const groups = await sql<ChannelRow[]>`update channels c set icon_file_id = null, updated_at = now()
    where icon_file_id = ${id} returning ${channelColumns(sql)}`
  for (const group of groups) emit(topic.seers(group), 'channel.updated', channelOf(group))
  found((await sql`delete from files where id = ${id} returning 1`)[0])
}

/**
 * Clears and publishes avatars and icons among files that are about to be deleted with their messages.
 * @param condition the condition for the files, as `f`
 * @param furtherAccounts a query for accounts that the transaction changes later, to be locked in one order with the
 * files' accounts
 */
export async function clearPictures(
  sql: Transaction,
  emit: Emit,
  condition: ReturnType<Sql>,
  furtherAccounts: ReturnType<Sql> = sql`select null::bigint`,
): Promise<void> {
  await lockServersShowing(sql, condition)
  // Lock the files before reading their uses, so that none becomes an avatar or icon in between.
  await sql`select count(*) from (select 1 from files f where ${condition} for update) locked`
  // To avoid deadlocks, every transaction locks accounts in order of id. An avatar's account is the file's uploader
  // (whose byte count changes too), a webhook, or one of the uploader's bots.
  await sql`select 1 from users where id in (select f.uploader_id from files f where ${condition}
    union select u.id from files f join users u on u.avatar_file_id = f.id where ${condition} union ${furtherAccounts})
    order by id for no key update`
  const usedFiles = await sql<{ id: number }[]>`select id from files f where ${condition} and (
    exists (select from users u where u.avatar_file_id = f.id)
    or exists (select from servers s where s.icon_file_id = f.id)
    or exists (select from channels c where c.icon_file_id = f.id)) order by id`
  for (const { id } of usedFiles) await removeFile(sql, emit, id)
}

/**
 * Locks a picture that the account has uploaded, so that it cannot be deleted before it becomes an avatar or icon.
 * Readers get the thumbnail, so the picture must have one.
 * @throws Problem `not_found`, `picture_unreadable`
 */
export async function lockPicture(sql: Transaction, id: number, userId: number): Promise<number> {
  const [file] = await sql<{ thumbnail_key: string | null }[]>`
    select thumbnail_key from files where id = ${id} and uploader_id = ${userId} for update`
  if (found(file).thumbnail_key === null) throw new Problem('picture_unreadable')
  return id
}
