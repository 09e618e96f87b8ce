import { join } from 'node:path'
import { DiskSpace, RETRY_SECONDS } from '../core/disk-space.ts'
import { isDiskFull, Problem } from '../core/errors.ts'
import { isRangeWanted, judgePreconditions } from '../core/preconditions.ts'
import { readRange } from './byte-range.ts'
import { preflight } from './preflight.ts'
import { ObjectFiles, type StoredObject } from './object-files.ts'
import { S3Error, xml } from './s3-errors.ts'
import type { Probed } from './store-probe.ts'
import { type StreamedPut, streamOf } from './streamed-put.ts'
import { type SigningKey, type Verified, verifySignature } from './sigv4.ts'

/** The path of the embedded store: `/objects/<bucket>/<key>`. */
export const OBJECTS_PATH = '/objects'
const KEY_BYTES_MAX = 1024
/** A file name of 255 characters of four bytes each, percent-encoded, and its ASCII form. */
const OVERRIDE_BYTES_MAX = 4096
const UPLOAD_IDLE_MS_MAX = 60_000
/** Concurrent uploads; each has a temporary file and a buffer. */
const UPLOADS_MAX = 256
/** Each account uploads into a separate folder, so that one account cannot use every upload. */
const UPLOADS_PER_FOLDER_MAX = 8
/** Conditions of writes. Source: RFC 9110 §13.1. */
const CONDITIONS = ['if-match', 'if-none-match', 'if-unmodified-since']

/** Other parameters and x-amz headers are refused: without them the request would mean something else. */
const PARAMETERS = /^(x-id|x-amz-checksum-mode|response-content-(type|disposition))$/
const SIGNING_PARAMETERS = /^X-Amz-(Algorithm|Credential|Date|Expires|SignedHeaders|Signature|Content-Sha256)$/
const AMZ_HEADERS = /^x-amz-(date|content-sha256|user-agent|checksum-mode|copy-source|copy-source-if-match)$/

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  // A file opened as a page runs no script, submits no form and has its own origin.
  'content-security-policy': 'sandbox',
  // A client on a sibling host (CORS_ORIGINS) may show files in <img>, other sites may not.
  'cross-origin-resource-policy': 'same-site',
  // Access comes from the presigned URL and cookies are ignored, so any origin may send requests.
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'etag, content-length, content-range, accept-ranges, content-disposition, x-request-id',
}

export interface Limits {
  objectBytesMax: number
  uploadIdleMs?: number
  /** Space that clients' uploads must leave free. */
  freeMinBytes?: number
  /** Called when there is too little space for uploads, and when there is enough again. */
  onFullness?: (isFull: boolean, freeBytes: number) => void
  /** The host that clients use, if a proxy sends another Host header. */
  publicHost?: string | undefined
  /** True if an object may be stored under the key. Called before the bytes are read and after they are stored. */
  mayStore?: (key: string) => Promise<boolean>
  /** Called when an upload failed through a fault of the store itself. */
  onUploadFailed?: (key: string) => Promise<void>
  /** Called with an internal error. */
  onFailure?: (error: unknown) => void
}

interface ObjectRequest {
  request: Request
  key: string
  query: ReadonlyMap<string, string>
  verified: Verified
}

/**
 * An S3 server on a directory: path style, one bucket, and the object operations that the AWS SDK needs here. Every
 * request except a CORS preflight needs a valid signature.
 */
export class EmbeddedS3 {
  private readonly files: ObjectFiles
  private readonly uploads: Uploads
  private readonly space: DiskSpace

  constructor(
    directory: string,
    private readonly credentials: SigningKey & { bucket: string },
    private readonly limits: Limits,
  ) {
    this.files = new ObjectFiles(join(directory, credentials.bucket))
    const { freeMinBytes = 0, onFullness } = limits
    this.space = new DiskSpace(() => this.files.probe(), {
      directory,
      freeMinBytes,
      ...(onFullness ? { onChange: onFullness } : {}),
    })
    this.uploads = new Uploads(this.files, limits, this.space)
  }

  /** For the server's own probe, without a signature. */
  readonly ownOperations: Probed = {
    put: async (key, bytes, content_type) => {
      const draft = { size: bytes.length, content_type, md5Base64: undefined, sha256Hex: undefined }
      await this.files
        .write(key, new Blob([Buffer.from(bytes)]).stream(), { ...draft, idleMs: UPLOAD_IDLE_MS_MAX })
        .catch((error: unknown) => this.fail(error))
    },
    get: async (key) => (await this.files.pin(key))?.bytes.stream(),
    delete: (key) => this.files.remove(key).catch((error: unknown) => this.fail(error)),
  }

