import { Problem } from '../core/errors.ts'
import { parseJson } from '../core/json.ts'
import { callerOf } from './caller.ts'

/** The longest request body, except uploads to the embedded store. */
const BODY_BYTES_MAX = 256 * 1024
/** The longest body below /api/auth, where requests need no account. */
const AUTH_BODY_BYTES_MAX = 16 * 1024

/** Bytes that the body of a request to this path may have. */
export const bodyBytesMax = (pathname: string): number =>
  pathname.startsWith('/api/auth/') ? AUTH_BODY_BYTES_MAX : BODY_BYTES_MAX

/**
 * Reads the request body as JSON. An empty body counts as an empty object, so that validation names the missing fields.
 * @param admit called before the bytes are parsed; it may refuse them
 * @throws Problem `unsupported_media_type`, `payload_too_large`, `malformed_json`
 */
export async function readBody(request: Request, admit: () => Promise<void>): Promise<unknown> {
  const type = request.headers.get('content-type')
  const isJson = type !== null && /^application\/json *(;|$)/i.test(type)
  const bytes = await readBounded(request)
  const caller = callerOf(request)
  caller.body_bytes = bytes.length
  await admit()
  if (bytes.length === 0) return {}
  if (!isJson) throw new Problem('unsupported_media_type')
  const started = performance.now()
  try {
    return parseJson(bytes)
  } finally {
    caller.parse_ms = performance.now() - started
  }
}

async function readBounded(request: Request): Promise<Uint8Array> {
  // The edge has checked Content-Length, so Bun can read the body in one piece.
  if (request.headers.has('content-length')) return new Uint8Array(await request.arrayBuffer())
  const bytes_max = bodyBytesMax(callerOf(request).path ?? '')
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > bytes_max) throw new Problem('payload_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
