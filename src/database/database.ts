import postgres from 'postgres'
import { storageFull } from '../core/disk-space.ts'
import { type DatabaseUrl, parseDatabaseUrl } from '../core/database-url.ts'
import { codeOf, isDiskFull, Problem } from '../core/errors.ts'
import type { PoolState } from '../core/metrics.ts'
import { takeTls } from '../core/tls-parameters.ts'
import { servers } from './timelines.ts'

// patches/postgres@3.4.9.patch adds it.
declare module 'postgres' {
  // oxlint-disable-next-line no-unused-vars -- the parameters of a merged interface must be the same
  interface Sql<TTypes> {
    pool(): PoolState
    /** Closes the connections that were opened before this time, by performance.now(). What they do fails as lost. */
    dropOlder(time: number): void
  }
}

/** The pool or one transaction. */
export type Sql = postgres.ISql<{ bigint: number; time: string }>
export type Database = postgres.Sql<{ bigint: number; time: string }>
/** Values that `sql.json` accepts. */
export type Json = postgres.JSONValue
export type Transaction = postgres.TransactionSql<{ bigint: number; time: string }>

const STATEMENT_SECONDS_MAX = 30
/** How long a connection waits for each of several hosts. One that has lost its power does not answer at all. */
const HOST_SECONDS_MAX = 3
/** Pause before a connection is opened again. Requests wait for it after the database is back. */
const BACKOFF_SECONDS_MAX = 0.4
const TIME_LIMITS = {
  statement_timeout: STATEMENT_SECONDS_MAX * 1000,
  idle_in_transaction_session_timeout: STATEMENT_SECONDS_MAX * 1000,
}
/** Missing from the driver's types: patches/postgres@3.4.9.patch adds it. */
const SETTING_LIMITS = {
  onconnect: Object.entries(TIME_LIMITS)
    .map(([name, limit]) => `set ${name} = ${limit};`)
    .join(' '),
}
/** Missing, too: leaves former primaries out. */
const VETTED = { servers }
/** Startup parameters that poolers do not pass on. */
export const IGNORED_BY_POOLERS = Object.keys(TIME_LIMITS)
/** The application_name of a node's listening connection. Senders of notices wait for the nodes that have one. */
export const NOTICE_LISTENER_NAME = 'parley-relay'

/** Superuser of the embedded PostgreSQL, for work beyond the rights of the application's role. */
export const SUPERUSER = 'parley'
/** Role of the server and its migrations in the embedded PostgreSQL. Owns the database `parley`. */
export const APP_ROLE = 'parley_app'

export interface DatabaseAddress {
  url?: string
  /** Directory of an embedded PostgreSQL's Unix socket; used if no URL is set. */
  socket?: string
  database?: string
  /** A standby, from which only reads are expected. */
  isReplica?: boolean
  /** APP_ROLE by default. */
  role?: typeof SUPERUSER | typeof APP_ROLE
}

/**
 * Opens a pool. Values have their wire types: bigint as number (ids stay below 2^53), times as ISO 8601 in UTC.
 * @param connections pool size
 * @param name the application_name
 * @param onClose called when a connection is lost
 * @param onNotify called with each NOTIFY received
 * @param life whether connections are reopened periodically
 */
