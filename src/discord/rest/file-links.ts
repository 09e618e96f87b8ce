import { found, Problem } from '../../core/errors.ts'
import type { Caller } from '../../http/caller.ts'
import { downloadOf } from '../../features/files/access.ts'
import type { StoredFile } from '../../features/files/model.ts'
import { admitAddress } from '../../features/sessions/identity.ts'
import type { Parts } from '../../parts.ts'
import type { FileLinks } from '../file-links.ts'

const PATH = /^\/discord\/files\/(\d{1,15})\/([^/]{1,64})\/[^/]*$/

/**
 * Answers a link to a file of a message by the address of its bytes.
 * @throws Problem `not_found` for a link that is wrong or has ended, and a file that is gone; `rate_limited`
 */
export async function openLink(parts: Parts, links: FileLinks, caller: Caller): Promise<Response> {
  caller.route = '/discord/files/:file'
  await admitAddress(parts, caller)
  const [, id, signature = ''] = PATH.exec(caller.path ?? '') ?? []
  if (id === undefined || !links.isGood(Number(id), signature)) throw new Problem('not_found')
  const [file] = await parts.sql<StoredFile[]>`
    select key, thumbnail_key, content_type, filename from files f
    where id = ${id} and message_id is not null and (copied_from is null or copy_stands(f))`
  const { download_url } = await downloadOf(parts.objects, found(file), caller.base)
  return new Response(null, { status: 302, headers: { location: download_url } })
}
