import type { S3Client, S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3'
import { storageFull } from '../core/disk-space.ts'
import { Problem } from '../core/errors.ts'
import { putInParts, type StreamedPut } from './streamed-put.ts'

/** Cached signing clients, one per origin. The origin may come from a Host header, so the number is limited. */
const SIGNING_CLIENTS_MAX = 16
const CONNECT_MS_MAX = 5_000
const ANSWER_MS_MAX = 30_000

export interface ObjectStoreAddress {
  endpoint: string
  /** The endpoint that browsers use, if it differs. */
  publicEndpoint: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  pathStyle: boolean
}

/** The embedded store: called inside the process; browsers reach it under the server's origin. */
export interface DirectStore {
  handle(request: Request): Promise<Response>
  /** The store's path below each origin. */
  path: string
}

/** The fields of the SDK's request that the embedded store needs. */
interface SdkRequest {
  method: string
  protocol: string
  hostname: string
  path: string
  query?: Record<string, string | string[] | null>
  headers: Record<string, string>
  body?: BodyInit
}

interface PresignedPut {
  key: string
  content_type: string
  /** Exact size in bytes. */
  size: number
  expiresS: number
  /** The origin that the client uses; ignored unless the store is embedded. */
  base?: string
}

interface PresignedGet {
  key: string
  /** Overrides the stored type, as `disposition` overrides the stored disposition. */
  content_type: string
  disposition: string
  expiresS: number
  base?: string
}

/** The S3 that stores the files, external or embedded. If it is unreachable, methods throw the SDK's error. */
export interface ObjectOperations {
  /** A URL that fixes method, key, size, type and expiry; and the headers that the client must send. */
  presignPut(o: PresignedPut): Promise<{ url: string; headers: Record<string, string> }>
  presignGet(o: PresignedGet): Promise<string>
  head(key: string): Promise<{ size: number; content_type: string; etag: string } | undefined>
  /** Streams an object or a range of it; undefined if it is missing. The caller must start reading at once. */
  get(key: string, range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array> | undefined>
  /** Copies within the store; false if the source is missing or has another ETag. */
  copy(o: { from: string; to: string; etag: string }): Promise<boolean>
  put(key: string, bytes: Uint8Array, content_type: string): Promise<void>
  /** Stores an object of any size in bounded memory. It appears once the last byte is stored. */
  putStream(o: StreamedPut): Promise<void>
  /** Also succeeds if the object is missing. */
  delete(key: string): Promise<void>
}

/** The object store as the features use it. */
export interface ObjectStore extends ObjectOperations {
  isReady(): Promise<boolean>
  /** True if there is no space for this many bytes; only the embedded store can tell. */
  isFull(bytes?: number): Promise<boolean>
}

/**
 * Opens a store with the AWS SDK. The SDK takes 27 MB, so it is loaded here and not at start.
 * @param direct the embedded store, called directly instead of over the network
 */
export async function openObjectStore(address: ObjectStoreAddress, direct?: DirectStore): Promise<ObjectOperations> {
  const s3 = await import('@aws-sdk/client-s3')
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  const Bucket = address.bucket
  const client = new s3.S3Client(configure(address, address.endpoint, direct))
  const signing = signingClients((origin) => new s3.S3Client(configure(address, origin, direct)))
  const publicEndpoint = (base: string | undefined) =>
    direct && base !== undefined ? base + direct.path : (address.publicEndpoint ?? address.endpoint)

  async function head(Key: string) {
    // Without ListBucket, S3 answers 403 for a missing object.
    const headResponse = await unlessMissing(client.send(new s3.HeadObjectCommand({ Bucket, Key })), 403)
    if (!headResponse) return undefined
    return {
      size: headResponse.ContentLength ?? 0,
      content_type: headResponse.ContentType ?? '',
      etag: headResponse.ETag ?? '',
    }
  }

  return {
    async presignPut({ key, content_type, size, expiresS, base }) {
      const put = new s3.PutObjectCommand({ Bucket, Key: key, ContentType: content_type, ContentLength: size })
      const signableHeaders = new Set(['content-type', 'content-length', 'host'])
      const url = await getSignedUrl(signing(publicEndpoint(base)), put, { expiresIn: expiresS, signableHeaders })
      // Content-Length is signed too. A page cannot set it; the browser derives it from the body.
      return { url, headers: { 'content-type': content_type } }
    },
    async presignGet({ key, content_type, disposition, expiresS, base }) {
      const overrides = { ResponseContentType: content_type, ResponseContentDisposition: disposition }
      const get = new s3.GetObjectCommand({ Bucket, Key: key, ...overrides })
      return getSignedUrl(signing(publicEndpoint(base)), get, { expiresIn: expiresS })
    },
    head,
    async get(Key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      const response = await unlessMissing(client.send(new s3.GetObjectCommand({ Bucket, Key, Range })))
      return response?.Body?.transformToWebStream()
    },
    async copy({ from, to, etag }) {
      // Some stores ignore CopySourceIfMatch (Ceph did, s3rver does), so compare the ETag first.
      if ((await head(from))?.etag !== etag) return false
      const CopySource = `${Bucket}/${from.split('/').map(encodeURIComponent).join('/')}`
      const copy = new s3.CopyObjectCommand({ Bucket, Key: to, CopySource, CopySourceIfMatch: etag })
      return (await unlessMissing(client.send(copy))) !== undefined
    },
    async put(Key, Body, ContentType) {
      await client.send(new s3.PutObjectCommand({ Bucket, Key, Body, ContentType, ContentLength: Body.length }))
    },
    putStream: (streamed) => putInParts(s3, client, Bucket, streamed),
    async delete(Key) {
      await unlessMissing(client.send(new s3.DeleteObjectCommand({ Bucket, Key })))
    },
  }
}

function configure(address: ObjectStoreAddress, endpoint: string, direct: DirectStore | undefined): S3ClientConfig {
  return {
    endpoint,
    region: address.region,
    forcePathStyle: address.pathStyle,
    credentials: { accessKeyId: address.accessKeyId, secretAccessKey: address.secretAccessKey },
    // By default a presigned PUT contains the checksum of an empty body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: direct
      ? { handle: (request: SdkRequest) => answerDirectly(direct, request) }
      : { connectionTimeout: CONNECT_MS_MAX, requestTimeout: ANSWER_MS_MAX },
  }
}

/** Passes a request of the SDK to the embedded store, without a network. */
async function answerDirectly(direct: DirectStore, { method, protocol, hostname, path, query, ...sent }: SdkRequest) {
  const search = Object.entries(query ?? {}).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value ?? ''))}`,
  )
  const url = `${protocol}//${hostname}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`
  const answer = await direct.handle(new Request(url, { method, headers: sent.headers, body: sent.body }))
  return {
    response: {
      statusCode: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: answer.body ?? undefined,
    },
  }
}

