import { Problem } from '../core/errors.ts'
import { parseJson } from '../core/json.ts'
import { type Caller, callerOf } from './caller.ts'

/** Longest request body, except for uploads to the embedded store. */
export const BODY_BYTES_MAX = 256 * 1024
/** Longest body below /api/auth, where requests need no account. */
const AUTH_BODY_BYTES_MAX = 16 * 1024

/** Creating a server takes a template, in which hundreds of channels have overwrites. */
const TEMPLATE_PATH = '/api/servers'
const TEMPLATE_VALUES_MAX = 40_000

/** Longest body of a form with files. */
export const HOOK_BYTES_MAX = 26 * 1024 * 1024

/** Paths whose requests may carry files. */
const FORM_PATH = /^\/(?:hooks\/|discord\/api\/|api\/webhooks\/\d{1,19}\/[\w-]{20,100})/

/** True for a webhook's path. Its body is read only after the webhook's token has been checked. */
export const isHookPath = (pathname = ''): boolean => pathname.startsWith('/hooks/')

/** Longest body for this path, in bytes. */
export function bodyBytesMax(pathname: string): number {
  if (FORM_PATH.test(pathname)) return HOOK_BYTES_MAX
  return pathname.startsWith('/api/auth/') ? AUTH_BODY_BYTES_MAX : BODY_BYTES_MAX
}

/**
 * Reads the request body as JSON. An empty body counts as an empty object, so that validation names the missing
 * fields.
 * @param admit called before the bytes are parsed; may refuse the request
 * @throws Problem `unsupported_media_type`, `payload_too_large`, `malformed_json`
 */
export async function readBody(request: Request, admit: () => Promise<void>): Promise<unknown> {
  const type = request.headers.get('content-type')
  const isJson = type !== null && /^application\/json *(;|$)/i.test(type)
  const bytes = await readBounded(request)
  const caller = callerOf(request)
  caller.bodyBytes = bytes.length
  await admit()
  if (bytes.length === 0) return {}
  if (!isJson) throw new Problem('unsupported_media_type')
  const valuesMax = caller.path === TEMPLATE_PATH ? TEMPLATE_VALUES_MAX : undefined
  return timed(caller, bytes.length, () => parseJson(bytes, valuesMax))
}

/** Bodies up to this size parse within a millisecond and are not timed. */
const SHORT_BYTES = 4096

/** Parses a body and records the processor time of this thread, so that callers do not pay for a busy machine. */
export function timed<T>(caller: Caller, bytes: number, parse: () => T): T {
  if (bytes < SHORT_BYTES) return parse()
  const before = process.threadCpuUsage()
  try {
    return parse()
  } finally {
    const { user, system } = process.threadCpuUsage(before)
    caller.parseMs = (user + system) / 1000
  }
}

/**
 * Reads a body.
 * @param bytesMax limit of its path
 * @param came called with the bytes received so far, if the request has no Content-Length
 * @throws Problem `payload_too_large`
 */
export async function readBounded(
  request: Request,
  bytesMax = bodyBytesMax(callerOf(request).path ?? ''),
  came?: (bytes: number) => void,
): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (Number(announced) > bytesMax) throw new Problem('payload_too_large')
  // Bun reads at most Content-Length bytes, in one piece.
  if (announced !== null) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > bytesMax) throw new Problem('payload_too_large')
    came?.(length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
