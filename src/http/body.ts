import { Problem } from '../core/errors.ts'
import { parseJson } from '../core/json.ts'

/** The longest request body, except uploads to the embedded store. */
export const BODY_BYTES_MAX = 256 * 1024

/**
 * Reads the request body as JSON. An empty body counts as an empty object, so that validation names the missing fields.
 * @throws Problem `unsupported_media_type`, `payload_too_large`, `malformed_json`
 */
export async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')
  const isJson = type !== null && /^application\/json *(;|$)/i.test(type)
  const bytes = await readBounded(request)
  if (bytes.length === 0) return {}
  if (!isJson) throw new Problem('unsupported_media_type')
  return parseJson(bytes)
}

async function readBounded(request: Request): Promise<Uint8Array> {
  // The edge has checked Content-Length, so Bun can read the body in one piece.
  if (request.headers.has('content-length')) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > BODY_BYTES_MAX) throw new Problem('payload_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
