import type { S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3'
import { storageFull } from '../core/disk-space.ts'
import { Problem } from '../core/errors.ts'
import type { Environment } from '../environment.ts'
import type { ObjectOperations } from './object-store.ts'
import { putInParts } from './streamed-put.ts'

const CONNECT_MS_MAX = 5_000
const ANSWER_MS_MAX = 30_000

export interface S3Address {
  endpoint: string
  /** The endpoint that browsers use, if it differs. */
  publicEndpoint: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  pathStyle: boolean
}

/** Opens an S3 with the AWS SDK. The SDK takes 27 MB, so it is loaded here and not at start. */
export async function openS3Store(address: S3Address): Promise<ObjectOperations> {
  const s3 = await import('@aws-sdk/client-s3')
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  const Bucket = address.bucket
  const client = new s3.S3Client(configure(address, address.endpoint))
  const signing = new s3.S3Client(configure(address, address.publicEndpoint ?? address.endpoint))

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
    async presignPut({ key, content_type, size, expiresS }) {
      const put = new s3.PutObjectCommand({ Bucket, Key: key, ContentType: content_type, ContentLength: size })
      const signableHeaders = new Set(['content-type', 'content-length', 'host'])
      const url = await getSignedUrl(signing, put, { expiresIn: expiresS, signableHeaders })
      // Content-Length is signed too. A page cannot set it; the browser derives it from the body.
      return { url, headers: { 'content-type': content_type } }
    },
    async presignGet({ key, content_type, disposition, expiresS }) {
      const overrides = { ResponseContentType: content_type, ResponseContentDisposition: disposition }
      const get = new s3.GetObjectCommand({ Bucket, Key: key, ...overrides })
      return getSignedUrl(signing, get, { expiresIn: expiresS })
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

export function configure(address: S3Address, endpoint: string): S3ClientConfig {
  return {
    endpoint,
    region: address.region,
    forcePathStyle: address.pathStyle,
    credentials: { accessKeyId: address.accessKeyId, secretAccessKey: address.secretAccessKey },
    // By default a presigned PUT contains the checksum of an empty body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS_MAX, requestTimeout: ANSWER_MS_MAX },
  }
}

export const isSdkError = (error: unknown): error is S3ServiceException =>
  error instanceof Error && '$metadata' in error

/** Undefined if the object is missing (404, or the status passed) or has another ETag (412). */
export async function unlessMissing<T>(answer: Promise<T>, missingStatus = 404): Promise<T | undefined> {
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

/** The address of S3_ENDPOINT, if it is set. */
export function s3AddressOf(environment: Environment): S3Address | undefined {
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION, S3_BUCKET, S3_PATH_STYLE } = environment
  if (!S3_ENDPOINT || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined
  return {
    endpoint: S3_ENDPOINT,
    publicEndpoint: environment.S3_PUBLIC_ENDPOINT,
    region: S3_REGION,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    pathStyle: S3_PATH_STYLE === 'on',
  }
}

/** The store of S3_ENDPOINT, if it is set. */
export async function externalStore(environment: Environment): Promise<ObjectOperations | undefined> {
  const address = s3AddressOf(environment)
  return address && openS3Store(address)
}