function signingClients(open: (origin: string) => S3Client): (origin: string) => S3Client {
  const clients = new Map<string, S3Client>()
  return (origin) => {
    const client = clients.get(origin) ?? open(origin)
    clients.delete(origin)
    clients.set(origin, client)
    const [oldest] = clients.keys()
    if (clients.size > SIGNING_CLIENTS_MAX && oldest !== undefined) clients.delete(oldest)
    return client
  }
}

export const isSdkError = (error: unknown): error is S3ServiceException =>
  error instanceof Error && '$metadata' in error

/** Undefined if the object is missing (404, or the status passed) or has another ETag (412). */
async function unlessMissing<T>(answer: Promise<T>, missingStatus = 404): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    const status = isSdkError(error) ? error.$metadata.httpStatusCode : undefined
    if (status === 404 || status === 412 || status === missingStatus) return undefined
    throw error
  })
}

/** The problem for an error of the SDK; undefined for any other error. */
export function objectStoreProblem(error: unknown): Problem | undefined {
  if (!isSdkError(error)) return undefined
  if (error.$metadata.httpStatusCode === 507) return storageFull()
  return new Problem('unavailable', 'The object store is away', { retry_after: 5 })
}

/**
 * A Content-Disposition whose file name every browser understands: in ASCII, plus UTF-8 if the two differ. Source: RFC
 * 6266 §4.3 and appendix D, RFC 8187 §3.2.
 */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const name = filename.toWellFormed()
  // Old browsers interpret these characters as a path, an escape or another parameter.
  const plain = name.replace(/[^ -~]/gu, '_').replace(/["%/\\]/g, '_')
  const disposition = `${kind}; filename="${plain}"`
  if (plain === name) return disposition
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) =>
    `%${sign.charCodeAt(0).toString(16)}`.toUpperCase(),
  )
  return `${disposition}; filename*=UTF-8''${encoded}`
}
