import type { Environment } from '../../environment.ts'
import { configure, s3AddressOf, unlessMissing } from '../../storage/s3-store.ts'
import { putInParts } from '../../storage/streamed-put.ts'
import type { ArchiveStore } from './archive-store.ts'

const TYPE = 'application/octet-stream'

/**
 * Opens the archive in a bucket of S3_ENDPOINT. The SDK takes 27 MB, so it is loaded here and not at start.
 * @param prefix of its keys: empty, or with a final slash
 */
export async function openS3Archive(
  environment: Environment,
  bucket: string,
  prefix: string,
): Promise<ArchiveStore | undefined> {
  const address = s3AddressOf(environment)
  if (!address) return undefined
  const s3 = await import('@aws-sdk/client-s3')
  const client = new s3.S3Client(configure(address, address.endpoint))
  const Bucket = bucket
  // Some servers sign the path of a bucket without the final slash that the SDK adds to it; S3 takes both.
  client.middlewareStack.add(
    (next) => (args) => {
      const { request } = args
      if (hasPath(request) && request.path.length > 1) request.path = request.path.replace(/\/$/, '')
      return next(args)
    },
    { step: 'build' },
  )

  /** The keys and folders in a folder, page by page. */
  async function* pages(folder: string): AsyncGenerator<string[]> {
    const Prefix = `${prefix}${folder}/`
    for (let ContinuationToken: string | undefined; ;) {
      const list = new s3.ListObjectsV2Command({ Bucket, Prefix, Delimiter: '/', ContinuationToken })
      const page = await client.send(list)
      const keys = [...(page.Contents ?? []).map(({ Key }) => Key), ...(page.CommonPrefixes ?? []).map((p) => p.Prefix)]
      yield keys.flatMap((key) => key?.slice(Prefix.length).replace(/\/$/, '') || [])
      ContinuationToken = page.NextContinuationToken
      if (ContinuationToken === undefined) return
    }
  }

  const store: ArchiveStore = {
    async put(name, bytes, signal) {
      let size = 0
      const counted = async function* () {
        for await (const chunk of bytes) {
          signal?.throwIfAborted()
          size += chunk.length
          yield chunk
        }
      }
      await putInParts(s3, client, Bucket, { key: prefix + name, content_type: TYPE, size: Infinity, bytes: counted() })
      return size
    },
    async get(name) {
      const answer = await unlessMissing(client.send(new s3.GetObjectCommand({ Bucket, Key: prefix + name })))
      const body = answer?.Body?.transformToWebStream()
      return body && buffersOf(body)
    },
    async list(folder) {
      const names: string[] = []
      for await (const page of pages(folder)) names.push(...page)
      return names.sort()
    },
    async remove(name) {
      for (const inner of await store.list(name)) await store.remove(`${name}/${inner}`)
      await unlessMissing(client.send(new s3.DeleteObjectCommand({ Bucket, Key: prefix + name })))
    },
  }
  return store
}

const hasPath = (request: unknown): request is { path: string } =>
  typeof request === 'object' && request !== null && 'path' in request && typeof request.path === 'string'

async function* buffersOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