export function openDatabase(
  address: DatabaseAddress,
  connections: number,
  name = 'parley',
  onClose?: () => void,
  onNotify?: (channel: string, payload: string) => void,
  life: 'limited' | 'unlimited' = onNotify ? 'unlimited' : 'limited',
): Database {
  const options: postgres.Options<{ bigint: postgres.PostgresType<number>; time: postgres.PostgresType<string> }> = {
    max: connections,
    connect_timeout: 5,
    backoff: (attempts) => Math.min(0.1 * 2 ** attempts, BACKOFF_SECONDS_MAX),
    onnotice: () => {},
    onclose: onClose,
    // The driver's listen() does not report a lost connection. Its types lack `onnotify`.
    ...(onNotify ? { onnotify: onNotify } : {}),
    ...(life === 'unlimited' ? { max_lifetime: null } : {}),
    connection: {
      application_name: name,
      ...TIME_LIMITS,
    },
    // Repeated before the first statement, because a pooler may have been configured to ignore startup parameters.
    ...SETTING_LIMITS,
    types: {
      bigint: { to: 20, from: [20], serialize: (value: number) => String(value), parse: Number },
      time: {
        to: 1184,
        from: [1184],
        serialize: (value: string | Date) => (value instanceof Date ? value.toISOString() : value),
        parse: (value: string) => new Date(value).toISOString(),
      },
    },
  }
  const { url, hosts }: Partial<DatabaseUrl> = address.url === undefined ? {} : parseDatabaseUrl(address.url)
  // As in libpq: if `host` is a path, it is the directory of a Unix socket.
  const socket = address.socket ?? url?.searchParams.get('host')
  if (url && hosts && !socket?.startsWith('/')) {
    const ssl = takeTls(url, 'DATABASE_URL', 'disable', hosts.length > 1)
    // Whatever the URL says: by `read-write` the driver takes a standby for a primary.
    url.searchParams.delete('target_session_attrs')
    const servers = {
      host: hosts.map(({ host }) => host),
      port: hosts.map(({ port }) => port),
      connect_timeout: HOST_SECONDS_MAX,
    }
    // The driver's types know a single host only.
    const target = { ...(hosts.length > 1 ? servers : {}), target_session_attrs: 'primary' } as Pick<
      typeof options,
      'target_session_attrs'
    >
    if (address.isReplica) return postgres(url.href, { ...options, ssl })
    return postgres(url.href, { ...options, ssl, ...target, ...VETTED })
  }
  return postgres({
    ...options,
    path: `${socket}/.s.PGSQL.${url?.port || 5432}`,
    database: address.database ?? (url ? url.pathname.slice(1) : 'parley'),
    username: url ? decodeURIComponent(url.username) : (address.role ?? APP_ROLE),
    password: url ? decodeURIComponent(url.password) : undefined,
  })
}

/** A single connection without a limited lifetime. */
export const openLongConnection = (address: DatabaseAddress, name: string): Database =>
  openDatabase(address, 1, name, undefined, undefined, 'unlimited')

/** Writes a few pages and drops them, to test for free space. */
export const writeProbe = (sql: Database): Promise<unknown> =>
  sql`create temporary table parley_probe on commit drop as
    select repeat(n::text, 4000) from generate_series(1000, 1009) n`

/** The name of the violated constraint. It may equal an error code. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.constraint_name : undefined
}

const LOST = new Set(['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'])
const LOST_SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'])

/** True if the connection was lost: the statement may or may not have been executed. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined) return false
  // Class 57P: shutting down or starting up; 53300: no connection slot left; 08: connection exceptions.
  return LOST.has(code) || LOST_SYSTEM.has(code) || /^(57P0|08|53300)/.test(code)
}

/** True if the database is read-only: a standby, configured so, or nearly out of disk space. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006'

/** The problem to report for a database error, if any. */
export function databaseProblem(error: unknown): Problem | undefined {
  if (isReadOnly(error)) return new Problem('unavailable', 'The database is read-only', { retry_after: 1 })
  if (isDatabaseAway(error)) return new Problem('unavailable', 'The database is away', { retry_after: 1 })
  if (isDiskFull(error)) return storageFull()
  // 57014: statement timeout; 55P03: lock timeout; 40P01: deadlock; 40001: serialization failure.
  if (error instanceof postgres.PostgresError && /^(57014|55P03|40P01|40001)$/.test(error.code))
    return new Problem('unavailable', 'The database is busy', { retry_after: 1 })
  // A newer version changed the table of a prepared statement. Outside of transactions, the driver repeats it.
  if (error instanceof postgres.PostgresError && error.routine === 'RevalidateCachedQuery')
    return new Problem('unavailable', 'The database was upgraded', { retry_after: 1 })
  // foreign_key_violation: the new row's parent was deleted after the caller's access to it was checked.
  if (error instanceof postgres.PostgresError && error.code === '23503') return new Problem('not_found')
}

/** True if a statement failed because of the database's state, not because of its input. */
export function isDatabaseFault(error: unknown): boolean {
  const code = databaseProblem(error)?.code
  return code === 'unavailable' || code === 'storage_full'
}

/** True if a statement timed out waiting for a lock, and was undone. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

/** True if the database rejected a statement for its content, and undid it. */
export const isRefused = (error: unknown): boolean => error instanceof postgres.PostgresError && !isDatabaseFault(error)

/** The columns of a resource, derived from its schema: `select ${columns(sql, Channel)} from channels`. */
export const columns = (sql: Sql, schema: { shape: Record<string, unknown> }, prefix = '') =>
  sql.unsafe(
    Object.keys(schema.shape)
      .map((name) => (prefix ? `${prefix}.${name}` : name))
      .join(', '),
  )
