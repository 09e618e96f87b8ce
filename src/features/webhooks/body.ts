import { Problem } from '../../core/errors.ts'
import { parseJson } from '../../core/json.ts'
import { HOOK_BYTES_MAX, readBounded, timed } from '../../http/body.ts'
import type { Caller } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { FILES_PER_MESSAGE_MAX } from '../files/model.ts'
import { admitAddress } from '../sessions/identity.ts'
import type { Hook } from './door.ts'
import { withForm } from './form-reading.ts'
import { type FormPart, parseForm } from './multipart.ts'

/** A body without files. */
const TEXT_BYTES_MAX = 512 * 1024
/** JSON values in a body. GitHub's payloads of long pushes have thousands. */
const VALUES_MAX = 40_000
const FORM_FIELDS_MAX = 30

/** Forms to all webhooks of one account, in MiB. */
const UPLOADS: BucketPolicy = { name: 'webhook-uploads', burst: 100, refillPerS: 1 }
const MIB = 1024 * 1024

/** A file sent to a webhook. */
export interface HookFile {
  /** The name of its field in the form. */
  field?: string
  /** A description for those who do not see it. */
  alt?: string | undefined
  filename: string
  type: string
  bytes: Uint8Array
}

/** The body of a request to a webhook: an object, and files. */
export interface HookBody {
  fields: unknown
  files: HookFile[]
}

/**
 * Reads the body of a request to a webhook: JSON, a form with the JSON in `payload`, or a form with files and the JSON
 * in `payload_json`. The address is charged for the bytes of text and for the CPU time.
 * @param use handles the body; the files stay in memory until it ends
 * @param prepare changes the JSON of a form before it is parsed
 * @throws Problem `payload_too_large`, `malformed_json`, `bad_request`, `rate_limited`, `unavailable`
 */
export async function withBody<T>(
  parts: Parts,
  request: Request,
  caller: Caller,
  hook: Pick<Hook, 'creator_id'>,
  use: (body: HookBody) => Promise<T>,
  prepare: (json: Uint8Array) => Uint8Array = (json) => json,
): Promise<T> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) {
    const bytes = await readBounded(request, TEXT_BYTES_MAX)
    return use({
      fields: await parseFields(parts, caller, bytes, /^application\/x-www-form-urlencoded\b/i.test(type)),
      files: [],
    })
  }
  const count = (bytes: number) =>
    parts.limits.take(caller, UPLOADS, `user:${hook.creator_id}`, Math.max(1, Math.ceil(bytes / MIB)))
  const announcedLength = request.headers.get('content-length')
  if (Number(announcedLength) > HOOK_BYTES_MAX) throw new Problem('payload_too_large')
  // Counted before the form arrives, so that one that never does counts as well.
  if (announcedLength !== null) await count(Number(announcedLength))
  return withForm(request, caller, hook, async (bytes) => {
    if (announcedLength === null) await count(bytes.length)
    return use(await formOf(parts, caller, parseForm(bytes, type), prepare))
  })
}

async function parseFields(
  parts: Parts,
  caller: Caller,
  bytes: Uint8Array,
  isForm: boolean,
  prepare: (json: Uint8Array) => Uint8Array = (json) => json,
): Promise<unknown> {
  caller.bodyBytes = bytes.length
  await admitAddress(parts, caller)
  try {
    return timed(caller, bytes.length, () => (isForm ? fieldsOf(bytes) : parseJson(prepare(bytes), VALUES_MAX)))
  } finally {
    await admitAddress(parts, caller)
  }
}

/** A form without files: `payload` holds the JSON, or each field is a field of the object. */
function fieldsOf(bytes: Uint8Array): unknown {
  let fields = 1
  for (const byte of bytes)
    if (byte === 0x26 && ++fields > FORM_FIELDS_MAX) throw new Problem('bad_request', 'Too many fields')
  const form = new URLSearchParams(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  const payload = form.get('payload') ?? form.get('payload_json')
  return payload === null ? Object.fromEntries(form) : parseJson(Buffer.from(payload), VALUES_MAX)
}

async function formOf(
  parts: Parts,
  caller: Caller,
  form: FormPart[],
  prepare: (json: Uint8Array) => Uint8Array,
): Promise<HookBody> {
  const files = form.flatMap(({ name, filename, type, bytes }) =>
    filename === undefined ? [] : [{ field: name, filename, type, bytes }],
  )
  if (files.length > FILES_PER_MESSAGE_MAX)
    throw new Problem('bad_request', `A message carries at most ${FILES_PER_MESSAGE_MAX} files`)
  const isTooLarge = files.some(({ bytes }) => bytes.length > parts.environment.MAX_FILE_BYTES)
  if (isTooLarge) throw new Problem('payload_too_large')
  const rest = form.filter(({ filename }) => filename === undefined)
  if (rest.some(({ bytes }) => bytes.length > TEXT_BYTES_MAX)) throw new Problem('payload_too_large')
  const payload = rest.find(({ name }) => name === 'payload_json' || name === 'payload')
  if (payload) return { fields: await parseFields(parts, caller, payload.bytes, false, prepare), files }
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
  return { fields: Object.fromEntries(rest.map(({ name, bytes }) => [name, text(bytes)])), files }
}
