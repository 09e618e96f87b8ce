import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { field } from '../../http/answers.ts'
import { demand } from '../access/guard.ts'
import type { MessagePlace } from '../access/place.ts'
import { removeFile } from '../files/access.ts'
import { FILES_PER_MESSAGE_MAX } from '../files/model.ts'
import { refusals } from './send.ts'

/**
 * All files of a message after a change.
 * @param added new files
 * @param keptIds the files that stay; undefined for all
 * @returns undefined if the change is none of files
 */
export async function filesAfter(
  sql: Sql,
  messageId: number,
  added: number[],
  keptIds: number[] | undefined,
): Promise<number[] | undefined> {
  if (added.length === 0 && keptIds === undefined) return undefined
  const before = await sql<{ id: number }[]>`
    select id from files where message_id = ${messageId} and copied_from is null order by ordinal`
  return [...before.map(({ id }) => id).filter((id) => keptIds?.includes(id) ?? true), ...added]
}

interface OwnFile {
  id: number
  is_here: boolean
  is_attached: boolean
}

/**
 * Sets the files of the caller's message: keeps and attaches those listed, in their order, and deletes the others.
 * Call with the message and the servers that show its files locked.
 * @throws Problem `validation_failed` for a file that the caller has not uploaded, `already_attached`,
 * `missing_permission`
 */
export async function setFiles(
  sql: Transaction,
  emit: Emit,
  messageId: number,
  me: number,
  { server_id, permissions }: MessagePlace,
  fileIds: number[],
): Promise<void> {
  if (fileIds.length > FILES_PER_MESSAGE_MAX)
    throw field('file_ids', `A message has at most ${FILES_PER_MESSAGE_MAX} files`)
  // Locked, so that of two messages only one gets them. Files of what the message forwards are not its own.
  const files = await sql<OwnFile[]>`
    select f.id, f.message_id is not distinct from ${messageId} as is_here,
      f.message_id is not null or f.scheduled_id is not null
        or exists (select from favourites v where v.file_id = f.id) as is_attached
    from files f
    where f.message_id = ${messageId} and f.copied_from is null or f.id = any(${fileIds}) and f.uploader_id = ${me}
    order by f.id for update of f`
  const byId = new Map(files.map((file) => [file.id, file]))
  const added = fileIds.filter((id) => !byId.get(id)?.is_here)
  if (added.some((id) => !byId.has(id))) throw refusals.file_unknown()
  if (added.some((id) => byId.get(id)?.is_attached)) throw refusals.already_attached()
  if (added.length > 0 && server_id !== null) demand(permissions, 'attach_files')
  const keptIds = new Set(fileIds)
  for (const { id, is_here } of files) if (is_here && !keptIds.has(id)) await removeFile(sql, emit, id)
  await sql`update files f set message_id = ${messageId}, ordinal = array_position(${fileIds}::bigint[], f.id)
    where f.id = any(${fileIds})`
}
