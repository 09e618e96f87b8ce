import { openLongConnection, type Sql } from '../../database/database.ts'
import { newSecrets, Secrets } from '../../database/secrets.ts'
import { parseEntry } from '../damage.ts'
import { objectKeys } from '../object-keys.ts'
import { REVOCABLE } from '../restore.ts'
import { HOLD, quoted } from '../tables.ts'
import { lineFolder } from './names.ts'
import type { Unsealer } from './sealing.ts'

/** Positions of work for other services, which went on after the time. */
const POSITIONS = ['preview_position', 'push_position']

/**
 * Makes a restored database safe to serve: what was revoked after its time stays revoked. The event log stays; the
 * cluster has a new timeline, so the next start lets nobody resume from it.
 */
export async function revoke(socket: string): Promise<void> {
  const sql = openLongConnection({ socket }, 'parley-restore')
  try {
    await sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`
      const tables = await existing(tx, [...REVOCABLE, ...POSITIONS])
      if (tables.length > 0) await tx.unsafe(`truncate ${tables.map(quoted).join(', ')}`)
      if ((await existing(tx, ['scheduled_messages'])).length > 0) await tx.unsafe(HOLD)
    })
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Tables that exist; databases of earlier versions lack some. */
async function existing(sql: Sql, names: string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${names}::text[]) name where to_regclass(quote_ident(name)) is not null`
  return rows.map(({ name }) => name)
}

/** The secrets of the archive, with a new key for session tokens; undefined if it has none. @throws Damaged */
export async function secretsOf(unsealer: Unsealer, line: string): Promise<Secrets | undefined> {
  const bytes = await unsealer.unpack(`${lineFolder(line)}/secrets`)
  if (!bytes) return undefined
  const text = Buffer.concat(await Array.fromAsync(bytes))
  const archived = parseEntry(Secrets.partial(), text, 'secrets')
  const fresh = newSecrets()
  return { ...fresh, ...archived, jwt: fresh.jwt }
}

/** The keys of the objects that a restored database names. */
export async function* keysOf(socket: string): AsyncGenerator<{ key: string; optional: boolean }> {
  const sql = openLongConnection({ socket }, 'parley-restore')
  const connection = await sql.reserve()
  try {
    await connection`set statement_timeout = 0`
    await connection`set idle_in_transaction_session_timeout = 0`
    await connection`begin`
    yield* objectKeys(connection, '-infinity')
  } finally {
    connection.release()
    await sql.end({ timeout: 1 })
  }
}
