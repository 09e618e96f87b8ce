import { resolve } from 'node:path'
import { z } from 'zod'
import { RefusesToBoot } from './errors.ts'
import { whole } from './variable-values.ts'

/** `s3://bucket` or `s3://bucket/prefix`. */
const S3_PLACE = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.-]+(?:\/[\w.-]+)*))?\/?$/

const duration = z.string().regex(/^[1-9]\d{0,3}[mhd]$/, 'Must be a number with m, h or d')

/** Variables of the archive of the write-ahead log, and of checks of backups. */
export const walVariables = {
  WAL_ARCHIVE: z
    .string()
    .min(1)
    .refine((place) => !place.startsWith('s3:') || S3_PLACE.test(place), 'Must be s3://bucket/prefix')
    .transform((place) => (place.startsWith('s3:') ? place : resolve(place)))
    .optional()
    .describe(
      'directory, or `s3://bucket/prefix` in the store of `S3_ENDPOINT`, for a continuous archive of the embedded ' +
        'database, from which `restore --to` restores any second',
    ),
  WAL_ARCHIVE_DAYS: whole(1, 3650)
    .default(14)
    .describe('days back to which the archive can restore; what only earlier times need is removed'),
  WAL_ARCHIVE_BASE_EVERY: duration
    .default('7d')
    .describe('interval of full copies in the archive; a restore replays the changes since the last one'),
  WAL_ARCHIVE_PENDING_BYTES_MAX: whole(16 * 1024 ** 2, Number.MAX_SAFE_INTEGER)
    .default(2 * 1024 ** 3)
    .describe(
      'bytes of changes to keep in `DATA_DIR` while the archive is unavailable; beyond them the archive has a gap ' +
        'and begins again with a full copy',
    ),
  VERIFY_EVERY: z
    .union([z.literal('off'), duration])
    .default('off')
    .describe('interval at which `verify` tries the newest backup in `BACKUP_DIR`; `off` never does'),
}

interface Configured {
  WAL_ARCHIVE?: string | undefined
  DATABASE_URL?: string | undefined
  S3_ENDPOINT?: string | undefined
  DATA_DIR: string
}

/** @throws RefusesToBoot if WAL_ARCHIVE does not go with the other variables */
export function demandArchive({ WAL_ARCHIVE, DATABASE_URL, S3_ENDPOINT, DATA_DIR }: Configured): void {
  if (WAL_ARCHIVE === undefined) return
  if (DATABASE_URL !== undefined)
    throw new RefusesToBoot(
      'WAL_ARCHIVE is only usable with the embedded database: use the tools of the PostgreSQL in DATABASE_URL.',
    )
  if (s3Place(WAL_ARCHIVE)) {
    if (S3_ENDPOINT === undefined) throw new RefusesToBoot('WAL_ARCHIVE=s3:// is only usable with S3_ENDPOINT.')
  } else if (`${WAL_ARCHIVE}/`.startsWith(`${DATA_DIR}/`))
    throw new RefusesToBoot('WAL_ARCHIVE must not be inside DATA_DIR, with which it would be lost.')
}

/** The bucket and the prefix (empty, or with a final slash) of an archive in S3; undefined if it is a directory. */
export function s3Place(place: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, folder] = S3_PLACE.exec(place) ?? []
  return bucket === undefined ? undefined : { bucket, prefix: folder === undefined ? '' : `${folder}/` }
}
