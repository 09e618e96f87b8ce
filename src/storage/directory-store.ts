import { DiskSpace, storageFull } from '../core/disk-space.ts'
import { isDiskFull, Problem } from '../core/errors.ts'
import { isRangeWanted, judgePreconditions } from '../core/preconditions.ts'
import { readRange } from './byte-range.ts'
import { ObjectFiles, type StoredObject } from './object-files.ts'
import type { ObjectOperations } from './object-store.ts'
import { type Grant, SignedUrls } from './signed-urls.ts'
import type { Probed } from './store-probe.ts'
import { type StreamedPut, streamOf } from './streamed-put.ts'
import { Uploads } from './uploads.ts'

/** The path of the objects: `/objects/<key>`. */
export const OBJECTS_PATH = '/objects'
const IDLE_MS_MAX = 60_000
const METHODS = 'GET, HEAD, PUT, OPTIONS'
const PREFLIGHT_SECONDS = 600

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  // A file opened as a page runs no script, submits no form and has its own origin.
  'content-security-policy': 'sandbox',
  // A client on a sibling host (CORS_ORIGINS) may show files in <img>, other sites may not.
  'cross-origin-resource-policy': 'same-site',
  // Access comes from the signed URL and cookies are ignored, so any origin may send requests.
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'etag, content-length, content-range, accept-ranges, content-disposition, x-request-id',
}

export interface DirectoryOptions {
  /** Signs the URLs. */
  secret: string
  /** The origin of URLs for callers without one. */
  origin: string
  objectBytesMax: number
  uploadIdleMs?: number
  /** Space that clients' uploads must leave free. */
  freeMinBytes?: number
  /** Called when there is too little space for uploads, and when there is enough again. */
  onFullness?: (isFull: boolean, freeBytes: number) => void
  /** True if an object may be stored under the key. Called before the bytes are read and after they are stored. */
  mayStore?: (key: string) => Promise<boolean>
  /** Called when an upload failed through a fault of the store itself. */
  onUploadFailed?: (key: string) => Promise<void>
  /** Called with the key and the file name of an object that was stored. */
  onStored?: (key: string, hash: string) => void
  /** Called with an internal error. */
  onFailure?: (error: unknown) => void
}

/**
 * The object store without S3: objects are files of a directory. The server calls it directly; clients reach it below
 * OBJECTS_PATH, by signed URLs.
 */
export class DirectoryStore implements ObjectOperations {
  private readonly files: ObjectFiles
  private readonly space: DiskSpace
  private readonly uploads: Uploads
  private readonly urls: SignedUrls

  /** @param directory of the objects */
  constructor(
    directory: string,
    private readonly options: DirectoryOptions,
  ) {
    this.files = new ObjectFiles(directory, undefined, options.onStored)
    const { freeMinBytes = 0, onFullness } = options
    this.space = new DiskSpace(() => this.files.probe(), {
      directory,
      freeMinBytes,
      ...(onFullness ? { onChange: onFullness } : {}),
    })
    this.uploads = new Uploads(this.files, this.space, { idleMs: IDLE_MS_MAX, ...options })
    this.urls = new SignedUrls(options.secret)
  }

  /** For the store's probe, which logs the cause of a failure itself. */
  readonly probed: Probed = {
    put: (key, bytes, contentType) =>
      this.write(key, new Blob([Buffer.from(bytes)]).stream(), bytes.length, contentType),
    get: async (key) => (await this.files.pin(key))?.bytes.stream(),
    delete: (key) => this.files.remove(key),
  }

  readonly presignPut: ObjectOperations['presignPut'] = async ({ key, content_type, size, expiresS, base }) => ({
    url: this.signed({ method: 'PUT', key, expires: expiryIn(expiresS), size, type: content_type }, base),
    headers: { 'content-type': content_type },
  })

  readonly presignGet: ObjectOperations['presignGet'] = async ({ key, content_type, disposition, expiresS, base }) =>
    this.signed({ method: 'GET', key, expires: expiryIn(expiresS), type: content_type, disposition }, base)

  readonly head: ObjectOperations['head'] = async (key) => {
    const object = await this.usable(this.files.find(key))
    return object && { size: object.size, content_type: object.content_type, etag: object.etag }
  }

  readonly get: ObjectOperations['get'] = async (key, range) => {
    const pin = await this.usable(this.files.pin(key))
    return (range ? pin?.bytes.slice(range.start, range.end + 1) : pin?.bytes)?.stream()
  }

  readonly copy: ObjectOperations['copy'] = async ({ from, to, etag }) => this.usable(this.files.copy(from, to, etag))

