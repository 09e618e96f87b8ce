import { afterAll, expect, test } from 'bun:test'
import { chmodSync, chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeTls } from '../../src/core/tls-parameters.ts'
import { openDatabase } from '../../src/database/database.ts'
import { NOBODY } from '../../src/database/postgres-user.ts'
import { until } from '../support/harness.ts'
import { SPAWN_MS } from '../support/spawned.ts'
import { primaryAndStandby } from '../support/standby.ts'
import { selfSigned } from '../support/turn-client.ts'

const servers = await primaryAndStandby()
afterAll(() => Promise.all([servers?.primary.kill(), servers?.standby.kill()]))

const certificate = (name: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'certificate-'))
  chmodSync(directory, 0o755)
  const { TURN_TLS_CERT: cert, TURN_TLS_KEY: key } = selfSigned(directory, name)
  if (process.getuid?.() === 0) for (const path of [cert, key]) chownSync(path, NOBODY, NOBODY)
  chmodSync(key, 0o600)
  return { cert, key }
}

/** The kind of the connection: `tls`, `plain`, or the error. */
async function attempt(url: string): Promise<string> {
  const sql = openDatabase({ url }, 1)
  try {
    const [row] = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
    return row?.ssl ? 'tls' : 'plain'
  } catch {
    return 'refused'
  } finally {
    await sql.end({ timeout: 1 })
  }
}

test.skipIf(!servers)(
  'sslmode and sslrootcert in DATABASE_URL verify what libpq verifies',
  async () => {
    if (!servers) return
    const { primary } = servers
    const [own, other] = [certificate('localhost'), certificate('localhost')]
    primary.psql(`alter system set ssl_cert_file = '${own.cert}'`)
    primary.psql(`alter system set ssl_key_file = '${own.key}'`)
    primary.psql('alter system set ssl = on')
    primary.psql('select pg_reload_conf()')
    await until(async () => (await attempt(`${primary.url()}?sslmode=require`)) === 'tls')
    const named = primary.url().replace('127.0.0.1', 'localhost')
    const table: [url: string, expected: string][] = [
      [primary.url(), 'plain'],
      [`${primary.url()}?sslmode=prefer`, 'tls'],
      [`${primary.url()}?sslmode=verify-full`, 'refused'],
      [`${named}?sslmode=verify-full&sslrootcert=${own.cert}`, 'tls'],
      [`${named}?sslmode=verify-full&sslrootcert=${other.cert}`, 'refused'],
      // The certificate has another name.
      [`${primary.url()}?sslmode=verify-full&sslrootcert=${own.cert}`, 'refused'],
      [`${primary.url()}?sslmode=verify-ca&sslrootcert=${own.cert}`, 'tls'],
      [`${primary.url()}?sslmode=verify-ca&sslrootcert=${other.cert}`, 'refused'],
      [`${primary.url()}?sslmode=require&sslrootcert=${other.cert}`, 'refused'],
    ]
    for (const [url, expected] of table) expect([url, await attempt(url)]).toEqual([url, expected])
  },
  SPAWN_MS,
)

test('parameters of TLS that contradict each other, or name no file, are refused in one sentence', () => {
  for (const [query, why] of [
    ['sslmode=perhaps', 'sslmode is none of'],
    ['sslrootcert=/nowhere.pem', 'set sslmode=verify-full'],
    ['sslmode=prefer&sslrootcert=/nowhere.pem', 'set sslmode=verify-full'],
    ['sslmode=verify-full&sslrootcert=/nowhere.pem', 'sslrootcert cannot be read'],
    ['sslmode=require&sslrootcert=system', 'needs sslmode=verify-full'],
  ] as const)
    expect(() => takeTls(new URL(`postgres://a@b/c?${query}`), 'DATABASE_URL', 'disable')).toThrow(why)
})
