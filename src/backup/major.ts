import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, RefusesToBoot } from '../core/errors.ts'
import { openLog, type Log } from '../core/log.ts'
import { clusterOf } from '../database/embedded-instance.ts'
import { type Binaries, findBinaries, startEmbeddedPostgres } from '../database/embedded-postgres.ts'
import type { Environment } from '../environment.ts'
import { backupDirectory, backupName } from './files.ts'
import { makeBackup } from './make-backup.ts'
import { passphraseOf } from './passphrase.ts'
import { restore } from './restore.ts'
import { sourceOf } from './source.ts'
import type { Target } from './target.ts'

/** Debian's packages install each major version's programs here. */
const DEBIAN = '/usr/lib/postgresql'

/** Secrets and objects stay in place. */
const NOTHING_BESIDE: Target = {
  keepsSecrets: true,
  demandEmpty() {},
  async put() {},
  finish() {},
  settle() {},
  async undo() {},
}

/**
 * Moves the data of an embedded PostgreSQL of another major version to this version's, by a backup and a restore. The
 * old cluster stays next to the new one, and stays in use if the process is killed.
 * @throws RefusesToBoot if the programs of the old major version are missing, or the move fails
 */
export async function moveToOwnMajor(environment: Environment, log: Log): Promise<void> {
  const home = join(environment.DATA_DIR, 'postgres')
  const cluster = clusterOf(home)
  // A temporary DATA_DIR for the new cluster.
  const moving = join(environment.DATA_DIR, 'moving')
  const complete = join(moving, 'complete')
  if (existsSync(complete)) return exchange(cluster, moving, readFileSync(complete, 'utf8'))
  if (!existsSync(join(cluster, 'PG_VERSION'))) return
  const dataMajor = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  const ownMajor = majorOf((await findBinaries(environment.DATA_DIR)).postgres)
  if (dataMajor === ownMajor) return
  const programs = programsOf(dataMajor)
  if (!programs)
    throw new RefusesToBoot(
      `The data belongs to PostgreSQL ${dataMajor}, but this version includes ${ownMajor}: install Debian’s ` +
        `package postgresql-${dataMajor} and start again, or start the previous version and move with ` +
        `bun run backup and restore.`,
    )
  log('info', 'postgres.moving', { from: dataMajor, to: ownMajor })
  rmSync(moving, { recursive: true, force: true })
  mkdirSync(moving, { mode: 0o700 })
  try {
    const path = await backUpOld(environment, programs, log)
    await fillNew(environment, moving, path)
  } catch (error) {
    rmSync(moving, { recursive: true, force: true })
    throw new RefusesToBoot(`The data cannot be moved to PostgreSQL ${ownMajor}: ${messageOf(error)}`)
  }
  writeFileSync(complete, dataMajor)
  exchange(cluster, moving, dataMajor)
  log('info', 'postgres.moved', { from: dataMajor, to: ownMajor, kept: `${cluster}-${dataMajor}` })
}

/** Replaces the old cluster by the new one. After a crash between the two renames, both are repeated. */
function exchange(cluster: string, moving: string, dataMajor: string): void {
  const newCluster = clusterOf(join(moving, 'postgres'))
  if (existsSync(newCluster)) {
    if (existsSync(cluster)) renameSync(cluster, `${cluster}-${dataMajor}`)
    renameSync(newCluster, cluster)
  }
  rmSync(moving, { recursive: true, force: true })
}

async function backUpOld(environment: Environment, programs: Binaries, log: Log): Promise<string> {
  const old = await startEmbeddedPostgres(environment.DATA_DIR, log, programs)
  try {
    const passphrase = await passphraseOf(environment)
    const name = backupName('upgrade', new Date(), passphrase !== undefined)
    const path = join(backupDirectory(environment), name)
    const { signal } = new AbortController()
    const source = await sourceOf(environment, { socket: old.socket })
    await makeBackup(source, { objects: 'none', secrets: true }, { kind: 'upgrade', path, passphrase, signal })
    return path
  } finally {
    await old.stop()
  }
}

async function fillNew(environment: Environment, moving: string, path: string): Promise<void> {
  const { socket, stop } = await startEmbeddedPostgres(moving, openLog('silent'))
  const ask = async () => (await passphraseOf(environment)) ?? ''
  const { signal } = new AbortController()
  // Sessions are safe to keep: the old cluster ran only for the backup, so none was revoked since.
  const options = { ask, keepSessions: true, earlier: [], check: true, signal }
  await restore(path, { socket }, NOTHING_BESIDE, options, () => {}).finally(stop)
}

/** The major version of PostgreSQL's program, as in PG_VERSION. */
function majorOf(postgres: string): string {
  const { stdout } = Bun.spawnSync([postgres, '--version'])
  return /(\d+)/.exec(stdout.toString())?.[1] ?? ''
}

function programsOf(major: string): Binaries | undefined {
  const bin = join(DEBIAN, /^\d+$/.test(major) ? major : 'none', 'bin')
  const programs = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
  return existsSync(programs.postgres) ? programs : undefined
}
