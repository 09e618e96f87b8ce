import { join } from 'node:path'
import { errorFields, type Log, logFullness } from '../core/log.ts'
import { once } from '../core/once.ts'
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
  credentials: { accessKeyId: string; secretAccessKey: string },
  log: Log,
  uploads: Required<Pick<Limits, 'mayStore' | 'onUploadFailed'>>,
): Promise<{ objects: ObjectStore; probe: StoreProbe; embeddedS3?: EmbeddedS3 }> {
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION, S3_BUCKET, PUBLIC_URL } = environment
  const place = { region: S3_REGION, bucket: S3_BUCKET, publicEndpoint: environment.S3_PUBLIC_ENDPOINT }
  const probed = async (
    operations: ObjectOperations,
    endpoint: string,
    probedOperations: Probed = operations,
    isFull?: ObjectStore['isFull'],
  ) => {
    const probe = new StoreProbe(operations, probedOperations, log)
    await probe.start({ endpoint, bucket: S3_BUCKET })
    return { objects: probe.watched(isFull), probe }
  }
  if (S3_ENDPOINT && S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY) {
    const keyPair = { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
    const pathStyle = environment.S3_PATH_STYLE === 'on'
    return probed(await openObjectStore({ endpoint: S3_ENDPOINT, pathStyle, ...place, ...keyPair }), S3_ENDPOINT)
  }
  const embeddedS3 = new EmbeddedS3(
    join(environment.DATA_DIR, 'objects'),
    { ...place, ...credentials },
    {
      objectBytesMax: environment.MAX_FILE_BYTES,
      freeMinBytes: environment.DISK_FREE_MIN_BYTES,
      publicHost: PUBLIC_URL && new URL(PUBLIC_URL).host,
      ...uploads,
      onFullness: logFullness(log, 'object_store'),
      onFailure: (error) => log('error', 'objects.failed', errorFields(error)),
    },
  )
  const endpoint = `${PUBLIC_URL ?? 'http://localhost'}${OBJECTS_PATH}`
  const address = { endpoint, pathStyle: true, ...place, publicEndpoint: undefined, ...credentials }
  const direct = { handle: embeddedS3.handle, path: OBJECTS_PATH }
  const isFull = (bytes?: number) => embeddedS3.isFull(bytes)
  const operations = {
    ...openedAtFirstUse(() => openObjectStore(address, direct)),
    putStream: (put: StreamedPut) => embeddedS3.putStream(put),
  }
  return { ...(await probed(operations, endpoint, embeddedS3.ownOperations, isFull)), embeddedS3 }
}

/** Opens a store on first use, so that a server without files saves the SDK's 10 MB. */
function openedAtFirstUse(open: () => Promise<ObjectOperations>): ObjectOperations {
  const store = once(open)
  return {
    presignPut: async (o) => (await store()).presignPut(o),
    presignGet: async (o) => (await store()).presignGet(o),
    head: async (key) => (await store()).head(key),
    get: async (key, range) => (await store()).get(key, range),
    copy: async (o) => (await store()).copy(o),
    put: async (key, bytes, contentType) => (await store()).put(key, bytes, contentType),
    putStream: async (o) => (await store()).putStream(o),
    delete: async (key) => (await store()).delete(key),
  }
}
