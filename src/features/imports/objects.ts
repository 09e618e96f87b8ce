import { rmSync } from 'node:fs'
import type { Environment } from '../../environment.ts'
import { ObjectFiles } from '../../storage/object-files.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { objectsDirectory } from '../../storage/open-objects.ts'
import { externalStore } from '../../storage/s3-store.ts'
import { type StreamedPut, streamOf } from '../../storage/streamed-put.ts'

const IDLE_MS_MAX = 600_000

/** The object store of an import, which works with and without a running server. */
export interface ObjectSink extends Pick<ObjectStore, 'put' | 'putStream'> {
  close(): void
}

/** The store of S3_ENDPOINT, or the directory of the embedded one. A running server finds new files there. */
export async function objectSink(environment: Environment): Promise<ObjectSink> {
  const store = await externalStore(environment)
  if (store) return { put: store.put, putStream: store.putStream, close: () => {} }
  const directory = objectsDirectory(environment)
  const temporary = `${directory}.importing`
  const files = new ObjectFiles(directory, temporary)
  const putStream = async ({ key, size, content_type, bytes }: StreamedPut) => {
    const digests = { md5Base64: undefined, sha256Hex: undefined }
    await files.write(key, streamOf(bytes), { content_type, size, ...digests, idleMs: IDLE_MS_MAX })
  }
  return {
    put: (key, bytes, content_type) => putStream({ key, size: bytes.length, content_type, bytes: piece(bytes) }),
    putStream,
    close() {
      files.close()
      rmSync(temporary, { recursive: true, force: true })
    },
  }
}

/** Copy the bytes, because a store may clear the memory of what it has written. */
async function* piece(bytes: Uint8Array) {
  yield new Uint8Array(bytes)
}
