import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RefusesToBoot, refuseToBoot } from '../../core/errors.ts'
import { openLog } from '../../core/log.ts'
import { openLongConnection } from '../../database/database.ts'
import { clusterOf, servedInstance } from '../../database/embedded-instance.ts'
import { startEmbeddedPostgres } from '../../database/embedded-postgres.ts'
import { takeTurn } from '../../database/file-lock.ts'
import type { Secrets } from '../../database/secrets.ts'
import type { Environment } from '../../environment.ts'
import { externalStore } from '../../storage/s3-store.ts'
import type { AskPassphrase } from '../archive.ts'
import { openTarget, restoreMark, type Target } from '../target.ts'
import { openArchive } from './open-archive.ts'
import { idOf, rememberArchive } from './own-archive.ts'
import { type ObjectCounts, putObjects } from './archived-objects.ts'
import { type Reached, Replay, unpackBase } from './recover.ts'
import { candidates, linesOf, pointOf, type RestorePoint } from './restore-points.ts'
import { keysOf, revoke, secretsOf } from './revocation.ts'
import { Damaged, Unsealer } from './sealing.ts'

/** Major version of PostgreSQL in this version of Parley, by the name of its package. */
const POSTGRES = 18

/** The result of a restore from the archive. */
export interface Restored extends ObjectCounts {
  /** ISO time of the state that was restored. */
  at: string
  /** The last change in it. */
  last: string | null
  /** Why it is earlier than asked for. */
  shortage: string | undefined
  hasSecrets: boolean
  /** Copies that were damaged, so that an earlier one was used. */
  passed: string[]
}

/**
 * Restores the embedded installation from the archive to a state of the past: everything or nothing.
 * @param to ISO time; undefined for the end of the archive
 * @param onStep called with what begins
 * @throws RefusesToBoot with one sentence that says why nothing was restored
 */
export async function restoreTo(
  environment: Environment,
  to: string | undefined,
  ask: AskPassphrase,
  signal: AbortSignal,
  onStep: (step: string) => void,
): Promise<Restored> {
  const archive = await openArchive(environment)
  if (!archive) throw new RefusesToBoot('Set WAL_ARCHIVE to the archive to restore from.')
  const unsealer = new Unsealer(archive, ask)
  const archiveId = await idOf(archive)
  const toMs = to === undefined ? undefined : Date.parse(to)
  const choices = candidates(await linesOf(archive), toMs)
  // Before anything is made.
  await unsealer.demandPassphrase(choices[0]?.line.line.check ?? null)
  const home = await Home.open(environment)
  try {
    const passed: string[] = []
    for (const { line, base } of choices) {
      signal.throwIfAborted()
      const point = await pointOf(archive, line, base, toMs)
      if (!point) {
        passed.push(`The changes made during the copy of ${base.at} are not in the archive`)
        continue
      }
      try {
        return { ...(await restorePoint(environment, unsealer, archiveId, point, to, home, signal, onStep)), passed }
      } catch (error) {
        if (!(error instanceof Damaged)) throw error
        passed.push(error.message)
        home.clear()
      }
    }
    throw new RefusesToBoot(`${passed.join('; ')}: there is no earlier copy for this time.`)
  } finally {
    home.close()
  }
}

async function restorePoint(
  environment: Environment,
  unsealer: Unsealer,
  archiveId: string | undefined,
  point: RestorePoint,
  to: string | undefined,
  home: Home,
  signal: AbortSignal,
  onStep: (step: string) => void,
): Promise<Omit<Restored, 'passed'>> {
  const { line, base, pieces } = point
  if (line.line.postgres !== POSTGRES)
    throw new RefusesToBoot(
      `The archive was written by PostgreSQL ${line.line.postgres}, but this version includes ${POSTGRES}: ` +
        `restore with Parley ${line.line.version}, and start this version then.`,
    )
  onStep(`Copy of ${base.at}, ${pieces.length} pieces of changes after it`)
  await unpackBase(unsealer, line.id, base.id, clusterOf(join(home.scratch, 'postgres')))
  const reached = await new Replay(unsealer, home.scratch, line.id, line.line, base, pieces, to, signal).run()
  onStep('Changes replayed')
  const target = await openTarget(environment)
  const store = await externalStore(environment)
  try {
    target.demandEmpty()
    const secrets = await secretsOf(unsealer, line.id).catch((error: unknown) => {
      if (error instanceof RefusesToBoot) return undefined
      throw error
    })
    const { socket, stop } = await startEmbeddedPostgres(home.scratch, openLog('silent'))
    let counts: ObjectCounts
    try {
      await revoke(socket)
      counts = await putObjects(keysOf(socket), unsealer, target, store, signal)
    } finally {
      await stop()
    }
    signal.throwIfAborted()
    home.settle(target, secrets, archiveId)
    return { ...counts, ...outcome(point, reached, to), last: reached.last, hasSecrets: secrets !== undefined }
  } catch (error) {
    await target.undo()
    throw error
  }
}

