import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AutomaticBackups } from '../../src/backup/automatic.ts'
import { openDump } from '../../src/backup/dump.ts'
import { backupName } from '../../src/backup/files.ts'
import { lastBackup } from '../../src/backup/record.ts'
import { REVOCABLE } from '../../src/backup/restore.ts'
import { sourceOf } from '../../src/backup/source.ts'
import { tablesOf } from '../../src/backup/tables.ts'
import { done, expectContents, fill, login, manifestOf, refused, run, startOn } from '../support/backups.ts'
import { begin, codeOf, second, turnOn } from '../support/factors.ts'
import { boot, Person, person, stop } from '../support/harness.ts'
import { dataDirectory } from '../support/spawned.ts'
import { announce, put, upload } from '../support/uploads.ts'

const LONG_MS = 300_000
const directory = mkdtempSync(join(tmpdir(), 'keeping-'))
const addressOf = (parley: Awaited<ReturnType<typeof boot>>) => ({ url: parley.parts.environment.DATABASE_URL ?? '' })

test('the deletion of objects waits while a backup is made', async () => {
  const parley = await boot()
  const { environment, objects, sql } = parley.parts
  const alice = await person(parley, 'alice')
  const { id } = await upload(alice, 'a.bin', 'application/octet-stream', Buffer.from('bytes'))
  const [file] = await sql<{ key: string }[]>`select key from files where id = ${id}`
  const key = file?.key ?? ''

  const dump = await openDump(await sourceOf(environment, addressOf(parley)), { objects: 'all', secrets: true })
  const reading = dump.archive[Symbol.asyncIterator]()
  await reading.next()
  expect((await alice.delete(`/api/files/${id}`)).status).toBe(204)
  await parley.sweep()
  expect(await objects.head(key)).toBeDefined()
  for (let next = await reading.next(); !next.done; next = await reading.next());
  expect(dump.progress).toMatchObject({ objects: 1, missing: 0 })
  await dump.close()
  await parley.sweep()
  expect(await objects.head(key)).toBeUndefined()
  await stop(parley)
})

test('an upload that is recorded or replaced during its backup does not make the backup fail', async () => {
  const parley = await boot()
  const { environment } = parley.parts
  const alice = await person(parley, 'alice')
  const type = 'application/octet-stream'
  const [recorded, again] = [await announce(alice, 'a.bin', type, 5), await announce(alice, 'b.bin', type, 5)]
  for (const pending of [recorded, again]) expect((await put(pending, Buffer.from('bytes'))).status).toBe(200)
  const happening = new Map([
    [recorded.key, async () => (await alice.post('/api/files', { key: recorded.key })).status],
    [again.key, async () => (await put(again, Buffer.from('other'))).status],
  ])
  const dump = await openDump(await sourceOf(environment, addressOf(parley)), { objects: 'all', secrets: true })
  const statuses: number[] = []
  for await (const chunk of dump.archive)
    for (const [key, happen] of happening) if (chunk.includes(`PARLEY.key=${key}\n`)) statuses.push(await happen())
  expect(statuses.toSorted()).toEqual([200, 201])
  expect(dump.progress).toMatchObject({ objects: 2, objectBytes: 10, missing: 0 })
  await dump.close()
  await stop(parley)
})

test('a restore leaves out every table of sessions, tickets, tokens, codes and mail under way', async () => {
  const parley = await boot()
  const names = (await tablesOf(parley.parts.sql)).map(({ name }) => name)
  expect(REVOCABLE.filter((name) => !names.includes(name))).toEqual([])
  const revocable = names.filter((name) => /session|ticket|token|code|mail|challenge|reset/.test(name))
  // Without their recovery codes, people who have lost their app could not log in.
  const secretTables = ['recovery_codes']
  expect(revocable.filter((name) => !REVOCABLE.includes(name))).toEqual(secretTables)
  await stop(parley)
})

test('backups within a second have names of their own, in the order of their times', () => {
  const names = [0, 1, 999, 1_000].map((ms) => backupName('manual', new Date(Date.UTC(2026, 0, 2, 3, 4, 5, ms)), false))
  expect(names).toEqual(names.toSorted())
  expect(new Set(names).size).toBe(4)
  expect(names[1]).toBe('parley-manual-20260102T030405.001Z.tar.zst')
})