  /** Stores the server's own large objects without a request: not multipart, and not counted as an upload. */
  async putStream({ key, content_type, size, bytes }: StreamedPut): Promise<void> {
    const draft = { size, content_type, md5Base64: undefined, sha256Hex: undefined }
    await this.files
      .write(key, streamOf(bytes), { ...draft, idleMs: UPLOAD_IDLE_MS_MAX })
      .catch((error: unknown) => this.fail(error instanceof S3Error ? new Problem('unavailable') : error))
    this.space.remeasure()
  }

  /** Answers a request below OBJECTS_PATH; never throws. */
  readonly handle = async (request: Request): Promise<Response> => {
    const response = await this.answer(request).catch((error: unknown) => this.refuse(error))
    for (const [name, value] of Object.entries(COMMON_HEADERS)) response.headers.set(name, value)
    return response
  }

  /** True if there is no space for this many bytes in addition to the running uploads. */
  isFull(bytes = 0): Promise<boolean> {
    return this.uploads.isFull(bytes)
  }

  close(): void {
    this.files.close()
  }

  private async answer(request: Request): Promise<Response> {
    if (request.method === 'OPTIONS') return preflight(request)
    const objectRequest = readRequest(request, this.credentials, this.limits.publicHost)
    if (objectRequest.bucket !== this.credentials.bucket) throw new S3Error('NoSuchBucket')
    if (objectRequest.key === '') {
      if (request.method === 'HEAD') return new Response(null)
      throw new S3Error('NotImplemented')
    }
    if (Buffer.byteLength(objectRequest.key) > KEY_BYTES_MAX) throw new S3Error('KeyTooLongError')
    switch (request.method) {
      case 'GET':
      case 'HEAD':
        return send(this.files, objectRequest)
      case 'PUT':
        return request.headers.has('x-amz-copy-source')
          ? copy(this.files, objectRequest.bucket, objectRequest)
          : this.uploads.store(objectRequest)
      case 'DELETE':
        await demandPreconditions(this.files, objectRequest)
        await this.files.remove(objectRequest.key)
        return new Response(null, { status: 204 })
      default:
        throw new S3Error('MethodNotAllowed', undefined, { allow: 'GET, HEAD, PUT, DELETE, OPTIONS' })
    }
  }

  private refuse(error: unknown): Response {
    if (error instanceof S3Error) return error.toResponse()
    this.note(error)
    if (isDiskFull(error)) return full().toResponse()
    return new S3Error('InternalError').toResponse()
  }

  private fail(error: unknown): never {
    this.note(error)
    throw error
  }

  private note(error: unknown): void {
    this.limits.onFailure?.(error)
    this.space.note(error)
  }
}

/** Verifies the signature of a request and reads it. */
function readRequest(
  request: Request,
  key: SigningKey,
  publicHost: string | undefined,
): ObjectRequest & { bucket: string } {
  const { headers, method } = request
  const url = new URL(request.url)
  const path = url.pathname.slice(1).split('/').map(decode)
  const query = new Map<string, string>()
  for (const pair of url.search.slice(1).split('&').filter(Boolean)) {
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2).map(decode)
    if (query.has(name)) throw new S3Error('InvalidArgument', 'A parameter is given twice')
    query.set(name, value)
  }
  const hosts = [headers.get('host') ?? url.host, ...(publicHost === undefined ? [] : [publicHost])]
  const verified = verifySignature({ method, path, query, headers, hosts }, key, Date.now())
  const unknownNames = [
    ...[...query.keys()].filter((name) => !PARAMETERS.test(name) && !SIGNING_PARAMETERS.test(name)),
    ...[...headers.keys()].filter((name) => name.startsWith('x-amz-') && !AMZ_HEADERS.test(name)),
  ]
  if (unknownNames.length > 0) throw new S3Error('NotImplemented', `Not implemented: ${unknownNames.join(', ')}`)
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

async function send(files: ObjectFiles, { request, key, query, verified }: ObjectRequest): Promise<Response> {
  const needsBytes = request.method === 'GET'
  const pin = needsBytes ? await files.pin(key) : undefined
  const object = needsBytes ? pin?.object : await files.find(key)
  if (!object) throw new S3Error('NoSuchKey')
  const headers = new Headers(headersOf(object, query, verified))
  const verdict = judgePreconditions(request.headers, true, object)
  if (verdict === 'failed') throw new S3Error('PreconditionFailed')
  if (verdict === 'not modified') return new Response(null, { status: 304, headers })
  const rangeHeader = isRangeWanted(request.headers, object) ? request.headers.get('range') : null
  const range = readRange(rangeHeader, object.size)
  if (range === 'unsatisfiable')
    throw new S3Error('InvalidRange', undefined, { 'content-range': `bytes */${object.size}` })
  const { start, end } = range === 'whole' ? { start: 0, end: object.size - 1 } : range
  if (range !== 'whole') headers.set('content-range', `bytes ${start}-${end}/${object.size}`)
  headers.set('content-length', String(end - start + 1))
  return new Response(pin?.bytes.slice(start, end + 1) ?? null, { status: range === 'whole' ? 200 : 206, headers })
}

