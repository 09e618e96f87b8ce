import { withoutHidden } from '../../core/visible.ts'
import type { Parts } from '../../parts.ts'
import { removeFile } from '../files/access.ts'
import { storeBytes } from '../files/store-bytes.ts'
import type { HookFile } from './body.ts'
import { cut } from './payload.ts'

const FILENAME_MAX = 255
const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/

const storeFile = (parts: Parts, userId: number, { filename, type, bytes, alt }: HookFile) => {
  const [plain = ''] = type.slice(0, 127).toLowerCase().split(';')
  const content_type = TYPE.test(plain.trim()) ? plain.trim() : 'application/octet-stream'
  return storeBytes(parts, userId, {
    filename: cut(withoutHidden(filename.slice(0, 4096)), FILENAME_MAX).trim() || 'file',
    content_type,
    bytes,
    alt,
  })
}

/**
 * Stores files of an account, and deletes them again if they cannot be used.
 * @param use attaches the files to a message
 * @throws Problem as storeBytes and `use` do
 */
export async function withStoredFiles<T>(
  parts: Parts,
  ownerId: number,
  files: HookFile[],
  use: (fileIds: number[]) => Promise<T>,
): Promise<T> {
  const fileIds: number[] = []
  try {
    for (const file of files) fileIds.push(await storeFile(parts, ownerId, file))
    return await use(fileIds)
  } catch (error) {
    // Delete only unattached files: if the outcome of the commit is unknown, the message may own them.
    const deleteUnattached = (id: number) =>
      parts.write(async (sql, emit) => {
        const [file] = await sql`select 1 from files where id = ${id} and message_id is null`
        if (file) await removeFile(sql, emit, id)
      })
    for (const id of fileIds) await deleteUnattached(id).catch(() => {})
    throw error
  }
}
