import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Sql } from '../database/database.ts'

/** Approximate size of a batch of rows. */
const PIECE_BYTES = 1024 * 1024

/** Makes COPY's text identical in every PostgreSQL, and lifts the time limits of requests. */
const SETTINGS = `set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 1; set bytea_output = 'hex'; set statement_timeout = 0; set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0`

/** A table, with its stored (not generated) columns. */
export interface Table {
  name: string
  columns: string[]
  /** The columns of the primary key. */
  key: string[]
}

/** Prepares a connection for `copyOut` and `copyIn`. */
export const prepareConnection = (connection: Sql): Promise<unknown> => connection.unsafe(SETTINGS)

/** Tables that the server rebuilds from the others; no backup contains them. */
export const DERIVED = ['search_documents', 'search_progress']

/** Run by a restore: a scheduled message may have been sent, changed or cancelled since the backup. */
export const HOLD = `update scheduled_messages set state = 'held', version = version + 1 where state = 'waiting'`

/** Every table of the installation's schema except derived ones, ordered by name. */
export const tablesOf = (sql: Sql): Promise<Table[]> => sql<Table[]>`
  select c.relname as name,
    array(select attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
      and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
    array(select a.attname::text from pg_index i, unnest(i.indkey) with ordinality k (attnum, at)
      join pg_attribute a using (attnum) where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid
      order by k.at) as key
  from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    and c.relname <> all (${DERIVED})
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by c.relname collate "C"`

/** Quotes a name for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const quotedList = (names: string[]): string => names.map(quoted).join(', ')

/** A table's rows in the order of its primary key, as written by COPY, in batches of about a mebibyte. */
export async function* copyOut(connection: Sql, { name, columns, key }: Table): AsyncGenerator<Buffer> {
  const order = key.length > 0 ? `order by ${quotedList(key)}` : ''
  const rows = `select ${quotedList(columns)} from ${quoted(name)} ${order}`
  const stream = await connection.unsafe(`copy (${rows}) to stdout`).readable()
  yield* joinChunks(stream)
}

/** COPY yields one chunk per row; batch them synchronously before awaiting. */
async function* joinChunks(stream: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let length = 0
  let hasEnded = false
  let failure: unknown
  let wake = (): void => {}
  const end = (error?: unknown) => {
    hasEnded = true
    failure ??= error
    wake()
  }
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length < PIECE_BYTES) return
    stream.pause()
    wake()
  })
  stream.on('end', () => end())
  stream.on('error', end)
  try {
    for (;;) {
      if (!hasEnded && length < PIECE_BYTES) await new Promise<void>((resolve) => (wake = resolve))
      if (failure) throw failure
      const piece = Buffer.concat(chunks)
      chunks = []
      length = 0
      if (piece.length > 0) yield piece
      if (hasEnded) return
      stream.resume()
    }
  } finally {
    stream.destroy()
  }
}

/** Inserts rows in the format of `copyOut`. */
export class CopyIn {
  private constructor(
    private readonly stream: Writable,
    private readonly ended: Promise<void>,
  ) {}

  static async begin(connection: Sql, { name, columns }: Pick<Table, 'name' | 'columns'>): Promise<CopyIn> {
    const stream = await connection.unsafe(`copy ${quoted(name)} (${quotedList(columns)}) from stdin`).writable()
    const ending = finished(stream)
    // `write` or `end` reports the failure.
    ending.catch(() => {})
    return new CopyIn(stream, ending)
  }

  /** @throws errors of the database, about these rows or earlier ones */
  write(rows: Buffer): Promise<void> {
    const writing = new Promise<void>((resolve, reject) =>
      this.stream.write(rows, (error) => (error ? reject(error) : resolve())),
    )
    return Promise.race([writing, this.ended])
  }

  end(): Promise<void> {
    this.stream.end()
    return this.ended
  }

  /** Rolls the rows back. Until then, or `end`, the connection accepts no statement. */
  fail(): void {
    this.stream.destroy(new Error('These rows are not to be stored'))
  }
}