/** The time that was reached, and why it is not the one that was asked for. */
function outcome({ gap, pieces, line }: RestorePoint, { isTarget, damage }: Reached, to: string | undefined) {
  const iso = (ms: number) => new Date(ms).toISOString()
  if (isTarget && to !== undefined) return { at: to, shortage: undefined }
  const shortage = damage ?? gap
  if (shortage && !(to !== undefined && Date.parse(to) <= shortage.at))
    return { at: iso(shortage.at), shortage: shortage.message }
  return { at: to ?? iso(Math.max(line.endMs, pieces.at(-1)?.at ?? 0)), shortage: undefined }
}

/** The DATA_DIR to fill, with a scratch directory on the same disk, while no other program uses it. */
class Home {
  private constructor(
    private readonly dataDirectory: string,
    private readonly isNew: boolean,
    private readonly release: () => void,
  ) {}

  /** A whole DATA_DIR below DATA_DIR, whose cluster is moved in the end. */
  get scratch(): string {
    return join(this.dataDirectory, 'recovering')
  }

  /** @throws RefusesToBoot if a server runs or has accounts */
  static async open({ DATA_DIR }: Environment): Promise<Home> {
    const isNew = !existsSync(DATA_DIR)
    try {
      mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 })
    } catch (error) {
      refuseToBoot('DATA_DIR')(error)
    }
    if ((await servedInstance(DATA_DIR)) !== undefined)
      throw new RefusesToBoot('A server runs on this installation: stop it first.')
    const home = new Home(DATA_DIR, isNew, await takeTurn(DATA_DIR))
    try {
      await home.demandNoAccounts()
      home.clear()
      return home
    } catch (error) {
      home.close()
      throw error
    }
  }

  private get cluster(): string {
    return clusterOf(join(this.dataDirectory, 'postgres'))
  }

  private async demandNoAccounts(): Promise<void> {
    if (!existsSync(join(this.cluster, 'PG_VERSION'))) return
    const { socket, stop } = await startEmbeddedPostgres(this.dataDirectory, openLog('silent'))
    const sql = openLongConnection({ socket }, 'parley-restore')
    try {
      const [table] = await sql<{ there: boolean }[]>`select to_regclass('users') is not null as there`
      const [account] = table?.there ? await sql`select from users limit 1` : []
      if (account) throw new RefusesToBoot('This installation already has accounts: restore into an empty one.')
    } finally {
      await sql.end({ timeout: 1 })
      await stop()
    }
  }

  /** Removes what was unpacked, also by a restore that was killed. */
  clear(): void {
    rmSync(this.scratch, { recursive: true, force: true })
    mkdirSync(this.scratch, { mode: 0o700 })
  }

  /** Moves everything into place. If it is killed meanwhile, a server refuses to start until it is run again. */
  settle(target: Target, secrets: Secrets | undefined, archiveId: string | undefined): void {
    const mark = restoreMark({ DATA_DIR: this.dataDirectory })
    writeFileSync(mark, '', { flush: true, mode: 0o600 })
    try {
      target.finish(secrets)
      rmSync(this.cluster, { recursive: true, force: true })
      mkdirSync(join(this.dataDirectory, 'postgres'), { recursive: true, mode: 0o700 })
      rememberArchive(this.dataDirectory, archiveId)
      renameSync(clusterOf(join(this.scratch, 'postgres')), this.cluster)
      target.settle()
    } finally {
      rmSync(mark, { force: true })
    }
  }

  close(): void {
    rmSync(this.scratch, { recursive: true, force: true })
    this.release()
    const isUnused = !existsSync(join(this.cluster, 'PG_VERSION'))
    if (this.isNew && isUnused) rmSync(this.dataDirectory, { recursive: true, force: true })
  }
}

/**
 * Parses the time of `--to`: ISO 8601, in UTC unless it names an offset; undefined for `latest`.
 * @throws RefusesToBoot
 */
export function parseTo(text: string): string | undefined {
  if (text === 'latest') return undefined
  const [, date, time, offset = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)\s*(Z|[+-]\d{2}:\d{2})?$/.exec(text.trim()) ?? []
  const ms = Date.parse(`${date}T${time}${offset}`)
  if (date === undefined || Number.isNaN(ms))
    throw new RefusesToBoot('The time of --to is not usable: it is such as 2026-11-30T19:45:12Z, or latest.')
  return new Date(ms).toISOString()
}