function headersOf(
  object: StoredObject,
  query: ObjectRequest['query'],
  { remainingS }: Verified,
): Record<string, string> {
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
    // A cached copy expires with the URL.
    'cache-control': remainingS === undefined ? 'no-store' : `private, max-age=${Math.floor(remainingS)}`,
  }
}

/** @throws S3Error `PreconditionFailed` if a write's condition fails: If-None-Match: * protects an existing object */
async function demandPreconditions(files: ObjectFiles, { request: { headers }, key }: ObjectRequest): Promise<void> {
  if (!CONDITIONS.some((name) => headers.has(name))) return
  const object = await files.find(key)
  const isMet = object ? judgePreconditions(headers, false, object) === 'met' : !headers.has('if-match')
  if (!isMet) throw new S3Error('PreconditionFailed')
}

async function copy(files: ObjectFiles, bucket: string, { request, key }: ObjectRequest): Promise<Response> {
  const source = decode(request.headers.get('x-amz-copy-source') ?? '').replace(/^\//, '')
  if (!source.startsWith(`${bucket}/`)) throw new S3Error('NoSuchBucket')
  const condition = request.headers.get('x-amz-copy-source-if-match') ?? undefined
  const copiedObject = await files.copy(source.slice(bucket.length + 1), key, condition)
  const fields = { LastModified: copiedObject.modified.toISOString(), ETag: copiedObject.etag }
  return new Response(xml('CopyObjectResult', fields), { headers: { 'content-type': 'application/xml' } })
}

const full = () => new S3Error('StorageFull', undefined, { 'retry-after': String(RETRY_SECONDS) })

/** Stores uploads, with limited concurrency. */
class Uploads {
  private readonly byFolder = new Map<string, number>()
  private total = 0
  /** Announced size of the clients' running uploads. */
  private totalReserved = 0

  constructor(
    private readonly files: ObjectFiles,
    private readonly limits: Limits,
    private readonly space: DiskSpace,
  ) {}

  isFull(bytes: number): Promise<boolean> {
    return this.space.isFull(this.totalReserved + bytes)
  }

  async store(objectRequest: ObjectRequest): Promise<Response> {
    const folder = objectRequest.key.slice(0, objectRequest.key.lastIndexOf('/') + 1)
    const running = this.byFolder.get(folder) ?? 0
    if (this.total >= UPLOADS_MAX || running >= UPLOADS_PER_FOLDER_MAX)
      throw new S3Error('SlowDown', undefined, { 'retry-after': '5' })
    this.total++
    this.byFolder.set(folder, running + 1)
    try {
      return await this.write(objectRequest)
    } catch (error) {
      // The client is not at fault, so it gets a new upload. The database may be on the same full disk.
      if (!(error instanceof S3Error) || error.code === 'StorageFull')
        await this.limits.onUploadFailed?.(objectRequest.key).catch(() => {})
      throw error
    } finally {
      this.total--
      const uploadsLeft = (this.byFolder.get(folder) ?? 1) - 1
      if (uploadsLeft > 0) this.byFolder.set(folder, uploadsLeft)
      else this.byFolder.delete(folder)
    }
  }

  private async write(objectRequest: ObjectRequest): Promise<Response> {
    const { request, key, verified } = objectRequest
    const length = request.headers.get('content-length') ?? ''
    if (!/^\d{1,15}$/.test(length)) throw new S3Error('MissingContentLength')
    const size = Number(length)
    if (size > this.limits.objectBytesMax) throw new S3Error('EntityTooLarge')
    await this.demandMayStore(key)
    await demandPreconditions(this.files, objectRequest)
    // The server itself signs in the headers; its objects are small, and may use the reserved space.
    const reservedBytes = verified.remainingS === undefined ? 0 : size
    this.totalReserved += reservedBytes
    try {
      if (reservedBytes > 0 && (await this.isFull(0))) throw full()
      return await this.receive(objectRequest, size)
    } finally {
      this.totalReserved -= reservedBytes
      this.space.remeasure()
    }
  }

  private async receive({ request, key, verified }: ObjectRequest, size: number): Promise<Response> {
    const etag = await this.files.write(key, request.body, {
      size,
      content_type: request.headers.get('content-type') ?? 'binary/octet-stream',
      md5Base64: request.headers.get('content-md5') ?? undefined,
      sha256Hex: verified.bodySha256,
      idleMs: this.limits.uploadIdleMs ?? UPLOAD_IDLE_MS_MAX,
    })
    // The permission may have been revoked meanwhile.
    await this.demandMayStore(key).catch(async (error: unknown) => {
      await this.files.remove(key)
      throw error
    })
    return new Response(null, { headers: { etag } })
  }

  private async demandMayStore(key: string): Promise<void> {
    if (this.limits.mayStore && !(await this.limits.mayStore(key)))
      throw new S3Error('AccessDenied', 'The upload is recorded, withdrawn or expired')
  }
}
