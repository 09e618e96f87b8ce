import { join } from 'node:path'
import { errorFields, type Log, logFullness } from '../core/log.ts'
import type { Environment } from '../environment.ts'
import { type DirectoryOptions, DirectoryStore } from './directory-store.ts'
import type { ObjectStore } from './object-store.ts'
import { externalStore } from './s3-store.ts'
import { StoreProbe } from './store-probe.ts'

/** The directory of the objects of an installation without S3_ENDPOINT. */
export const objectsDirectory = ({ DATA_DIR, S3_BUCKET }: Environment): string => join(DATA_DIR, 'objects', S3_BUCKET)

/**
 * Opens the object store: the S3 of S3_ENDPOINT if it is set, else a directory.
 * @param secret signs the URLs of the directory's objects
 * @param uploads callbacks about uploads into the directory
 * @throws RefusesToBoot if the store answers that it will not accept files
 */
export async function openObjects(
  environment: Environment,
  secret: string,
  log: Log,
  uploads: Pick<DirectoryOptions, 'mayStore' | 'onUploadFailed' | 'onStored'>,
): Promise<{ objects: ObjectStore; probe: StoreProbe; directory?: DirectoryStore }> {
  const { S3_ENDPOINT, S3_BUCKET, PUBLIC_URL } = environment
  const external = await externalStore(environment)
  if (external && S3_ENDPOINT) {
    const probe = new StoreProbe(external, external, log)
    await probe.start({ endpoint: S3_ENDPOINT, bucket: S3_BUCKET })
    return { objects: probe.watched(), probe }
  }
  const origin = PUBLIC_URL ?? 'http://localhost'
  const directory = new DirectoryStore(objectsDirectory(environment), {
    secret,
    origin,
    objectBytesMax: environment.MAX_FILE_BYTES,
    freeMinBytes: environment.DISK_FREE_MIN_BYTES,
    ...uploads,
    onFullness: logFullness(log, 'object_store'),
    onFailure: (error) => log('error', 'objects.failed', errorFields(error)),
  })
  const probe = new StoreProbe(directory, directory.probed, log)
  await probe.start({ endpoint: origin, bucket: S3_BUCKET })
  return { objects: probe.watched((bytes) => directory.isFull(bytes)), probe, directory }
}
