import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { objectName } from '../../../src/backup/wal/names.ts'
import { openDatabase, SUPERUSER } from '../../../src/database/database.ts'
import { hashOf } from '../../../src/storage/object-files.ts'
import { objectsDirectory } from '../../../src/storage/open-objects.ts'
import { done, startOn } from '../../support/backups.ts'
import { call, newServer, person, say, stop, until } from '../../support/harness.ts'
import { promote } from '../../support/operators.ts'
import { foreignS3 } from '../../support/object-stores.ts'
import { dataDirectory, preparedDirectory, refusal, spawnParley } from '../../support/spawned.ts'
import { upload } from '../../support/uploads.ts'
import { archived, archiveDirectory, textsIn } from '../../support/wal-archives.ts'

const LONG_MS = 300_000
const MIB = 1024 ** 2

/** The slots of an embedded PostgreSQL. */
async function slotsOf(data: string): Promise<string[]> {
  const address = { socket: join(data, 'postgres/run'), database: 'postgres', role: SUPERUSER } as const
  const sql = openDatabase(address, 1)
  const rows = await sql<{ name: string }[]>`select slot_name as name from pg_replication_slots`
  await sql.end()
  return rows.map(({ name }) => name)
}

test(
  'after a kill -9 under load and the loss of DATA_DIR, at most the last minute is missing, and the restore says which',
  async () => {
    const archive = archiveDirectory()
    const data = preparedDirectory()
    const { child, parley } = await spawnParley(data, { WAL_ARCHIVE: archive })
    const alice = await person(parley, 'alice')
    const { channel_id } = await newServer(alice)
    const sentAt: number[] = []
    let isLoaded = true
    const load = (async () => {
      while (isLoaded) {
        const { status } = await alice.post(`/api/channels/${channel_id}/messages`, { content: `n${sentAt.length}` })
        if (status === 201) sentAt.push(Date.now())
      }
    })().catch(() => {})
    // A copy made under load, and changes after it.
    await until(() => archived(archive, 'lines/*/base/*.json').length > 0 && sentAt.length > 50)
    const copied = sentAt.length
    await until(() => {
      const [end] = archived(archive, 'lines/*/end.json')
      return (
        end !== undefined && Date.parse(JSON.parse(readFileSync(end, 'utf8')).at) > (sentAt[copied + 20] ?? Infinity)
      )
    })
    child.kill('SIGKILL')
    const killedAt = Date.now()
    await child.exited
    isLoaded = false
    await load
    // Its PostgreSQL ends by itself.
    await until(() => !readdirSync(join(data, 'postgres/cluster')).includes('postmaster.pid'))
    rmSync(data, { recursive: true })

    const restored = { DATA_DIR: dataDirectory(), WAL_ARCHIVE: archive }
    const output = await done('restore', restored, '--to', 'latest')
    const [, at = ''] = /Restored to (\S+Z), with the last change at 20/.exec(output) ?? []
    expect(killedAt - Date.parse(at)).toBeLessThan(60_000)
    const texts = await textsIn(restored)
    expect(texts).toEqual(texts.map((_, n) => `n${n}`))
    // Everything that was acknowledged before the second that it names is there.
    expect(texts.length).toBeGreaterThanOrEqual(sentAt.filter((ms) => ms < Date.parse(at)).length)
    expect(texts.length).toBeGreaterThan(copied + 20)
  },
  LONG_MS,
)

test(
  'while the archive is away the server serves and says so; beyond the bound it begins again with a full copy',
  async () => {
    const archive = archiveDirectory()
    const bound = { WAL_ARCHIVE_PENDING_BYTES_MAX: String(16 * MIB) }
    const variables = { DATA_DIR: preparedDirectory(), WAL_ARCHIVE: archive, DISK_FREE_MIN_BYTES: '0', ...bound }
    const parley = await startOn(variables)
    const alice = await person(parley, 'alice')
    const { channel_id } = await newServer(alice)
    await parley.archive?.settle()
    expect((await call(parley, 'GET', '/readyz')).body).toMatchObject({ status: 'ok', parts: { archive: 'ok' } })

    // A file where the archive was: it cannot be written, and nothing creates it anew.
    renameSync(archive, `${archive}.away`)
    writeFileSync(archive, '')
    await say(alice, channel_id, 'while it is away')
    await parley.archive?.run()
    expect((await call(parley, 'GET', '/readyz')).body).toMatchObject({
      status: 'degraded',
      parts: { archive: 'away' },
    })
    await promote(alice)
    const health = (await alice.get('/api/operator/health')).body
    expect(health).toContainEqual({ part: 'archive', level: 'error', state: 'away' })
    expect((await alice.get('/api/operator/backups')).body.archive).toMatchObject({ state: 'away', gaps: 0 })
    expect(await (await fetch(`${parley.url}/metrics`)).text()).toInclude('\nparley_archive_ok 0\n')
    const [first] = await slotsOf(variables.DATA_DIR)
    expect(first).toStartWith('parley_archive_')

    await parley.parts.sql`create table ballast as select repeat(md5(n::text), 40) from generate_series(1, 30000) n`
    await until(() => parley.archive?.facts.gaps === 1)
    expect(await slotsOf(variables.DATA_DIR)).toEqual([])
    await say(alice, channel_id, 'after the gap')

    rmSync(archive)
    renameSync(`${archive}.away`, archive)
    await parley.archive?.settle()
    expect(parley.archive?.facts.state).toBe('ok')
    expect((await call(parley, 'GET', '/readyz')).body).toMatchObject({ status: 'ok', parts: { archive: 'ok' } })
    const [second] = await slotsOf(variables.DATA_DIR)
    expect(second).not.toBe(first)
    await stop(parley)
    const restored = { ...variables, DATA_DIR: dataDirectory() }
    await done('restore', restored, '--to', 'latest')
    expect(await textsIn(restored)).toEqual(['while it is away', 'after the gap'])
  },
  LONG_MS,
)

