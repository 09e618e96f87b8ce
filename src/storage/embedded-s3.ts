import { join } from 'node:path'
import { readRange } from './byte-range.ts'
import { type ObjectFiles, openObjectFiles, type StoredObject } from './object-files.ts'
import { S3Error, xml } from './s3-errors.ts'
import { type SigningKey, type Verified, verifySignature } from './sigv4.ts'

/** The path below which the embedded store answers: `/objects/<bucket>/<key>`. */
export const OBJECTS_PATH = '/objects'
const KEY_BYTES_MAX = 1024
/** A name of 255 characters of four bytes each, percent-encoded, beside its plain form. */
const OVERRIDE_BYTES_MAX = 4096
const UPLOAD_IDLE_MS_MAX = 60_000
/** Each holds a temporary file: one URL alone must not fill the disk, nor all of them together the process. */
const UPLOADS_MAX = 256
/** A folder is an account's own, so nobody holds all the places. */
const UPLOADS_PER_FOLDER_MAX = 8
const PREFLIGHT_SECONDS = 600

/** What else would change the meaning of a request is refused, since ignoring it would do something else. */
const PARAMETERS = /^(x-id|x-amz-checksum-mode|response-content-(type|disposition))$/
const SIGNING_PARAMETERS = /^X-Amz-(Algorithm|Credential|Date|Expires|SignedHeaders|Signature|Content-Sha256)$/
const AMZ_HEADERS = /^x-amz-(date|content-sha256|user-agent|checksum-mode|copy-source|copy-source-if-match)$/

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  // A file opened as a page is no page of ours: no script, no form, an origin of its own.
  'content-security-policy': 'sandbox',
  // The client may live on a sibling host (CORS_ORIGINS) and shows files in plain <img>; other sites need not.
  'cross-origin-resource-policy': 'same-site',
  // A presigned URL carries its own authority and cookies are ignored, so nobody gains by asking from elsewhere.
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'etag, content-length, content-range, accept-ranges, content-disposition, x-request-id',
}

export interface EmbeddedS3 {
  /** Answers a request below OBJECTS_PATH; never throws. */
  handle(request: Request): Promise<Response>
  close(): void
}

interface Limits {
  object_bytes_max: number
  upload_idle_ms?: number
  /** The host that clients use, where a proxy sends another one. */
  public_host?: string | undefined
  /** Told of what is our own fault. */
  onFailure?: (error: unknown) => void
}

interface Asked {
  request: Request
  key: string
  query: ReadonlyMap<string, string>
  verified: Verified
}

/**
 * An S3 of our own under a directory: as much of it as the AWS SDK needs for objects in one bucket, in path style.
 * Nothing is answered without a valid signature.
 */
export function openEmbeddedS3(directory: string, credentials: SigningKey & { bucket: string }, limits: Limits) {
  const { bucket } = credentials
  const files = openObjectFiles(join(directory, bucket))
  const uploads = openUploads(files, limits)

  async function answer(request: Request): Promise<Response> {
    if (request.method === 'OPTIONS') return preflight(request)
    const asked = readRequest(request, credentials, limits.public_host)
    if (asked.bucket !== bucket) throw new S3Error('NoSuchBucket')
    if (asked.key === '') {
      if (request.method === 'HEAD') return new Response(null)
      throw new S3Error('NotImplemented')
    }
    if (Buffer.byteLength(asked.key) > KEY_BYTES_MAX) throw new S3Error('KeyTooLongError')
    switch (request.method) {
      case 'GET':
      case 'HEAD':
        return send(files, asked)
      case 'PUT':
        return request.headers.has('x-amz-copy-source') ? copy(files, bucket, asked) : uploads.store(asked)
      case 'DELETE':
        await files.remove(asked.key)
        return new Response(null, { status: 204 })
      default:
        throw new S3Error('MethodNotAllowed', undefined, { allow: 'GET, HEAD, PUT, DELETE, OPTIONS' })
    }
  }

  function refuse(error: unknown): Response {
    if (error instanceof S3Error) return error.toResponse()
    limits.onFailure?.(error)
    return new S3Error('InternalError').toResponse()
  }

  return {
    async handle(request: Request) {
      const response = await answer(request).catch(refuse)
      for (const [name, value] of Object.entries(COMMON_HEADERS)) response.headers.set(name, value)
      return response
    },
    close: files.close,
  } satisfies EmbeddedS3
}

/** What is asked, once its signature is known to be good. */
function readRequest(request: Request, key: SigningKey, public_host: string | undefined): Asked & { bucket: string } {
  const { headers, method } = request
  const url = new URL(request.url)
  const path = url.pathname.slice(1).split('/').map(decode)
  const query = new Map<string, string>()
  for (const pair of url.search.slice(1).split('&').filter(Boolean)) {
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2).map(decode)
    if (query.has(name)) throw new S3Error('InvalidArgument', 'A parameter is given twice')
    query.set(name, value)
  }
  const hosts = [headers.get('host') ?? url.host, ...(public_host === undefined ? [] : [public_host])]
  const verified = verifySignature({ method, path, query, headers, hosts }, key, Date.now())
  const foreign = [
    ...[...query.keys()].filter((name) => !PARAMETERS.test(name) && !SIGNING_PARAMETERS.test(name)),
    ...[...headers.keys()].filter((name) => name.startsWith('x-amz-') && !AMZ_HEADERS.test(name)),
  ]
  if (foreign.length > 0) throw new S3Error('NotImplemented', `Not implemented: ${foreign.join(', ')}`)
  const [, bucket = '', ...rest] = path
  return { request, bucket, key: rest.join('/'), query, verified }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new S3Error('InvalidURI')
  }
}

