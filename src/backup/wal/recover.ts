import { lchown, mkdir, open, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RefusesToBoot } from '../../core/errors.ts'
import { isDatabaseAway } from '../../database/database.ts'
import { clusterOf } from '../../database/embedded-instance.ts'
import { isRoot } from '../../database/postgres-user.ts'
import { type RecoveringPostgres, startRecovery } from '../../database/recovering-postgres.ts'
import { readTar } from '../tar.ts'
import { LABEL } from './base-copy.ts'
import type { WrittenBase } from './line-writer.ts'
import { baseFolder, type Line, lsnOf, type Piece, segmentName, walFolder } from './names.ts'
import { Damaged, type Unsealer } from './sealing.ts'

/** Segments in pg_wal that have not been replayed. */
const AHEAD = 32n
const POLL_MS = 50

/**
 * Unpacks a full copy into an empty cluster directory.
 * @throws Damaged
 */
export async function unpackBase(unsealer: Unsealer, line: string, id: string, cluster: string): Promise<void> {
  const name = `${baseFolder(line)}/${id}.tar.zst`
  const bytes = await unsealer.unpack(name)
  if (!bytes) throw new Damaged(`${name} is missing in the archive`)
  await mkdir(cluster, { recursive: true, mode: 0o700 })
  let isComplete = false
  for await (const entry of damagedAs(name, readTar(bytes))) {
    if (!/^[\w./-]{1,99}$/.test(entry.name) || entry.name.split('/').includes('..') || entry.name.startsWith('/'))
      throw new Damaged(`${name} in the archive is damaged`)
    const path = join(cluster, entry.name)
    if (entry.name.endsWith('/')) {
      await mkdir(path, { recursive: true, mode: 0o700 })
      continue
    }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of entry.bytes)
        for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
    } finally {
      await file.close()
    }
    isComplete = entry.name === LABEL
  }
  if (!isComplete) throw new Damaged(`${name} in the archive is incomplete`)
  await writeFile(join(cluster, 'standby.signal'), '', { mode: 0o600 })
}

async function* damagedAs<T>(name: string, entries: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* entries
  } catch (error) {
    // The reader of tars names neither the file nor the archive.
    if (error instanceof RefusesToBoot && !(error instanceof Damaged))
      throw new Damaged(`${name} in the archive is damaged`)
    throw error
  }
}

/** The end of a replay. */
export interface Reached {
  /** The last change that was replayed; null if there was none. */
  last: string | null
  /** True if the target time was reached, false if the WAL ended before. */
  isTarget: boolean
  /** A part of the archive before which the replay ended. */
  damage: { message: string; at: number } | undefined
}

/** Replays the pieces of a line on an unpacked copy, up to a time, and makes the result a cluster of its own. */
export class Replay {
  private segment: { number: bigint; parts: [offset: number, bytes: Buffer][] } | undefined
  /** Whole segments that wait for the piece that ends their last record. PostgreSQL must not see what comes after. */
  private staged: bigint[] = []
  private recovering: RecoveringPostgres | undefined
  /** The last piece before the damage that ends with a whole record. */
  private damage: { message: string; at: number; end: bigint } | undefined