test(
  'a restart goes on with the same line; without WAL_ARCHIVE the next start keeps no WAL for it',
  async () => {
    const archive = archiveDirectory()
    const variables = { DATA_DIR: preparedDirectory(), WAL_ARCHIVE: archive }
    const first = await startOn(variables)
    const alice = await person(first, 'alice')
    const { channel_id } = await newServer(alice)
    await first.archive?.settle()
    await say(alice, channel_id, 'one')
    await stop(first)
    const second = await startOn(variables)
    await say(Object.assign(alice, { parley: second }), channel_id, 'two')
    await second.archive?.settle()
    expect(archived(archive, 'lines/*/line.json')).toHaveLength(1)
    expect(archived(archive, 'lines/*/base/*.json')).toHaveLength(1)
    await stop(second)
    const restored = { ...variables, DATA_DIR: dataDirectory() }
    await done('restore', restored, '--to', 'latest')
    expect(await textsIn(restored)).toEqual(['one', 'two'])
    const third = await startOn({ DATA_DIR: variables.DATA_DIR })
    expect(third.archive).toBeUndefined()
    expect(await slotsOf(variables.DATA_DIR)).toEqual([])
    await stop(third)
  },
  LONG_MS,
)

test(
  'copies, changes and files that no restore to the last WAL_ARCHIVE_DAYS needs are removed',
  async () => {
    const archive = archiveDirectory()
    const variables = { DATA_DIR: preparedDirectory(), WAL_ARCHIVE: archive }
    let parley = await startOn(variables)
    const alice = await person(parley, 'alice')
    const { channel_id } = await newServer(alice)
    const { id } = await upload(alice, 'gone.bin', 'application/octet-stream', Buffer.from('gone'))
    const picture = await upload(alice, 'kept.bin', 'application/octet-stream', Buffer.from('kept'))
    const sent = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'x', file_ids: [picture.id] })
    expect(sent.status).toBe(201)
    await parley.archive?.settle()
    const keys = await parley.parts.sql<{ key: string }[]>`select key from files order by id`
    const isArchived = keys.map(
      ({ key }) =>
        () =>
          existsSync(join(archive, objectName(hashOf(key)))),
    )
    const files = () => isArchived.map((isThere) => isThere())
    expect(files()).toEqual([true, true])
    expect((await alice.delete(`/api/files/${id}`)).status).toBe(204)
    await parley.sweep()
    // More than a segment between two copies.
    await parley.parts.sql`create table ballast as select repeat(md5(n::text), 40) from generate_series(1, 30000) n`
    /** Makes all copies older, so that the next start makes one. */
    const age = async (days: number) => {
      await stop(parley)
      for (const path of archived(archive, 'lines/*/base/*.json')) {
        const base = JSON.parse(readFileSync(path, 'utf8'))
        const at = new Date(Date.parse(base.at) - days * 86_400_000).toISOString()
        writeFileSync(path, JSON.stringify({ ...base, at }))
      }
      parley = await startOn(variables)
      await parley.archive?.settle()
    }
    const [oldest] = archived(archive, 'lines/*/base/*.tar.zst')
    await age(8)
    // Within 14 days: both stay, and with them the file.
    expect(archived(archive, 'lines/*/base/*.tar.zst')).toHaveLength(2)
    expect(files()).toEqual([true, true])
    const pieces = archived(archive, 'lines/*/wal/*')
    await age(14)
    const copies = archived(archive, 'lines/*/base/*.tar.zst')
    expect(copies).toHaveLength(2)
    expect(copies).not.toContain(oldest ?? '')
    expect(files()).toEqual([false, true])
    expect(archived(archive, 'lines/*/wal/*')).not.toContain(pieces[0] ?? '')
    await stop(parley)
    const restored = { ...variables, DATA_DIR: dataDirectory() }
    expect(await done('restore', restored, '--to', 'latest')).toInclude('1 from the archive, 0 missing')
    expect(await textsIn(restored)).toEqual(['x'])
  },
  LONG_MS,
)

