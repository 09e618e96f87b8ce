import { join } from 'node:path'
import type { Environment } from '../environment.ts'
import { openObject } from '../storage/object-files.ts'
import { type ObjectOperations, openObjectStore } from '../storage/object-store.ts'

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

/** The directory of the embedded store's objects. */
export const objectsDirectory = ({ DATA_DIR, S3_BUCKET }: Environment): string => join(DATA_DIR, 'objects', S3_BUCKET)

/** The store of S3_ENDPOINT, if it is set. */
export async function externalStore(environment: Environment): Promise<ObjectOperations | undefined> {
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION, S3_BUCKET, S3_PATH_STYLE } = environment
  if (!S3_ENDPOINT || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined
  return openObjectStore({
    endpoint: S3_ENDPOINT,
    publicEndpoint: undefined,
    region: S3_REGION,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    pathStyle: S3_PATH_STYLE === 'on',
  })
}

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
