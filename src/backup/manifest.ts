import { z } from 'zod'

/** Version of the archive's format; a program refuses higher ones. */
export const FORMAT = 1

/** Names of an archive's entries, in order: rows are `tables/<table>/<n>`, objects `objects/<n>`. */
export const HEAD = 'parley.json'
export const SECRETS = 'secrets.json'
export const TABLES = 'tables/'
export const OBJECTS = 'objects/'
export const MANIFEST = 'manifest.json'

const Digest = z.string().regex(/^[0-9a-f]{64}$/)
const Count = z.int().min(0)
const Name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)

/** Objects in an archive: all, none, or those of files since the start of an earlier backup. */
export type ObjectChoice = 'all' | 'none' | { since: string }

/** The first entry: everything that a restore must know before the rows. */
export const Head = z.object({
  format: z.int().min(1),
  /** Version of the program that wrote the archive. */
  version: z.string().max(64),
  /** Time of the backup. */
  at: z.iso.datetime(),
  /** True if no server ran on the installation. */
  stopped: z.boolean(),
  migrations: z.array(z.object({ name: z.string().regex(/^[\w-]{1,100}\.sql$/), digest: Digest })).max(10_000),
  objects: z.enum(['all', 'none', 'since']),
  /** With `since`: the time of the earlier backup. */
  since: z.iso.datetime().optional(),
  secrets: z.boolean(),
  tables: z.array(z.object({ name: Name, columns: z.array(Name).max(1600) })).max(1_000),
  /** The last value of each sequence. */
  sequences: z.array(z.object({ name: Name, last_value: z.int() })).max(1_000),
})
export type Head = z.infer<typeof Head>

const Part = z.object({ bytes: Count, sha256: Digest })

/** The last entry: sizes and digests of the others. */
export const Manifest = z.object({
  head: Part,
  secrets: Part.optional(),
  tables: z.record(Name, Part.extend({ rows: Count })),
  /** The digest covers `<key> <size> <content type>\n` and the bytes of each object in turn. */
  objects: Part.extend({ count: Count }),
  /** As in the head, but at the end of the backup. */
  stopped: z.boolean(),
})
export type Manifest = z.infer<typeof Manifest>
