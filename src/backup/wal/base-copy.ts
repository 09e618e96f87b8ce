import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import type { Database } from '../../database/database.ts'
import { padding, TAR_END, tarHeader } from '../tar.ts'
import type { ArchiveStore } from './archive-store.ts'
import { type Base, lsnOf } from './names.ts'
import type { Sealer } from './sealing.ts'

const READ_BYTES = 256 * 1024
/** Directories that are copied empty. Source: PostgreSQL, basebackup.c, excludeDirContents; and pg_wal. */
const EMPTY = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
/** Files that belong to the running server. Source: PostgreSQL, basebackup.c, excludeFiles. */
const LEFT_OUT = new RegExp(
  String.raw`^(?:postmaster\.(?:pid|opts)|backup_(?:label|manifest)(?:\.old)?|tablespace_map(?:\.old)?|` +
    String.raw`(?:standby|recovery)\.signal|pg_internal\.init.*|(?:current_logfiles|postgresql\.auto\.conf)\.tmp|` +
    String.raw`pgsql_tmp.*|t\d+_\d+.*)$`,
)
/** Files of a relation, of which an unlogged one has an `_init` fork too; it is empty after a recovery. */
const RELATION = /^(\d+)(?:_(?:fsm|vm))?(?:\.\d+)?$/
/** Names that the tar takes; PostgreSQL has no others. */
const NAME = /^[\w./-]{1,99}$/
export const LABEL = 'backup_label'

/**
 * Copies a running cluster into the archive, without stopping it: the WAL from its beginning to its end makes the copy
 * consistent.
 * @param connection a superuser's only connection: the copy ends with it
 * @param isFast if true, the checkpoint at its beginning takes place at once
 * @throws Error with a sentence if the cluster has parts elsewhere
 */
export async function copyCluster(
  connection: Database,
  cluster: string,
  archive: ArchiveStore,
  name: string,
  sealer: Sealer,
  isFast: boolean,
  signal: AbortSignal,
): Promise<{ base: Base; bytes: number }> {
  await connection`set statement_timeout = 0`
  await demandNoTablespaces(connection)
  const [begun] = await connection<{ start: string; began_at: string }[]>`
    select pg_backup_start('parley', ${isFast})::text as start, clock_timestamp() as began_at`
  if (!begun) throw new Error('The copy did not begin')
  const copy = new ClusterCopy(connection, cluster)
  const bytes = await archive.put(`${name}.tar.zst`, sealer.packStream(copy.tar()), signal)
  const { stop = '', at = '' } = copy.stopped ?? {}
  const base = { version: VERSION, began_at: begun.began_at, at, start: lsnOf(begun.start), stop: lsnOf(stop) }
  return { base, bytes }
}

/** Their files are outside of the cluster. The server's role cannot create any. */
async function demandNoTablespaces(connection: Database): Promise<void> {
  const [tablespace] = await connection<{ name: string }[]>`
    select spcname as name from pg_tablespace where spcname not in ('pg_default', 'pg_global') limit 1`
  if (tablespace) throw new Error(`The tablespace ${tablespace.name} cannot be archived: move its tables and drop it`)
}

class ClusterCopy {
  stopped: { stop: string; label: string; at: string } | undefined

  constructor(
    private readonly connection: Database,
    private readonly cluster: string,
  ) {}

  /** The files of the cluster. The last entry is the label, which PostgreSQL gives when everything else was read. */
  async *tar(): AsyncGenerator<Buffer> {
    yield* this.folder('')
    // The state of the last checkpoint comes after all files.
    yield* this.file('global/pg_control')
    const [stopped] = await this.connection<{ stop: string; label: string; at: string }[]>`
      select lsn::text as stop, labelfile as label, clock_timestamp() as at from pg_backup_stop(false)`
    if (!stopped) throw new Error('The copy did not end')
    this.stopped = stopped
    const label = Buffer.from(stopped.label)
    yield tarHeader(LABEL, label.length)
    yield label
    yield padding(label.length)
    yield TAR_END
  }

  private async *folder(folder: string): AsyncGenerator<Buffer> {
    if (folder !== '') yield tarHeader(`${folder}/`, 0)
    if (folder === 'pg_wal') yield tarHeader('pg_wal/archive_status/', 0)
    if (EMPTY.has(folder)) return
    const names = (await readdir(join(this.cluster, folder)).catch(unlessVanished)) ?? []
    const unlogged = new Set(names.flatMap((name) => /^(\d+)_init$/.exec(name)?.[1] ?? []))
    for (const name of names.sort()) {
      const path = folder === '' ? name : `${folder}/${name}`
      const relation = RELATION.exec(name)?.[1]
      if (LEFT_OUT.test(name) || path === 'global/pg_control' || !NAME.test(path)) continue
      if (folder.startsWith('base/') && relation !== undefined && unlogged.has(relation)) continue
      const stat = await lstat(join(this.cluster, path)).catch(unlessVanished)
      if (stat?.isDirectory() || (stat?.isSymbolicLink() && path === 'pg_wal')) yield* this.folder(path)
      else if (stat?.isSymbolicLink()) throw new Error(`${path} is a link out of the cluster and cannot be archived`)
      else if (stat?.isFile()) yield* this.file(path)
    }
  }

  /**
   * A file as large as it is now. PostgreSQL may write it, shorten it or remove it meanwhile: the WAL has what it does,
   * so the bytes do not matter where it is shorter.
   */
  private async *file(path: string): AsyncGenerator<Buffer> {
    const file = await open(join(this.cluster, path), constants.O_RDONLY | constants.O_NOFOLLOW).catch(unlessVanished)
    if (!file) return
    try {
      const { size } = await file.stat()
      yield tarHeader(path, size)
      yield* exactly(file, size)
      yield padding(size)
    } finally {
      await file.close()
    }
  }
}

async function* exactly(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    const chunk = Buffer.allocUnsafe(Math.min(READ_BYTES, size - at))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) chunk.fill(0)
    const length = bytesRead || chunk.length
    yield chunk.subarray(0, length)
    at += length
  }
}

function unlessVanished(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}