  /**
   * @param dataDirectory the parent of `postgres/cluster`
   * @param pieces without a gap, from the segment on in which the copy began; the last one ends with a whole record
   * @param to ISO time; undefined replays everything
   */
  constructor(
    private readonly unsealer: Unsealer,
    private readonly dataDirectory: string,
    private readonly lineId: string,
    private readonly line: Line,
    private readonly base: WrittenBase,
    private readonly pieces: Piece[],
    private readonly to: string | undefined,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws RefusesToBoot if PostgreSQL refuses, Damaged if the copy cannot be used */
  async run(): Promise<Reached> {
    const timeline = { recovery_target_timeline: 'current' }
    // PostgreSQL reads it before it knows the abbreviation Z.
    const time = this.to?.replace('T', ' ').replace('Z', '+00')
    const target = { recovery_target_time: time ?? '', recovery_target_action: 'pause' }
    this.recovering = await startRecovery(
      this.dataDirectory,
      time === undefined ? timeline : { ...timeline, ...target },
    )
    try {
      const isTarget = (await this.feed()) || (await this.waitForEnd())
      const last = await this.lastChange()
      if (!isTarget && time !== undefined) {
        // PostgreSQL refuses to be promoted before its target. The WAL has nothing after the time.
        await this.recovering.stop()
        this.recovering = await startRecovery(this.dataDirectory, timeline)
        await this.waitForEnd()
      }
      const { sql } = this.recovering
      await sql`set statement_timeout = 0`
      await sql`select pg_promote(true, 3600)`
      return { last, isTarget, damage: isTarget ? undefined : this.damage }
    } finally {
      await this.recovering.stop()
    }
  }

  private async lastChange(): Promise<string | null> {
    const [row] = (await this.recovering?.sql.unsafe<{ last: string | null }[]>(
      'select pg_last_xact_replay_timestamp() as last',
    )) ?? [undefined]
    return row?.last ?? null
  }

  /** Puts segments into pg_wal, not too far ahead of the replay. @returns true if the target was reached before all */
  private async feed(): Promise<boolean> {
    const size = BigInt(this.line.segment_bytes)
    for (const piece of this.pieces) {
      this.signal.throwIfAborted()
      const number = piece.from / size
      if (this.segment && this.segment.number !== number) await this.stage()
      this.segment ??= { number, parts: [] }
      const bytes = await this.read(piece).catch((error: unknown) => this.endBefore(piece, error))
      if (!bytes) break
      this.segment.parts.push([Number(piece.from % size), bytes])
      if (piece.at === undefined) continue
      await this.release()
      // Before it is consistent it takes no questions: it gets everything up to there.
      while (piece.from > this.base.stop) {
        const state = await this.state()
        if (state?.isPaused) return true
        if (state && piece.from / size <= state.replayed / size + AHEAD) break
        await Bun.sleep(POLL_MS)
      }
    }
    await this.stage()
    if (this.damage) await this.cut(this.damage.end)
    await this.release()
    return false
  }

  /** Ends the replay before a damaged piece. @throws Damaged if the copy is not consistent there yet */
  private endBefore(piece: Piece, error: unknown): undefined {
    if (!(error instanceof Damaged)) throw error
    const last = this.pieces.findLast(({ to, at }) => to <= piece.from && at !== undefined)
    if (last?.at === undefined || last.to < this.base.stop) throw error
    this.damage = { message: error.message, at: last.at, end: last.to }
  }

  private async waitForEnd(): Promise<boolean> {
    const end = this.damage?.end ?? this.pieces.at(-1)?.to ?? 0n
    for (;;) {
      this.signal.throwIfAborted()
      const state = await this.state()
      if (state?.isPaused) return true
      if (state && state.replayed >= end) return false
      await Bun.sleep(POLL_MS)
    }
  }

  /** Undefined while PostgreSQL takes no questions. */
  private async state(): Promise<{ isPaused: boolean; replayed: bigint } | undefined> {
    const { recovering } = this
    if (!recovering) return undefined
    recovering.demandRunning()
    try {
      const [row] = await recovering.sql<{ paused: boolean; lsn: string | null }[]>`
        select pg_get_wal_replay_pause_state() = 'paused' as paused, pg_last_wal_replay_lsn()::text as lsn`
      return row && { isPaused: row.paused, replayed: lsnOf(row.lsn ?? '0/0') }
    } catch (error) {
      if (isDatabaseAway(error)) return undefined
      throw error
    }
  }

  private async read(piece: Piece): Promise<Buffer> {
    const name = `${walFolder(this.lineId)}/${piece.name}`
    const bytes = await this.unsealer.unpack(name)
    if (!bytes) throw new Damaged(`${name} is missing in the archive`)
    const whole = Buffer.concat(await Array.fromAsync(limited(bytes, this.line.segment_bytes)))
    if (BigInt(whole.length) !== piece.to - piece.from) throw new Damaged(`${name} in the archive is damaged`)
    return whole
  }

  private nameOf(number: bigint): string {
    const { timeline, segment_bytes } = this.line
    return segmentName(timeline, number * BigInt(segment_bytes), segment_bytes)
  }

  private stagedPath(number: bigint): string {
    return join(this.dataDirectory, this.nameOf(number))
  }

  /** Writes the current segment next to the cluster. What it lacks is zeros. */
  private async stage(): Promise<void> {
    const { segment, line } = this
    this.segment = undefined
    if (!segment) return
    const file = await open(this.stagedPath(segment.number), 'w', 0o600)
    try {
      for (const [offset, bytes] of segment.parts)
        for (let at = 0; at < bytes.length;)
          at += (await file.write(bytes, at, bytes.length - at, offset + at)).bytesWritten
      await file.truncate(line.segment_bytes)
    } finally {
      await file.close()
    }
    this.staged.push(segment.number)
  }

  /** Removes what was staged after a position. */
  private async cut(end: bigint): Promise<void> {
    const size = BigInt(this.line.segment_bytes)
    const [last, offset] = [end / size, end % size]
    for (const number of this.staged.filter((staged) => staged > last || (staged === last && offset === 0n)))
      await rm(this.stagedPath(number))
    this.staged = this.staged.filter((staged) => staged < last || (staged === last && offset > 0n))
    if (this.staged.at(-1) !== last) return
    await truncate(this.stagedPath(last), Number(offset))
    await truncate(this.stagedPath(last), this.line.segment_bytes)
  }

  /** Moves the staged segments to where PostgreSQL looks for them. */
  private async release(): Promise<void> {
    const directory = join(clusterOf(join(this.dataDirectory, 'postgres')), 'pg_wal')
    for (const number of this.staged.splice(0)) {
      const path = this.stagedPath(number)
      await giveLike(path, directory)
      await rename(path, join(directory, this.nameOf(number)))
    }
  }
}

/** Gives a file the owner of its directory. */
async function giveLike(path: string, directory: string): Promise<void> {
  if (!isRoot) return
  const { uid, gid } = await stat(directory)
  await lchown(path, uid, gid)
}

/** The bytes up to a limit, and one chunk more: a damaged piece must not fill the memory. */
async function* limited(bytes: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of bytes) {
    yield chunk
    length += chunk.length
    if (length > bytesMax) return
  }
}
