import { Problem } from '../core/errors.ts'
import { parseJson } from '../core/json.ts'
import { type Caller, callerOf } from './caller.ts'

/** The longest request body, except uploads to the embedded store. */
const BODY_BYTES_MAX = 256 * 1024
/** The longest body below /api/auth, where requests need no account. */
const AUTH_BODY_BYTES_MAX = 16 * 1024

/** The longest body that a webhook is sent, with the files in it. */
export const HOOK_BYTES_MAX = 26 * 1024 * 1024

/** Whether the path is a webhook's, whose body is read once its token has been checked. */
export const isHookPath = (pathname = ''): boolean => pathname.startsWith('/hooks/')

/** Bytes that the body of a request to this path may have. */
export function bodyBytesMax(pathname: string): number {
  if (isHookPath(pathname)) return HOOK_BYTES_MAX
  return pathname.startsWith('/api/auth/') ? AUTH_BODY_BYTES_MAX : BODY_BYTES_MAX
}

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
  return timed(caller, bytes.length, () => parseJson(bytes))
}

/** No body this short takes a millisecond. */
const SHORT_BYTES = 4096

/** Parses a body, and notes for how long this thread was at work: a machine that is busy elsewhere costs nobody. */
export function timed<T>(caller: Caller, bytes: number, parse: () => T): T {
  if (bytes < SHORT_BYTES) return parse()
  const before = process.threadCpuUsage()
  try {
    return parse()
  } finally {
    const { user, system } = process.threadCpuUsage(before)
    caller.parse_ms = (user + system) / 1000
  }
}

/**
 * The bytes of a body.
 * @param bytes_max at most what its path allows
 * @param came told of the bytes that have come so far, where the body announces no length
 * @throws Problem `payload_too_large`
 */
export async function readBounded(
  request: Request,
  bytes_max = bodyBytesMax(callerOf(request).path ?? ''),
  came?: (bytes: number) => void,
): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (Number(announced) > bytes_max) throw new Problem('payload_too_large')
  // Bun reads no more than Content-Length says, in one piece.
  if (announced !== null) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > bytes_max) throw new Problem('payload_too_large')
    came?.(length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
