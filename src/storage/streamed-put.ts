import type * as sdk from '@aws-sdk/client-s3'

export interface StreamedPut {
  key: string
  content_type: string
  /** Exact size in bytes; infinite if it is not known in advance. */
  size: number
  bytes: AsyncIterable<Uint8Array>
}

/** S3 requires at least 5 MiB per part except the last, and allows 10,000 parts: objects of 160 GB. */
const PART_BYTES = 16 * 1024 * 1024

/** Stores a small object with one request, a larger one in parts. Each part is buffered, so that it can be retried. */
export async function putInParts(
  s3: typeof sdk,
  client: sdk.S3Client,
  Bucket: string,
  { key: Key, content_type: ContentType, size, bytes }: StreamedPut,
): Promise<void> {
  const putWhole = (Body: Buffer) =>
    client.send(new s3.PutObjectCommand({ Bucket, Key, Body, ContentType, ContentLength: Body.length }))
  if (size <= PART_BYTES) return void (await putWhole(Buffer.concat(await Array.fromAsync(bytes))))
  const parts = partsOf(bytes)
  const first = await parts.next()
  if (first.done || first.value.length < PART_BYTES) return void (await putWhole(first.value ?? Buffer.alloc(0)))
  const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand({ Bucket, Key, ContentType }))
  try {
    const Parts: sdk.CompletedPart[] = []
    for (let part: IteratorResult<Buffer> = first; !part.done; part = await parts.next()) {
      const Body = part.value
      const PartNumber = Parts.length + 1
      const put = new s3.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ContentLength: Body.length })
      Parts.push({ PartNumber, ETag: (await client.send(put)).ETag })
    }
    await client.send(new s3.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }))
  } catch (error) {
    // Without permission to abort, the bucket's lifecycle rule removes the unfinished upload.
    await client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => {})
    throw error
  }
}

async function* partsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    length += chunk.length
    if (length < PART_BYTES) continue
    yield Buffer.concat(chunks)
    chunks = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(chunks)
}

/** A stream of the pieces, each produced when it is read. */
export function streamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
