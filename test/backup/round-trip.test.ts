import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog } from '../../src/core/log.ts'
import { openDatabase } from '../../src/database/database.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'
import { lastBackup } from '../../src/backup/record.ts'
import type { Manifest } from '../../src/backup/manifest.ts'
import {
  answersTo,
  done,
  emptyTables,
  expectContents,
  fill,
  type Filled,
  login,
  manifestOf,
  startOn,
} from '../support/backups.ts'
import { debianPostgres } from '../support/debian-postgres.ts'
import { call, type Person, say, stop } from '../support/harness.ts'
import type { Parley } from '../../src/parley.ts'
import { goOffline, isResumed, resume } from '../support/resuming.ts'
import { foreignS3 } from '../support/object-stores.ts'
import { dataDirectory } from '../support/spawned.ts'

const ROUND_TRIP_MS = 600_000
const directory = mkdtempSync(join(tmpdir(), 'backups-'))
/** Tables that a restore omits by design. */
const FRESH = [
  'backup_checks',
  'backups',
  'calendar_feeds',
  'claim_links',
  'discord_sessions',
  'event_log_origin',
  'events',
  'interactions',
  'mail_outbox',
  'mail_tokens',
  'migrations',
  'pending_logins',
  'preview_position',
  'prunes',
  'push_outbox',
  'push_places',
  'push_position',
  'push_subscriptions',
  'secrets',
  'sessions',
  'spent_challenges',
  'webhook_tokens',
  'ws_tickets',
]

/** Rows in these tables are pending work that a running server does and removes. */
const PASSING = [
  'author_prunes',
  'ban_sweeps',
  'erasures',
  'file_cleanings',
  'profile_announcements',
  'verification_sweeps',
]

/** The digests of the rows that a restore brings back, and of the objects. */
const contentOf = ({ tables, objects }: Manifest) => ({
  objects,
  tables: Object.fromEntries(Object.entries(tables).filter(([name]) => !FRESH.includes(name))),
})

/** Leaves pending work for a server that does not run. */
async function leaveWork(DATA_DIR: string, { alice, mallory }: Filled): Promise<void> {
  const { socket, stop: end } = await startEmbeddedPostgres(DATA_DIR, openLog('silent'))
  const sql = openDatabase({ socket }, 1)
  await sql`insert into erasures (user_id) values (${mallory.id})`
  await sql`insert into profile_announcements (user_id, after_id) values (${alice.id}, 1000000)`
  await sql`insert into ban_sweeps (server_id, user_id, actor_id, since)
    select id, ${mallory.id}, ${alice.id}, now() from servers limit 1`
  await sql`insert into author_prunes (server_id, user_id, actor_id, channel_ids, since, until_id, before_id)
    select id, ${mallory.id}, ${alice.id}, '{}', now(), 1, 1 from servers limit 1`
  await sql`insert into verification_sweeps (server_id, binds_all) select id, false from servers limit 1`
  await sql`insert into file_cleanings (file_id) select id from files limit 1`
  await sql.end()
  await end()
}

/** Sends one message after another until it is stopped. @returns the acknowledged ids */
function keepSending(who: Person, channelId: number) {
  let hasEnded = false
  const sent: number[] = []
  const sending = (async () => {
    while (!hasEnded) sent.push((await say(who, channelId, `Under load ${sent.length}`)).id)
  })()
  return async () => {
    hasEnded = true
    await sending
    return sent
  }
}

async function expectSame(parley: Parley, filled: Filled, before: unknown[]): Promise<void> {
  const [alice, bob] = [await login(parley, filled.alice), await login(parley, filled.bob)]
  expect(await answersTo(parley, alice, filled)).toEqual(before)
  const owner = new Map(before.flatMap(({ path, status }: any) => (status === 200 ? [[path, alice] as const] : [])))
  // The rules of the server work, and who is quarantined stays so.
  const channel = `/api/channels/${filled.channel_id}/messages`
  const codeOf = async (content: string) =>
    (await call(parley, 'POST', channel, { token: bob, body: { content, nonce: randomUUID() } })).body.code
  expect(await codeOf('A zyzzyva')).toBe('automod_blocked')
  const members = await parley.parts.sql`select held_back from members where held_back is not null`
  expect([...members]).toEqual([{ held_back: 'quarantined' }] as never)
  await expectContents(parley, (id) => owner.get(`/api/files/${id}`) ?? bob, filled)
}

test(
  'a backup under load goes embedded → embedded → PostgreSQL 15 and S3 → embedded: rows, objects, answers the same',
  async () => {
    const first = { DATA_DIR: dataDirectory() }
    const a = await startOn(first)
    const filled = await fill(a)
    expect(await emptyTables(a)).toEqual(PASSING)
    const s = await goOffline(filled.alice)

    const one = join(directory, 'one.tar.zst')
    const endSending = keepSending(filled.bob, filled.channel_id)
    const output = await done('backup', first, one).finally(endSending)
    expect(await endSending()).not.toHaveLength(0)
    expect(output).toMatch(/\d+ rows .* 20 objects/)
    expect(statSync(one).mode & 0o777).toBe(0o600)
    expect(await lastBackup(a.parts.sql)).toMatchObject({ kind: 'manual', file: 'one.tar.zst', is_encrypted: false })
    await stop(a)

    const second = { DATA_DIR: dataDirectory() }
    await done('restore', second, one)
    const copy = join(directory, 'copy.tar.zst')
    await done('backup', second, copy)
    expect(contentOf(await manifestOf(copy))).toEqual(contentOf(await manifestOf(one)))
    await leaveWork(second.DATA_DIR, filled)
    const two = join(directory, 'two.tar.zst')
    await done('backup', second, two)
    for (const table of PASSING) expect((await manifestOf(two)).tables[table]?.rows).toBe(1)

    const b = await startOn(second)
    const old = await call(b, 'GET', '/api/auth/me', { token: filled.alice.token })
    expect([old.status, old.body.code]).toEqual([401, 'unauthorized'])
    filled.alice.token = await login(b, filled.alice)
    const before = await answersTo(b, filled.alice.token, filled)
    const returned = await resume(Object.assign(filled.alice, { parley: b }), s)
    expect(isResumed(returned)).toBe(false)
    returned.close()
    await stop(b)

    const postgres = await debianPostgres()
    if (!postgres) return
    const s3 = await foreignS3()
    const third = { DATA_DIR: dataDirectory(), DATABASE_URL: postgres.url, ...s3.variables }
    await done('restore', third, two)
    const three = join(directory, 'three.tar.zst')
    await done('backup', third, three, '--objects=all')
    expect(contentOf(await manifestOf(three))).toEqual(contentOf(await manifestOf(two)))
    const c = await startOn(third)
    await expectSame(c, filled, before)
    await stop(c)

    const fourth = { DATA_DIR: dataDirectory() }
    await done('restore', fourth, three)
    const d = await startOn(fourth)
    await expectSame(d, filled, before)
    await stop(d)
    await Promise.all([postgres.stop(), s3.stop()])
    expect(readFileSync(join(fourth.DATA_DIR, 'secrets.json'), 'utf8')).not.toBe(
      readFileSync(join(first.DATA_DIR, 'secrets.json'), 'utf8'),
    )
  },
  ROUND_TRIP_MS,
)
