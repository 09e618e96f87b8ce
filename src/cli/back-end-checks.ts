import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type DatabaseHost, parseDatabaseUrl } from '../core/database-url.ts'
import { messageOf } from '../core/errors.ts'
import { demandAccess } from '../database/data-directory.ts'
import { openDatabase, type Sql } from '../database/database.ts'
import { demandOwnSessions, reach } from '../database/reach.ts'
import { secretsPath } from '../database/secrets.ts'
import type { Environment } from '../environment.ts'
import { type RedisAddress, redisAddressOf } from '../redis/address.ts'
import type { Check } from './doctor-checks.ts'

const READY_MS_MAX = 5_000

/** A thrown value as part of a sentence. */
const reasonOf = (error: unknown): string => messageOf(error).replace(/\.$/, '')

/** Checks the server's back end from this machine: its database, its Redis and its DATA_DIR. */
export async function checkBackEnd(environment: Environment): Promise<Check[]> {
  const [database, redis] = await Promise.all([checkDatabase(environment), checkRedis(environment)])
  return [...database, ...redis, ...checkDirectory(environment)]
}

async function checkDatabase({ DATABASE_URL }: Environment): Promise<Check[]> {
  if (DATABASE_URL === undefined) return []
  const { url, hosts } = parseDatabaseUrl(DATABASE_URL)
  const places = hosts.map(({ host, port }) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`))
  const name = `PostgreSQL at ${url.searchParams.get('host') ?? places.join(', ')}, a primary with separate sessions`
  try {
    const sql = openDatabase({ url: DATABASE_URL }, 2, 'parley-doctor')
    try {
      await reach(sql)
      await demandOwnSessions(sql)
      const [replication, trust] = [await replicationOf(sql), trustIn(url, hosts)]
      return [{ name }, { name: replication }, { name: trust }]
    } finally {
      await sql.end({ timeout: 1 })
    }
  } catch (error) {
    return [{ name, fault: reasonOf(error) }]
  }
}

async function replicationOf(sql: Sql): Promise<string> {
  const [row] = await sql<{ names: string; commit: string; standbys: number }[]>`
    select current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as commit,
      (select count(*)::int from pg_stat_replication) as standbys`
  const { names = '', commit = '', standbys = 0 } = row ?? {}
  if (standbys === 0) return 'replication: no standby'
  if (names !== '' && !['off', 'local'].includes(commit)) return `replication: synchronous (${names})`
  return 'replication: asynchronous, so that a take-over can lose what was sent last (docs/operating.md#a-standby)'
}

/** Describes the encryption of the connection and its peer. */
function trustIn({ searchParams }: URL, hosts: DatabaseHost[]): string {
  const mode = searchParams.get('sslmode') ?? (searchParams.get('sslrootcert') ? 'verify-full' : 'disable')
  const isHere = hosts.every(({ host }) => ['localhost', '127.0.0.1', '::1'].includes(host))
  const isNear = isHere || searchParams.get('host')?.startsWith('/')
  if (mode.startsWith('verify-')) return `certificate of PostgreSQL: verified (${mode})`
  if (isNear) return 'certificate of PostgreSQL: none is needed on this machine'
  return `certificate of PostgreSQL: not verified (sslmode=${mode}); sslmode=verify-full in DATABASE_URL does`
}

async function checkRedis(environment: Environment): Promise<Check[]> {
  const address = redisAddressOf(environment)
  if (address === undefined) return []
  const shared: Check = { name: 'files shared by several processes' }
  if (environment.S3_ENDPOINT === undefined)
    shared.fault = 'Redis connects several processes, and each keeps files in its own DATA_DIR: set S3_ENDPOINT'
  const { watch } = address
  const variable = watch ? 'REDIS_SENTINELS' : 'REDIS_URL'
  const name = watch ? `Redis ${watch.master}, by its Sentinels` : `Redis at ${new URL(address.url).host}, a primary`
  try {
    return [{ name, fault: await redisFault(address, variable) }, shared]
  } catch (error) {
    return [{ name, fault: reasonOf(error) }, shared]
  }
}

async function redisFault({ url, isCluster, watch }: RedisAddress, variable: string): Promise<string | undefined> {
  const { openRedis, unusable } = await import('../redis/client.ts')
  let lastError = 'no answer'
  const link = openRedis(
    url,
    'doctor',
    isCluster,
    (_level, _event, fields) => (lastError = String(fields?.error ?? lastError)),
    watch,
  )
  try {
    const ready = new Promise<true>((resolve) => link.onReady(() => resolve(true)))
    if (!(await Promise.race([ready, Bun.sleep(READY_MS_MAX)]))) return `${variable} is unreachable (${lastError})`
    const why = await unusable(link.commands)
    return why && `${variable} is not usable: ${why}`
  } finally {
    link.stop()
  }
}

function checkDirectory({ DATA_DIR }: Environment): Check[] {
  if (!existsSync(DATA_DIR)) return []
  const secrets = secretsPath(DATA_DIR)
  const umask = process.umask().toString(8).padStart(3, '0')
  const check: Check = { name: `DATA_DIR ${DATA_DIR}, with umask ${umask}` }
  try {
    demandAccess(DATA_DIR)
    if (existsSync(secrets) && (statSync(secrets).mode & 0o077) !== 0)
      check.fault = `other users may read ${secrets}: chmod 600 ${secrets}`
    if (existsSync(join(DATA_DIR, 'restoring'))) check.fault = 'a restore was interrupted: run it again'
  } catch (error) {
    check.fault = reasonOf(error)
  }
  return [check]
}
