import type { BackupFailure } from '../../backup/automatic.ts'
import { measureVolume } from '../../core/disk-space.ts'
import type { Database } from '../../database/database.ts'
import type { Caller } from '../../http/caller.ts'
import type { Parts } from '../../parts.ts'
import type { Installation } from '../operations/metrics.ts'
import { databaseState, objectStoreState, type OptionalStates } from '../operations/states.ts'
import type { PartHealth } from './model.ts'
import type { OutsideServers } from './outside.ts'

type Health = Omit<PartHealth, 'part'>

const ok = (state = 'ok'): Health => ({ level: 'ok', state })
const warning = (state: string): Health => ({ level: 'warning', state })
const error = (state: string): Health => ({ level: 'error', state })

/** An older backup counts as old. */
const BACKUP_HOURS_MAX = 48
/** The disk is low when less than this share is free, or less than this multiple of the minimum free space. */
const FREE_SHARE_MIN = 0.1
const FREE_TIMES_MIN = 2
const OVERDUE_HOURS_MAX = 24

const store = (state: 'ok' | 'full' | 'away'): Health => (state === 'ok' ? ok() : error(state))

async function diskHealth({ environment: { DATA_DIR, DISK_FREE_MIN_BYTES } }: Parts): Promise<Health> {
  const volume = await measureVolume(DATA_DIR)
  if (!volume) return warning('unknown')
  const { free_bytes, size_bytes } = volume
  if (free_bytes < DISK_FREE_MIN_BYTES) return error('full')
  const isLow = free_bytes < FREE_TIMES_MIN * DISK_FREE_MIN_BYTES || free_bytes < FREE_SHARE_MIN * size_bytes
  return isLow ? warning('low') : ok()
}

async function backupHealth({ backup }: Installation, failure: BackupFailure | undefined): Promise<Health> {
  const last = await backup.read()
  if (failure && !(last && last.finished_at > failure.at)) return error('failed')
  if ((await backup.readCheck())?.problem) return error('damaged')
  if (!last) return warning('none')
  return Date.now() - Date.parse(last.at) > BACKUP_HOURS_MAX * 3_600_000 ? warning('old') : ok()
}

function archiveHealth({ archive }: Installation): Health {
  const state = archive?.facts.state ?? 'off'
  if (state === 'off' || state === 'ok') return ok(state)
  return state === 'begins' ? warning(state) : error(state)
}

/** The health of a part that does not affect readiness. */
function optional(state: string): Health {
  if (['ok', 'ready', 'off'].includes(state)) return ok(state)
  return ['starting', 'building', 'restarting'].includes(state) ? warning(state) : error(state)
}

/** A mail that has been retried for this long is worth a warning. */
const MAIL_MINUTES_MAX = 5

async function mailHealth(sql: Database, outsideServers: OutsideServers): Promise<Health> {
  const state = await outsideServers.mailState()
  if (state !== 'ok') return optional(state)
  const [lateMail] = await sql`select 1 from mail_outbox
    where created_at < now() - ${MAIL_MINUTES_MAX} * interval '1 minute' limit 1`
  return lateMail ? warning('delayed') : ok()
}

function proxyHealth({ way }: Caller): Health {
  return way === 'direct' || way === 'named' ? ok(way) : warning(way)
}

/** The health of every part of this process and of the services that it needs. */
export async function healthOf(
  parts: Parts,
  states: OptionalStates,
  installation: Installation,
  failure: BackupFailure | undefined,
  outsideServers: OutsideServers,
  caller: Caller,
): Promise<PartHealth[]> {
  const [database, objects, disk, backup, mail, provider] = await Promise.all([
    databaseState(parts),
    objectStoreState(parts),
    diskHealth(parts),
    backupHealth(installation, failure),
    mailHealth(parts.sql, outsideServers),
    outsideServers.providerState(),
  ])
  const bus = parts.bus.state()
  const isOverdue = installation.retention.backlog.overdue_s > OVERDUE_HOURS_MAX * 3600
  return [
    { part: 'database', ...store(database) },
    { part: 'object_store', ...store(objects) },
    { part: 'disk', ...disk },
    { part: 'bus', ...(bus === 'ok' ? ok() : warning(bus)) },
    { part: 'backup', ...backup },
    { part: 'archive', ...archiveHealth(installation) },
    { part: 'retention', ...(isOverdue ? warning('overdue') : ok()) },
    { part: 'mail', ...mail },
    { part: 'identity_provider', ...optional(provider) },
    { part: 'turn', ...optional(states.turn()) },
    { part: 'sfu', ...optional(states.sfu()) },
    { part: 'proxy', ...proxyHealth(caller) },
  ]
}
