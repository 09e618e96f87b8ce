import postgres from 'postgres'
import { storageFull } from '../core/disk-space.ts'
import { codeOf, isDiskFull, Problem } from '../core/errors.ts'
import type { PoolState } from '../core/metrics.ts'
import { takeTls } from '../core/tls-parameters.ts'

// patches/postgres@3.4.9.patch adds it.
declare module 'postgres' {
  // oxlint-disable-next-line no-unused-vars -- the parameters of a merged interface must be the same
  interface Sql<TTypes> {
    pool(): PoolState
  }
}

/** The pool or one transaction. */
export type Sql = postgres.ISql<{ bigint: number; time: string }>
export type Database = postgres.Sql<{ bigint: number; time: string }>
/** What `sql.json` takes. */
export type Json = postgres.JSONValue
export type Transaction = postgres.TransactionSql<{ bigint: number; time: string }>

const STATEMENT_SECONDS_MAX = 30
const TIME_LIMITS = {
  statement_timeout: STATEMENT_SECONDS_MAX * 1000,
  idle_in_transaction_session_timeout: STATEMENT_SECONDS_MAX * 1000,
}
/** The driver's types lack it: patches/postgres@3.4.9.patch adds it. */
const SETTING_LIMITS = {
  onconnect: Object.entries(TIME_LIMITS)
    .map(([name, limit]) => `set ${name} = ${limit};`)
    .join(' '),
}
/** Parameters that a connection begins with, and that poolers do not pass on. */
export const IGNORED_BY_POOLERS = Object.keys(TIME_LIMITS)
/** The application_name of a node's listening connection: whoever sends notices waits for the nodes that have one. */
export const NOTICE_LISTENER_NAME = 'parley-relay'

/** The bootstrap role of the embedded PostgreSQL, for what the application's role may not. */
export const SUPERUSER = 'parley'
/** The role of the server and its migrations in the embedded PostgreSQL; owns the database `parley`. */
export const APP_ROLE = 'parley_app'

export interface DatabaseAddress {
  url?: string
  /** Directory of the Unix socket of an embedded PostgreSQL; used when no url is given. */
  socket?: string
  database?: string
  /** APP_ROLE unless it says otherwise. */
  role?: typeof SUPERUSER | typeof APP_ROLE
}

/**
 * Opens a pool. Values are read as they go on the wire: bigint as number (ids stay below 2^53), times as ISO 8601 in
 * UTC.
 * @param connections how many connections at most
 * @param name the application_name
 * @param onClose called when a connection is lost
 * @param onNotify called with each NOTIFY that a connection listens for
 * @param life whether a connection is closed and opened anew now and then
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
    backoff: (attempts) => Math.min(0.1 * 2 ** attempts, 1),
    onnotice: () => {},
    onclose: onClose,
    // The driver's own listen() does not say when its connection is lost. `onnotify` is missing in its types.
    ...(onNotify ? { onnotify: onNotify } : {}),
    ...(life === 'unlimited' ? { max_lifetime: null } : {}),
    connection: {
      application_name: name,
      ...TIME_LIMITS,
    },
    // Once more, before the first statement: a pooler that was told to ignore them has swallowed them.
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
  const url = address.url === undefined ? undefined : new URL(address.url)
  // As in libpq: a `host` parameter that is a path is the directory of a Unix socket.
  const socket = address.socket ?? url?.searchParams.get('host')
  if (url && !socket?.startsWith('/')) {
    const ssl = takeTls(url, 'DATABASE_URL', 'disable')
    // The driver would hang, or take a standby for a primary; `reach` refuses what takes no writes.
    url.searchParams.delete('target_session_attrs')
    return postgres(url.href, { ...options, ssl })
  }
  return postgres({
    ...options,
    path: `${socket}/.s.PGSQL.${url?.port || 5432}`,
    database: address.database ?? (url ? url.pathname.slice(1) : 'parley'),
    username: url ? decodeURIComponent(url.username) : (address.role ?? APP_ROLE),
    password: url ? decodeURIComponent(url.password) : undefined,
  })
}

/** One connection that lives as long as its work takes. */
export const openLongConnection = (address: DatabaseAddress, name: string): Database =>
  openDatabase(address, 1, name, undefined, undefined, 'unlimited')

/** Writes a few pages and drops them, to find out whether there is space. */
export const writeProbe = (sql: Database): Promise<unknown> =>
  sql`create temporary table parley_probe on commit drop as
    select repeat(n::text, 4000) from generate_series(1000, 1009) n`

/** The name of the violated constraint, which is that of an error code where it can mean one. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.constraint_name : undefined
}

const LOST = new Set(['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'])
const LOST_SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'])

/** Whether the database was lost: the statement may or may not have been carried out. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined) return false
  // Class 57P: shutting down or starting up; 53300: no connection slot left; 08: connection exceptions.
  return LOST.has(code) || LOST_SYSTEM.has(code) || /^(57P0|08|53300)/.test(code)
}

/** Whether the database refused to write: a standby, one that was made read-only, or one whose disk is nearly full. */
const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006'

/** The problem that a database error means to a client, if any. */
export function databaseProblem(error: unknown): Problem | undefined {
  if (isReadOnly(error)) return new Problem('unavailable', 'The database takes no writes', { retry_after: 1 })
  if (isDatabaseAway(error)) return new Problem('unavailable', 'The database is away', { retry_after: 1 })
  if (isDiskFull(error)) return storageFull()
  // 57014: statement timeout; 55P03: lock timeout; 40P01: deadlock; 40001: serialization failure.
  if (error instanceof postgres.PostgresError && /^(57014|55P03|40P01|40001)$/.test(error.code))
    return new Problem('unavailable', 'The database is busy', { retry_after: 1 })
  // foreign_key_violation: the new row's parent was deleted after the caller's access to it was checked.
  if (error instanceof postgres.PostgresError && error.code === '23503') return new Problem('not_found')
}

/** Whether the database's own state made a statement fail, and not what it was asked. */
export function isDatabaseFault(error: unknown): boolean {
  const code = databaseProblem(error)?.code
  return code === 'unavailable' || code === 'storage_full'
}

/** Whether a statement waited too long for a lock, and so was undone. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

/** Whether the database refused a statement for what it says, and so undid it. */
export const isRefused = (error: unknown): boolean => error instanceof postgres.PostgresError && !isDatabaseFault(error)

/** The columns of a resource, named by its schema: `select ${columns(sql, Channel)} from channels`. */
export const columns = (sql: Sql, schema: { shape: Record<string, unknown> }, prefix = '') =>
  sql.unsafe(
    Object.keys(schema.shape)
      .map((name) => (prefix ? `${prefix}.${name}` : name))
      .join(', '),
  )
