import { Problem } from '../../core/errors.ts'
import { withStoredFiles } from '../../features/webhooks/stored-files.ts'
import type { Call } from './call.ts'

const DATA_URI = /^data:(image\/[a-z0-9.+-]{1,40});base64,/i

/** The bytes of a picture that a library sends as a data URI. @throws Problem `bad_request` */
export function pictureIn(uri: string): { filename: string; type: string; bytes: Uint8Array } {
  const [head = '', type] = DATA_URI.exec(uri.slice(0, 80)) ?? []
  if (type === undefined) throw new Problem('bad_request', 'Must be a picture as data:image/…;base64,…')
  return { filename: 'picture', type, bytes: Buffer.from(uri.slice(head.length), 'base64') }
}

/**
 * Stores a picture that a body may have, and uses its id.
 * @param field the name of the id
 * @param uri null removes the picture, undefined leaves it
 */
export async function withPicture<T>(
  call: Call,
  field: string,
  uri: string | null | undefined,
  use: (fields: Record<string, number | null | undefined>) => Promise<T>,
): Promise<T> {
  if (uri === undefined) return use({})
  if (uri === null) return use({ [field]: null })
  return withStoredFiles(call.tools.parts, call.me.id, [pictureIn(uri)], ([id]) => use({ [field]: id }))
}