  readonly put: ObjectOperations['put'] = (key, bytes, contentType) =>
    this.usable(this.write(key, new Blob([Buffer.from(bytes)]).stream(), bytes.length, contentType))

  readonly putStream: ObjectOperations['putStream'] = async ({ key, content_type, size, bytes }: StreamedPut) => {
    await this.usable(this.write(key, streamOf(bytes), size, content_type))
    this.space.remeasure()
  }

  readonly delete: ObjectOperations['delete'] = (key) => this.usable(this.files.remove(key))

  /** True if there is no space for this many bytes in addition to the running uploads. */
  isFull(bytes = 0): Promise<boolean> {
    return this.uploads.isFull(bytes)
  }

  close(): void {
    this.files.close()
  }

  /**
   * Answers a request below OBJECTS_PATH; never throws.
   * @param requestId for the body of a refusal
   */
  async handle(request: Request, requestId: string): Promise<Response> {
    const response = await this.answer(request).catch((error: unknown) => this.problemOf(error).toResponse(requestId))
    for (const [name, value] of Object.entries(COMMON_HEADERS)) response.headers.set(name, value)
    return response
  }

  private async answer(request: Request): Promise<Response> {
    const { method, headers } = request
    if (method === 'OPTIONS' && headers.has('access-control-request-method')) return preflight()
    if (method !== 'GET' && method !== 'HEAD' && method !== 'PUT')
      throw new Problem('method_not_allowed', undefined, { headers: { allow: METHODS } })
    const url = new URL(request.url)
    const key = decode(url.pathname.slice(OBJECTS_PATH.length + 1))
    const grant = this.urls.verify(method === 'PUT' ? 'PUT' : 'GET', key, url.searchParams, Date.now() / 1000)
    return grant.method === 'PUT' ? this.uploads.store(request, grant) : send(this.files, request, grant)
  }

  private signed(grant: Grant, base = this.options.origin): string {
    return `${base}${OBJECTS_PATH}/${this.urls.sign(grant)}`
  }

  private async write(key: string, body: ReadableStream<Uint8Array>, size: number, contentType: string): Promise<void> {
    await this.files.write(key, body, { size, content_type: contentType, idleMs: IDLE_MS_MAX })
  }

  /** Turns a failure of the store itself into the problem that a client receives. */
  private async usable<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      this.note(error)
      throw isDiskFull(error)
        ? storageFull()
        : new Problem('unavailable', 'The object store is away', { retry_after: 5 })
    })
  }

  private problemOf(error: unknown): Problem {
    if (error instanceof Problem) return error
    this.note(error)
    return isDiskFull(error) ? storageFull() : new Problem('internal')
  }

  private note(error: unknown): void {
    this.options.onFailure?.(error)
    this.space.note(error)
  }
}

const expiryIn = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new Problem('bad_request', 'The path is not percent-encoded correctly')
  }
}

/** Answers a CORS preflight. */
const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, HEAD, PUT',
      'access-control-allow-headers':
        'content-type, range, if-range, if-match, if-none-match, if-modified-since, if-unmodified-since, x-request-id',
      'access-control-max-age': String(PREFLIGHT_SECONDS),
      'cache-control': 'no-store',
    },
  })

async function send(files: ObjectFiles, { method, headers: conditions }: Request, grant: Grant & { method: 'GET' }) {
  const pin = method === 'GET' ? await files.pin(grant.key) : undefined
  const object = method === 'GET' ? pin?.object : await files.find(grant.key)
  if (!object) throw new Problem('not_found')
  const headers = new Headers(headersOf(object, grant))
  const verdict = judgePreconditions(conditions, true, object)
  if (verdict !== 'met') return new Response(null, { status: verdict === 'failed' ? 412 : 304, headers })
  const range = readRange(isRangeWanted(conditions, object) ? conditions.get('range') : null, object.size)
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${object.size}` } })
  const { start, end } = range === 'whole' ? { start: 0, end: object.size - 1 } : range
  if (range !== 'whole') headers.set('content-range', `bytes ${start}-${end}/${object.size}`)
  headers.set('content-length', String(end - start + 1))
  return new Response(pin?.bytes.slice(start, end + 1) ?? null, { status: range === 'whole' ? 200 : 206, headers })
}

function headersOf(object: StoredObject, { type, disposition, expires }: Grant & { method: 'GET' }) {
  return {
    'content-type': type,
    'content-disposition': disposition,
    etag: object.etag,
    'last-modified': object.modified.toUTCString(),
    'accept-ranges': 'bytes',
    // A cached copy expires with the URL.
    'cache-control': `private, max-age=${Math.max(0, expires - Math.ceil(Date.now() / 1000))}`,
  }
}
