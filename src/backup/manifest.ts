import { z } from 'zod'

/** The format of the archive; a program refuses higher ones. */
export const FORMAT = 1

/** Names of the entries of an archive, in their order: rows are `tables/<table>/<n>`, objects `objects/<n>`. */
export const HEAD = 'parley.json'
export const SECRETS = 'secrets.json'
export const TABLES = 'tables/'
export const OBJECTS = 'objects/'
export const MANIFEST = 'manifest.json'

const Digest = z.string().regex(/^[0-9a-f]{64}$/)
const Count = z.int().min(0)
const Name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)

/** Which objects an archive holds: all, none, or those of files since the beginning of an earlier backup. */
export type ObjectChoice = 'all' | 'none' | { since: string }

/** The first entry: what a restore has to know before the rows. */
export const Head = z.object({
  format: z.int().min(1),
  /** The version of the program that wrote it. */
  version: z.string().max(64),
  /** The moment of the backup. */
  at: z.iso.datetime(),
  /** Whether no server ran on the installation. */
  stopped: z.boolean(),
  migrations: z.array(z.object({ name: z.string().regex(/^[\w-]{1,100}\.sql$/), digest: Digest })).max(10_000),
  objects: z.enum(['all', 'none', 'since']),
  /** With `since`: the moment of the earlier backup. */
  since: z.iso.datetime().optional(),
  secrets: z.boolean(),
  tables: z.array(z.object({ name: Name, columns: z.array(Name).max(1600) })).max(1_000),
  /** The last value that each sequence gave. */
  sequences: z.array(z.object({ name: Name, last_value: z.int() })).max(1_000),
})
export type Head = z.infer<typeof Head>

const Part = z.object({ bytes: Count, sha256: Digest })

/** The last entry: what the others must be. */
export const Manifest = z.object({
  head: Part,
  secrets: Part.optional(),
  tables: z.record(Name, Part.extend({ rows: Count })),
  /** The digest is over `<key> <size> <content type>\n` and the bytes of each object in turn. */
  objects: Part.extend({ count: Count }),
  /** As in the head, but at the end of the backup. */
  stopped: z.boolean(),
})
export type Manifest = z.infer<typeof Manifest>
