import type { Environment } from '../environment.ts'
import { openObject } from '../storage/object-files.ts'
import { objectsDirectory } from '../storage/open-objects.ts'
import { externalStore } from '../storage/s3-store.ts'

/** An object with its bytes, to be read once. */
export interface OpenedObject {
  size: number
  content_type: string
  bytes: AsyncIterable<Uint8Array>
}

/** Tables of pictures that belong to no account, with SQL for their objects' keys. */
export const PICTURES = [
  { table: 'emojis', key: `'emoji/' || key` },
  { table: 'preview_pictures', key: 'key' },
]

/** Opens an object of an installation; undefined if it is missing. */
export type ObjectSource = (key: string) => Promise<OpenedObject | undefined>

/** Reads the objects of an installation, whether or not its server runs. */
export async function objectSource(environment: Environment): Promise<ObjectSource> {
  const store = await externalStore(environment)
  if (!store) return (key) => openObject(objectsDirectory(environment), key)
  return async (key) => {
    const head = await store.head(key)
    const bytes = head && (await store.get(key))
    return bytes && { ...head, bytes }
  }
}
