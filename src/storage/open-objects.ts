import { join } from 'node:path'
import { errorFields, type Log, logFullness } from '../core/log.ts'
import type { Environment } from '../environment.ts'
import { EmbeddedS3, type Limits, OBJECTS_PATH } from './embedded-s3.ts'
import { type ObjectOperations, type ObjectStore, openObjectStore } from './object-store.ts'
import { type Probed, StoreProbe } from './store-probe.ts'
import type { StreamedPut } from './streamed-put.ts'

/**
 * Opens the object store of S3_ENDPOINT if it is set, else the embedded one, which is called without a network.
 * @param credentials of the embedded store
 * @param uploads callbacks of the embedded store about its uploads
 * @throws RefusesToBoot if the store answers that it will not accept files
 */
export async function openObjects(
  environment: Environment,
  credentials: { access_key_id: string; secret_access_key: string },
  log: Log,
  uploads: Required<Pick<Limits, 'mayStore' | 'onUploadFailed'>>,
): Promise<{ objects: ObjectStore; probe: StoreProbe; embeddedS3?: EmbeddedS3 }> {
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION, S3_BUCKET, PUBLIC_URL } = environment
  const place = { region: S3_REGION, bucket: S3_BUCKET, public_endpoint: environment.S3_PUBLIC_ENDPOINT }
  const probed = async (
    operations: ObjectOperations,
    endpoint: string,
    asked: Probed = operations,
    isFull?: ObjectStore['isFull'],
  ) => {
    const probe = new StoreProbe(operations, asked, log)
    await probe.start({ endpoint, bucket: S3_BUCKET })
    return { objects: probe.watched(isFull), probe }
  }
  if (S3_ENDPOINT && S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY) {
    const given = { access_key_id: S3_ACCESS_KEY_ID, secret_access_key: S3_SECRET_ACCESS_KEY }
    const path_style = environment.S3_PATH_STYLE === 'on'
    return probed(await openObjectStore({ endpoint: S3_ENDPOINT, path_style, ...place, ...given }), S3_ENDPOINT)
  }
  const embeddedS3 = new EmbeddedS3(
    join(environment.DATA_DIR, 'objects'),
    { ...place, ...credentials },
    {
      object_bytes_max: environment.MAX_FILE_BYTES,
      free_min_bytes: environment.DISK_FREE_MIN_BYTES,
      public_host: PUBLIC_URL && new URL(PUBLIC_URL).host,
      ...uploads,
      onFullness: logFullness(log, 'object_store'),
      onFailure: (error) => log('error', 'objects.failed', errorFields(error)),
    },
  )
  const endpoint = `${PUBLIC_URL ?? 'http://localhost'}${OBJECTS_PATH}`
  const address = { endpoint, path_style: true, ...place, public_endpoint: undefined, ...credentials }
  const direct = { handle: embeddedS3.handle, path: OBJECTS_PATH }
  const isFull = (bytes?: number) => embeddedS3.isFull(bytes)
  const operations = {
    ...openedAtFirstUse(() => openObjectStore(address, direct)),
    putStream: (put: StreamedPut) => embeddedS3.putStream(put),
  }
  return { ...(await probed(operations, endpoint, embeddedS3.own, isFull)), embeddedS3 }
}

/** Opens a store on first use, so that a server without files saves the SDK's 10 MB. */
function openedAtFirstUse(open: () => Promise<ObjectOperations>): ObjectOperations {
  let opened: Promise<ObjectOperations> | undefined
  const store = () =>
    (opened ??= open().catch((error: unknown) => {
      // Retry on the next use.
      opened = undefined
      throw error
    }))
  return {
    presignPut: async (o) => (await store()).presignPut(o),
    presignGet: async (o) => (await store()).presignGet(o),
    head: async (key) => (await store()).head(key),
    get: async (key, range) => (await store()).get(key, range),
    copy: async (o) => (await store()).copy(o),
    put: async (key, bytes, content_type) => (await store()).put(key, bytes, content_type),
    putStream: async (o) => (await store()).putStream(o),
    delete: async (key) => (await store()).delete(key),
  }
}