test(
  'an uploaded file that cannot be read keeps back no other one; what was half written at the last end is removed',
  async () => {
    const archive = archiveDirectory()
    const variables = { DATA_DIR: preparedDirectory(), WAL_ARCHIVE: archive }
    const first = await startOn(variables)
    const alice = await person(first, 'alice')
    const { id } = await upload(alice, 'a.bin', 'application/octet-stream', Buffer.from('bytes'))
    await stop(first)
    const [file] = archived(archive, 'objects/*/*')
    if (file !== undefined) rmSync(file)
    // A directory cannot be read as a file. It is the first one to be compared.
    const unreadable = join(objectsDirectory(first.parts.environment), 'ff', 'f'.repeat(64))
    mkdirSync(unreadable, { recursive: true })
    const [line = ''] = archived(archive, 'lines/*/line.json')
    const halves = ['end.json.partial', 'wal/0.zst.partial', 'base/0.tar.zst.partial'].map((name) =>
      join(line, '..', name),
    )
    for (const half of halves) {
      mkdirSync(join(half, '..'), { recursive: true })
      writeFileSync(half, 'half')
    }
    const second = await startOn(variables)
    await second.archive?.settle()
    const [row] = await second.parts.sql<{ key: string }[]>`select key from files where id = ${id}`
    expect(existsSync(join(archive, objectName(hashOf(row?.key ?? ''))))).toBe(true)
    expect(second.archive?.facts).toMatchObject({ state: 'away', objects_waiting: 1 })
    expect(halves.filter((half) => existsSync(half))).toEqual([])
    rmSync(unreadable, { recursive: true })
    await until(async () => {
      await second.archive?.settle()
      return second.archive?.facts.state === 'ok'
    })
    expect(second.archive?.facts.objects_waiting).toBe(0)
    await stop(second)
  },
  LONG_MS,
)

test(
  'an archive in S3 restores like one in a directory; the files are those of the bucket',
  async () => {
    const s3 = await foreignS3()
    const variables = { DATA_DIR: preparedDirectory(), WAL_ARCHIVE: 's3://parley/archive', ...s3.variables }
    const parley = await startOn(variables)
    const alice = await person(parley, 'alice')
    const { channel_id } = await newServer(alice)
    await parley.archive?.settle()
    expect(parley.archive?.facts.state).toBe('ok')
    const { id } = await upload(alice, 'a.bin', 'application/octet-stream', Buffer.from('bytes'))
    const sent = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'first', file_ids: [id] })
    expect(sent.status).toBe(201)
    await parley.archive?.run()
    const between = new Date().toISOString()
    await Bun.sleep(5)
    await say(alice, channel_id, 'second')
    expect((await alice.delete(`/api/messages/${sent.body.id}`)).status).toBe(204)
    await parley.sweep()
    await stop(parley)
    const restored = { ...variables, DATA_DIR: dataDirectory() }
    // The file was deleted from the bucket since: it is said to be missing.
    expect(await done('restore', restored, '--to', between)).toInclude('0 from the archive, 1 missing')
    expect(await textsIn(restored)).toEqual(['first'])
    await s3.stop()
  },
  LONG_MS,
)

test(
  'an archive that cannot go with the other settings is refused at the start in one sentence',
  async () => {
    const data = dataDirectory()
    const cases: [Record<string, string>, string][] = [
      [
        { WAL_ARCHIVE: '/mnt/a', DATABASE_URL: 'postgres://127.0.0.1:1/parley' },
        'only usable with the embedded database',
      ],
      [{ WAL_ARCHIVE: join(data, 'archive') }, 'must not be inside DATA_DIR'],
      [{ WAL_ARCHIVE: 's3://bucket/prefix' }, 'only usable with S3_ENDPOINT'],
      [{ WAL_ARCHIVE: 's3://' }, 'WAL_ARCHIVE is not usable'],
      [{ VERIFY_EVERY: '1 day' }, 'VERIFY_EVERY is not usable'],
    ]
    for (const [variables, names] of cases) {
      const { code, out, error } = await refusal(data, variables)
      expect([code, out, error.trimEnd().split('\n').length]).toEqual([1, '', 1])
      expect(error).toInclude(names)
    }
    expect(() => statSync(data)).toThrow()
  },
  LONG_MS,
)
