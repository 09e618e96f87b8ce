import { randomBytes } from 'node:crypto'
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import type { Database } from '../../database/database.ts'
import { secretsPath } from '../../database/secrets.ts'
import { type ArchiveStore, PARTIAL } from './archive-store.ts'
import {
  Base,
  baseFolder,
  contiguous,
  FORMAT,
  Line,
  LINE_ID,
  lineFolder,
  lsnHex,
  lsnOf,
  lsnText,
  pieceName,
  pieceOf,
  walFolder,
} from './names.ts'
import { hasDiverged } from './divergence.ts'
import type { Sealer, Unsealer } from './sealing.ts'
import { dropSlots, SLOTS } from './slots.ts'
import { readWal, splitAtSegments } from './segments.ts'

/** The parts of the running server that a line uses. */
export interface Running {
  sql: Database
  archive: ArchiveStore
  sealer: Sealer
  unsealer: Unsealer
  /** The data directory of PostgreSQL. */
  cluster: string
  dataDirectory: string
}

/** A full copy in the line. */
export type WrittenBase = Base & { id: string }

/** The running cluster, as far as a line depends on it. */
interface Cluster {
  system_identifier: string
  timeline: number
  segment_bytes: number
  postgres: number
  flushed: bigint
}

/**
 * A line of the archive while it is written: the WAL of the running cluster without a gap. Its position is kept twice:
 * by the names of the pieces in the archive, which decide, and by a replication slot, which keeps PostgreSQL from
 * removing what comes after. A line ends when the slot is dropped or the cluster is another one; a new one begins.
 */
export class LineWriter {
  /** The transactions that were under way before the last cycle that archived something. */
  private snapshot: string | undefined
  /** A full copy needs the WAL up to here. */
  neededEnd = 0n

  private constructor(
    private readonly running: Running,
    readonly id: string,
    private readonly cluster: Cluster,
    private readonly walDirectory: string,
    /** Everything before is in the archive. */
    public end: bigint,
    readonly bases: WrittenBase[],
  ) {}

  /** Continues the line of the cluster's slot. @returns `none` if it has no slot, `broken` if it cannot be continued */
  static async continue(running: Running): Promise<LineWriter | 'none' | 'broken'> {
    const { sql, archive, sealer, unsealer } = running
    const [slot] = await sql<{ name: string; status: string; restart: string | null }[]>`
      select slot_name as name, wal_status as status, restart_lsn::text as restart from pg_replication_slots
      where starts_with(slot_name, ${SLOTS}) limit 1`
    if (!slot) return 'none'
    const id = slot.name.slice(SLOTS.length)
    if (slot.status === 'lost' || slot.restart === null || !LINE_ID.test(id)) return 'broken'
    const line = await readJson(archive, `${lineFolder(id)}/line.json`, Line)
    const cluster = await clusterOf(sql)
    const isSame =
      line?.format === FORMAT &&
      line.system_identifier === cluster.system_identifier &&
      line.timeline === cluster.timeline &&
      line.segment_bytes === cluster.segment_bytes &&
      (await sealer.matches(line.check))
    if (!isSame) return 'broken'
    const pieces = (await archive.list(walFolder(id))).flatMap((name) => pieceOf(name) ?? [])
    const bases = await basesOf(archive, id)
    const from = bases[0]?.start ?? pieces[0]?.from ?? lsnOf(slot.restart)
    const start = segmentStart(from, cluster.segment_bytes)
    const run = [...contiguous(pieces, start)]
    const end = run.at(-1)?.to ?? start
    // The slot keeps its whole segment. If the archive has more than the cluster, the cluster is an earlier copy.
    if (end < segmentStart(lsnOf(slot.restart), cluster.segment_bytes) || end > cluster.flushed) return 'broken'
    const directory = await walOf(running)
    const { timeline, segment_bytes } = cluster
    if (await hasDiverged(id, run, unsealer, directory, timeline, segment_bytes)) return 'broken'
    return new LineWriter(running, id, cluster, directory, end, bases)
  }

  /** Begins a new line. The archive is written first: a slot without one would keep WAL for nothing. */
  static async begin(running: Running): Promise<LineWriter> {
    const { sql, archive, sealer } = running
    await dropSlots(sql)
    const cluster = await clusterOf(sql)
    const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
    const id = `${time}_${randomBytes(4).toString('hex')}`
    const { system_identifier, timeline, segment_bytes, postgres } = cluster
    const line: Line = {
      format: FORMAT,
      version: VERSION,
      postgres,
      system_identifier,
      timeline,
      segment_bytes,
      check: await sealer.check(),
    }
    await putJson(archive, `${lineFolder(id)}/line.json`, line)
    const [slot] = await sql<{ lsn: string | null }[]>`
      select lsn::text from pg_create_physical_replication_slot(${SLOTS + id}, true)`
    const [row] = slot?.lsn
      ? [slot]
      : await sql<{ lsn: string }[]>`
      select restart_lsn::text as lsn from pg_replication_slots where slot_name = ${SLOTS + id}`
    const start = segmentStart(lsnOf(row?.lsn ?? '0/0'), segment_bytes)
    return new LineWriter(running, id, cluster, await walOf(running), start, [])
  }

  /** Removes what was being written when a process ended. @param copyingId the full copy that is being written */
  async removePartial(copyingId: string | undefined): Promise<void> {
    const { archive } = this.running
    for (const folder of [lineFolder(this.id), baseFolder(this.id), walFolder(this.id)])
      for (const name of await archive.list(folder))
        if (name.endsWith(PARTIAL) && (copyingId === undefined || !name.startsWith(copyingId)))
          await archive.remove(`${folder}/${name}`)
  }