test(
  'the server backs up when due, on one node, keeps the configured number, and skips what does not fit',
  async () => {
    const BACKUP_DIR = mkdtempSync(join(directory, 'automatic-'))
    const parley = await boot({ BACKUP_DIR, BACKUP_EVERY: '30m', BACKUP_KEEP: '2' })
    const { environment, sql } = parley.parts
    const lines: unknown[] = []
    const open = () => new AutomaticBackups(environment, addressOf(parley), (...line) => void lines.push(line))
    const [one, two] = [open(), open()]
    writeFileSync(join(BACKUP_DIR, 'parley-automatic-20200101T000000Z.tar.zst.partial'), 'of a killed server')
    await Promise.all([one.run(), two.run(), one.run()])
    const files = () => readdirSync(BACKUP_DIR).sort()
    expect(files()).toHaveLength(1)
    const last = await lastBackup(sql)
    expect(last).toMatchObject({ kind: 'automatic', file: files()[0], is_encrypted: false })
    expect(last?.bytes).toBeGreaterThan(100)

    for (const year of [2021, 2022])
      writeFileSync(join(BACKUP_DIR, `parley-automatic-${year}0101T000000Z.tar.zst`), 'an older one')
    writeFileSync(join(BACKUP_DIR, 'parley-manual-20200101T000000Z.tar.zst'), 'not of the server')
    await sql`update backups set at = at - interval '31 minutes'`
    await one.run()
    expect(files().filter((name) => name.includes('automatic'))).toHaveLength(2)
    expect(files()).toContain('parley-manual-20200101T000000Z.tar.zst')
    expect(files().join()).not.toInclude('2021')

    await sql`update backups set at = at - interval '31 minutes'`
    await sql`insert into users (username, email, password_hash, display_name) values ('a', 'a@b.c', 'none', 'A')`
    await sql`insert into files (uploader_id, filename, content_type, size, key)
      select id, 'huge', 'text/plain', 1000000000000000, 'files/huge' from users limit 1`
    await one.run()
    expect(lines.at(-1)).toMatchObject(['error', 'backup.failed', {}])
    expect(JSON.stringify(lines.at(-1))).toInclude('does not fit')
    for (const backups of [one, two]) await backups.stop()
    await stop(parley)
  },
  LONG_MS,
)

test(
  'an incremental backup holds the newer files, and restores with the earlier one; verify finds both whole',
  async () => {
    const variables = { DATA_DIR: dataDirectory() }
    const parley = await startOn(variables)
    const filled = await fill(parley)
    const erin = await person(parley, 'erin')
    const app = await turnOn(erin)
    const [earlier, later] = [join(directory, 'earlier'), join(directory, 'later')]
    await parley.parts.sql`update scheduled_messages set state = 'waiting'`
    await done('backup', variables, earlier)
    // A file that is committed late may have an earlier creation time, so backups overlap by an hour.
    const tables = [
      'files',
      'emojis',
      'stickers',
      'sounds',
      'role_icons',
      'banners',
      'preview_pictures',
      'report_files',
    ]
    for (const table of tables)
      await parley.parts.sql`update ${parley.parts.sql(table)} set created_at = created_at - interval '2 hours'`
    const bytes = Buffer.from('uploaded later')
    const { id } = await upload(filled.alice, 'later.txt', 'text/plain', bytes)
    filled.contents.set(id, bytes)
    await done('backup', variables, later, '--objects=since', '--since', earlier)
    expect((await manifestOf(later)).objects.count).toBe(2)
    await stop(parley)

    expect(await refused('restore', { DATA_DIR: dataDirectory() }, later)).toInclude('name the earlier backups')
    const restored = { DATA_DIR: dataDirectory() }
    await done('restore', restored, later, earlier)
    const again = await startOn(restored)
    const [alice, bob] = [await login(again, filled.alice), await login(again, filled.bob)]
    const owned = await again.parts.sql<{ id: number }[]>`select id from files where uploader_id = ${filled.alice.id}`
    const isOwned = (file: number) => owned.some((row) => row.id === file)
    await expectContents(again, (file) => (isOwned(file) ? alice : bob), filled)
    // The scheduled message may have been sent since: it waits for its author.
    const schedules = await again.parts.sql<{ state: string }[]>`select state from scheduled_messages`
    expect(schedules.map(({ state }) => state)).toEqual(['held'])
    // The key that encrypts the secrets of apps came with the backup.
    const erinAgain = new Person(again, erin.id, erin.username, erin.email, erin.display_name, '')
    for (const proof of [{ code: codeOf(app.secret) }, { recovery_code: app.recovery_codes[0] }])
      expect((await second(erinAgain, await begin(erinAgain), proof)).status).toBe(200)
    await stop(again)

    const verified = await run('verify', { DATA_DIR: dataDirectory() }, earlier)
    expect([verified.code, verified.error.includes('failed')]).toEqual([0, false])
    expect(verified.out.toString()).toMatch(/is intact: \d+ rows .*20 objects.*; \d\d answers/)
  },
  LONG_MS,
)
