import { createReadStream, rmSync } from 'node:fs'
import type { Environment } from '../../environment.ts'
import { externalStore, objectsDirectory } from '../../backup/objects.ts'
import { ObjectFiles } from '../../storage/object-files.ts'
import type { ObjectStore } from '../../storage/object-store.ts'

const IDLE_MS_MAX = 600_000

/** Where an import puts files, whether the server runs or not. */
export interface ObjectSink extends Pick<ObjectStore, 'put'> {
  putFile(key: string, path: string, size: number, content_type: string): Promise<void>
  close(): void
}

/** The store of S3_ENDPOINT, or the embedded one's directory, in which a running server finds what is new. */
export async function objectSink(environment: Environment): Promise<ObjectSink> {
  const store = await externalStore(environment)
  if (store)
    return {
      put: store.put,
      putFile: (key, path, size, content_type) =>
        store.putStream({ key, size, content_type, bytes: createReadStream(path, { end: size - 1 }) }),
      close: () => {},
    }
  const directory = objectsDirectory(environment)
  const temporary = `${directory}.importing`
  const files = new ObjectFiles(directory, temporary)
  const write = (key: string, bytes: Blob, content_type: string) =>
    files.write(key, bytes.stream(), {
      content_type,
      size: bytes.size,
      md5_base64: undefined,
      sha256_hex: undefined,
      idle_ms: IDLE_MS_MAX,
    })
  return {
    put: async (key, bytes, content_type) => void (await write(key, new Blob([new Uint8Array(bytes)]), content_type)),
    putFile: async (key, path, size, content_type) => {
      await write(key, Bun.file(path).slice(0, size), content_type)
    },
    close() {
      files.close()
      rmSync(temporary, { recursive: true, force: true })
    },
  }
}
