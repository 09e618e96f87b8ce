import { s3Place } from '../../core/wal-variables.ts'
import type { Environment } from '../../environment.ts'
import { type ArchiveStore, DirectoryArchive } from './archive-store.ts'
import { openS3Archive } from './s3-archive.ts'

/** Opens the archive of WAL_ARCHIVE; undefined if there is none. Nothing is written yet. */
export async function openArchive(environment: Environment): Promise<ArchiveStore | undefined> {
  const { WAL_ARCHIVE, DATA_DIR, DISK_FREE_MIN_BYTES } = environment
  if (WAL_ARCHIVE === undefined) return undefined
  const place = s3Place(WAL_ARCHIVE)
  if (place) return openS3Archive(environment, place.bucket, place.prefix)
  return new DirectoryArchive(WAL_ARCHIVE, DATA_DIR, DISK_FREE_MIN_BYTES)
}