function preflight(request: Request): Response {
  if (!request.headers.has('access-control-request-method')) throw new S3Error('MethodNotAllowed')
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, HEAD, PUT',
      'access-control-allow-headers': 'content-type, content-md5, range, if-range, if-none-match, x-request-id',
      'access-control-max-age': String(PREFLIGHT_SECONDS),
      'cache-control': 'no-store',
    },
  })
}

async function send(files: ObjectFiles, { request, key, query, verified }: Asked): Promise<Response> {
  const asksForBytes = request.method === 'GET'
  const pinned = asksForBytes ? await files.pin(key) : undefined
  const object = asksForBytes ? pinned?.object : await files.find(key)
  if (!object) throw new S3Error('NoSuchKey')
  const headers = new Headers(headersOf(object, query, verified))
  if (listed(request.headers.get('if-none-match'), object.etag)) return new Response(null, { status: 304, headers })
  // RFC 9110 §13.1.5: the rest of another version is of no use.
  const ifRange = request.headers.get('if-range')
  const wanted = ifRange === null || ifRange === object.etag ? request.headers.get('range') : null
  const range = readRange(wanted, object.size)
  if (range === 'unsatisfiable')
    throw new S3Error('InvalidRange', undefined, { 'content-range': `bytes */${object.size}` })
  const { start, end } = range === 'whole' ? { start: 0, end: object.size - 1 } : range
  if (range !== 'whole') headers.set('content-range', `bytes ${start}-${end}/${object.size}`)
  headers.set('content-length', String(end - start + 1))
  return new Response(pinned?.bytes.slice(start, end + 1) ?? null, { status: range === 'whole' ? 200 : 206, headers })
}

function headersOf(object: StoredObject, query: Asked['query'], { remaining_s }: Verified): Record<string, string> {
  const override = (name: string, otherwise: string) => {
    const value = query.get(name) ?? otherwise
    if (!/^[ -~]+$/.test(value) || value.length > OVERRIDE_BYTES_MAX)
      throw new S3Error('InvalidArgument', `${name} is not usable`)
    return value
  }
  return {
    'content-type': override('response-content-type', object.content_type),
    'content-disposition': override('response-content-disposition', 'attachment'),
    etag: object.etag,
    'last-modified': object.modified.toUTCString(),
    'accept-ranges': 'bytes',
    // A copy may live as long as the URL that it was got by.
    'cache-control': remaining_s === undefined ? 'no-store' : `private, max-age=${Math.floor(remaining_s)}`,
  }
}

const listed = (header: string | null, etag: string) =>
  header?.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag) ?? false

async function copy(files: ObjectFiles, bucket: string, { request, key }: Asked): Promise<Response> {
  const source = decode(request.headers.get('x-amz-copy-source') ?? '').replace(/^\//, '')
  if (!source.startsWith(`${bucket}/`)) throw new S3Error('NoSuchBucket')
  const condition = request.headers.get('x-amz-copy-source-if-match') ?? undefined
  const copied = await files.copy(source.slice(bucket.length + 1), key, condition)
  const fields = { LastModified: copied.modified.toISOString(), ETag: copied.etag }
  return new Response(xml('CopyObjectResult', fields), { headers: { 'content-type': 'application/xml' } })
}

/** Takes uploads in, so many at once. */
function openUploads(files: ObjectFiles, { object_bytes_max, upload_idle_ms = UPLOAD_IDLE_MS_MAX }: Limits) {
  const running = new Map<string, number>()
  let total = 0

  async function store({ request, key, verified }: Asked): Promise<Response> {
    const length = request.headers.get('content-length') ?? ''
    if (!/^\d{1,15}$/.test(length)) throw new S3Error('MissingContentLength')
    const size = Number(length)
    if (size > object_bytes_max) throw new S3Error('EntityTooLarge')
    const etag = await files.write(key, request.body, {
      size,
      content_type: request.headers.get('content-type') ?? 'binary/octet-stream',
      md5_base64: request.headers.get('content-md5') ?? undefined,
      sha256_hex: verified.body_sha256,
      idle_ms: upload_idle_ms,
    })
    return new Response(null, { headers: { etag } })
  }

  return {
    async store(asked: Asked): Promise<Response> {
      const folder = asked.key.slice(0, asked.key.lastIndexOf('/') + 1)
      const of_folder = running.get(folder) ?? 0
      if (total >= UPLOADS_MAX || of_folder >= UPLOADS_PER_FOLDER_MAX)
        throw new S3Error('SlowDown', undefined, { 'retry-after': '5' })
      total++
      running.set(folder, of_folder + 1)
      try {
        return await store(asked)
      } finally {
        total--
        const left = (running.get(folder) ?? 1) - 1
        if (left > 0) running.set(folder, left)
        else running.delete(folder)
      }
    },
  }
}