  /** Stores the secrets of DATA_DIR, which the database does not have. */
  async putSecrets(): Promise<void> {
    const { archive, sealer, dataDirectory } = this.running
    const secrets = await readFile(secretsPath(dataDirectory)).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
    })
    if (secrets) await archive.put(`${lineFolder(this.id)}/secrets`, sealer.pack(secrets))
  }

  /**
   * Archives everything that was committed before now.
   * @returns the time before which everything is in the archive
   * @throws errors of the archive, and of the database if the slot is gone
   */
  async advance(signal: AbortSignal): Promise<string> {
    const { sql, archive } = this.running
    const [now] = await sql<{ at: string; lsn: string; snapshot: string }[]>`
      select statement_timestamp() as at, pg_current_wal_insert_lsn()::text as lsn,
        pg_current_snapshot()::text as snapshot`
    let { at, lsn: target } = now ?? { at: new Date().toISOString(), lsn: '0/0' }
    // An idle PostgreSQL writes some WAL too, after each record of ours again.
    const isSame = now?.snapshot === this.snapshot && lsnOf(target) - this.end < IDLE_BYTES_MAX
    const isIdle = isSame && this.end >= this.neededEnd
    if (lsnOf(target) > this.end && !isIdle) {
      // A record of our own ends what is archived, so that it ends with a whole record, and flushes all before it.
      const [mark] = await sql<{ at: string; lsn: string }[]>`
        select clock_timestamp() as at, pg_logical_emit_message(false, 'parley', '', true)::text as lsn`
      if (mark) ({ at, lsn: target } = mark)
      await this.archiveUpTo(lsnOf(target), Date.parse(at), signal)
      this.snapshot = now?.snapshot
    }
    await putJson(archive, `${lineFolder(this.id)}/end.json`, { at, lsn: lsnHex(this.end) })
    return at
  }

  private async archiveUpTo(target: bigint, atMs: number, signal: AbortSignal): Promise<void> {
    const { archive, sealer, sql } = this.running
    const { timeline, segment_bytes } = this.cluster
    for (const [from, to] of splitAtSegments(this.end, target, segment_bytes)) {
      const bytes = await readWal(this.walDirectory, timeline, segment_bytes, from, to)
      const name = pieceName(from, to, to === target ? atMs : undefined)
      await archive.put(`${walFolder(this.id)}/${name}`, sealer.pack(bytes), signal)
      // Keeps the segment of the newest piece, so that `continue` can compare it. Fails if the slot was dropped
      // meanwhile: then this line ends here.
      await sql`select pg_replication_slot_advance(${SLOTS + this.id}, ${lsnText(to - 1n)}::pg_lsn)`
      this.end = to
    }
  }

  /** Records a full copy that is in the archive. */
  async addBase(id: string, base: Base): Promise<void> {
    const { start, stop, ...rest } = base
    const written = { ...rest, start: lsnHex(start), stop: lsnHex(stop) }
    await putJson(this.running.archive, `${baseFolder(this.id)}/${id}.json`, written)
    this.bases.push({ ...base, id })
  }
}

/** The finished full copies of a line, oldest first. */
export async function basesOf(archive: ArchiveStore, line: string): Promise<WrittenBase[]> {
  const bases: WrittenBase[] = []
  for (const name of await archive.list(baseFolder(line))) {
    const id = /^(.*)\.json$/.exec(name)?.[1]
    const base = id === undefined ? undefined : await readJson(archive, `${baseFolder(line)}/${name}`, Base)
    if (id !== undefined && base) bases.push({ ...base, id })
  }
  return bases.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** @returns undefined if the file is missing or not what it should be */
export async function readJson<S extends z.ZodType>(
  archive: ArchiveStore,
  name: string,
  schema: S,
): Promise<z.infer<S> | undefined> {
  const bytes = await archive.get(name)
  if (!bytes) return undefined
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > JSON_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  try {
    return schema.parse(JSON.parse(Buffer.concat(chunks).toString()))
  } catch {
    return undefined
  }
}

/** Without an ended transaction this much WAL may wait. */
const IDLE_BYTES_MAX = 1024n ** 2n
const JSON_BYTES_MAX = 64 * 1024

/** Writes a small file. */
export async function putJson(archive: ArchiveStore, name: string, value: unknown): Promise<void> {
  async function* bytes() {
    yield Buffer.from(JSON.stringify(value))
  }
  await archive.put(name, bytes())
}

const segmentStart = (lsn: bigint, segmentBytes: number): bigint => (lsn / BigInt(segmentBytes)) * BigInt(segmentBytes)

/** pg_wal may be a link to another disk. */
const walOf = ({ cluster }: Running): Promise<string> => realpath(join(cluster, 'pg_wal'))

/** Facts of the running cluster. */
export async function clusterOf(sql: Database): Promise<Cluster> {
  const [row] = await sql<
    { system_identifier: string; wal_name: string; segment_bytes: number; version: number; flushed: string }[]
  >`select system_identifier::text, pg_walfile_name(pg_current_wal_lsn()) as wal_name,
      pg_size_bytes(current_setting('wal_segment_size')) as segment_bytes,
      current_setting('server_version_num')::int as version, pg_current_wal_flush_lsn()::text as flushed
    from pg_control_system()`
  if (!row) throw new Error('The cluster does not answer')
  return {
    system_identifier: row.system_identifier,
    // pg_control_checkpoint() names an earlier timeline for seconds after a promotion.
    timeline: Number.parseInt(row.wal_name.slice(0, 8), 16),
    segment_bytes: row.segment_bytes,
    postgres: Math.floor(row.version / 10_000),
    flushed: lsnOf(row.flushed),
  }
}
