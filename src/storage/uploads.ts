import { type DiskSpace, storageFull } from '../core/disk-space.ts'
import { Problem } from '../core/errors.ts'
import { judgePreconditions } from '../core/preconditions.ts'
import type { ObjectFiles } from './object-files.ts'
import type { Grant } from './signed-urls.ts'

/** Concurrent uploads; each has a temporary file and a buffer. */
const UPLOADS_MAX = 256
/** Each account uploads into a separate folder, so that one account cannot use every upload. */
const UPLOADS_PER_FOLDER_MAX = 8
const RETRY_SECONDS = 5
/** Conditions of writes. Source: RFC 9110 §13.1. */
const CONDITIONS = ['if-match', 'if-none-match', 'if-unmodified-since']

interface UploadOptions {
  objectBytesMax: number
  /** An upload fails if the client sends nothing for this long. */
  idleMs: number
  uploadIdleMs?: number
  mayStore?: (key: string) => Promise<boolean>
  onUploadFailed?: (key: string) => Promise<void>
}

/** Stores the uploads of clients, with limited concurrency. */
export class Uploads {
  private readonly byFolder = new Map<string, number>()
  private total = 0
  /** Announced size of the running uploads. */
  private totalReserved = 0

  constructor(
    private readonly files: ObjectFiles,
    private readonly space: DiskSpace,
    private readonly options: UploadOptions,
  ) {}

  /** True if there is no space for this many bytes in addition to the running uploads. */
  isFull(bytes: number): Promise<boolean> {
    return this.space.isFull(this.totalReserved + bytes)
  }

  /** @throws Problem if the upload is refused or broken; then nothing is stored */
  async store(request: Request, grant: Grant & { method: 'PUT' }): Promise<Response> {
    const folder = grant.key.slice(0, grant.key.lastIndexOf('/') + 1)
    const running = this.byFolder.get(folder) ?? 0
    if (this.total >= UPLOADS_MAX || running >= UPLOADS_PER_FOLDER_MAX)
      throw new Problem('unavailable', 'Too many uploads at once', { retry_after: RETRY_SECONDS })
    this.total++
    this.byFolder.set(folder, running + 1)
    try {
      return await this.receive(request, grant)
    } catch (error) {
      // The client is not at fault, so it gets a new upload. The database may be on the same full disk.
      if (!(error instanceof Problem) || error.code === 'storage_full')
        await this.options.onUploadFailed?.(grant.key).catch(() => {})
      throw error
    } finally {
      this.total--
      const uploadsLeft = (this.byFolder.get(folder) ?? 1) - 1
      if (uploadsLeft > 0) this.byFolder.set(folder, uploadsLeft)
      else this.byFolder.delete(folder)
    }
  }

  private async receive(request: Request, { key, size, type }: Grant & { method: 'PUT' }): Promise<Response> {
    const { headers } = request
    const length = headers.get('content-length')
    if (length === null) throw new Problem('bad_request', 'An upload needs a Content-Length')
    if (length !== String(size)) throw new Problem('upload_mismatch', 'The size differs from the announced one')
    if (headers.get('content-type') !== type)
      throw new Problem('upload_mismatch', 'The Content-Type differs from the announced one')
    if (size > this.options.objectBytesMax) throw new Problem('payload_too_large')
    await this.demandMayStore(key)
    if (!(await this.meetsConditions(headers, key))) return new Response(null, { status: 412 })
    this.totalReserved += size
    try {
      if (await this.isFull(0)) throw storageFull()
      const idleMs = this.options.uploadIdleMs ?? this.options.idleMs
      const etag = await this.files.write(key, request.body, { size, content_type: type, idleMs })
      // The permission may have been revoked meanwhile.
      await this.demandMayStore(key).catch(async (error: unknown) => {
        await this.files.remove(key)
        throw error
      })
      return new Response(null, { headers: { etag } })
    } finally {
      this.totalReserved -= size
      this.space.remeasure()
    }
  }

  /** False if a condition of the request fails: If-None-Match: * protects an existing object. */
  private async meetsConditions(headers: Headers, key: string): Promise<boolean> {
    if (!CONDITIONS.some((name) => headers.has(name))) return true
    const object = await this.files.find(key)
    return object ? judgePreconditions(headers, false, object) === 'met' : !headers.has('if-match')
  }

  private async demandMayStore(key: string): Promise<void> {
    if (this.options.mayStore && !(await this.options.mayStore(key)))
      throw new Problem('forbidden', 'The upload is recorded, withdrawn or expired')
  }
}
