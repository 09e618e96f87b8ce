import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openS3Archive } from '../../../src/backup/wal/s3-archive.ts'
import { archiveIdPath } from '../../../src/backup/wal/own-archive.ts'
import { readEnvironment } from '../../../src/environment.ts'
import type { Parley } from '../../../src/parley.ts'
import { done, login, refused, run, startOn } from '../../support/backups.ts'
import { call, newServer, type Person, person, say, stop } from '../../support/harness.ts'
import { operating } from '../../support/operator.ts'
import { foreignS3 } from '../../support/object-stores.ts'
import { dataDirectory, preparedDirectory, refusal } from '../../support/spawned.ts'
import { upload } from '../../support/uploads.ts'
import { archived, archiveDirectory, mount, pieceAfter, textsIn, unmount } from '../../support/wal-archives.ts'

const LONG_MS = 300_000
const SOURCE = join(import.meta.dir, '../../../src')

interface Scene {
  variables: { DATA_DIR: string; WAL_ARCHIVE: string }
  archive: string
  parley: Parley
  alice: Person
  channel_id: number
}

/** A server with an archive that has a full copy. */
async function makeScene(data = preparedDirectory()): Promise<Scene> {
  const archive = archiveDirectory()
  const variables = { DATA_DIR: data, WAL_ARCHIVE: archive }
  const parley = await startOn(variables)
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  await parley.archive?.settle()
  expect(parley.archive?.facts.state).toBe('ok')
  return { variables, archive, parley, alice, channel_id }
}

/** The parts of an installation as /readyz tells them. */
const ready = async (parley: Parley) => (await call(parley, 'GET', '/readyz')).body

test(
  'the empty place of an unmounted disk does not pass for the archive, and once the disk is back nothing is missing',
  async () => {
    const { variables, archive, parley, alice, channel_id } = await makeScene()
    await say(alice, channel_id, 'one')
    await parley.archive?.run()
    unmount(archive)
    await say(alice, channel_id, 'two')
    const { id } = await upload(alice, 'a.bin', 'application/octet-stream', Buffer.from('bytes'))
    const sent = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'a file', file_ids: [id] })
    expect(sent.status).toBe(201)
    await parley.archive?.settle()
    expect(await ready(parley)).toMatchObject({ status: 'degraded', parts: { archive: 'away' } })
    expect(readdirSync(archive)).toEqual([])
    mount(archive)
    await say(alice, channel_id, 'three')
    await parley.archive?.settle()
    expect(await ready(parley)).toMatchObject({ status: 'ok', parts: { archive: 'ok' } })
    expect(parley.archive?.facts.gaps).toBe(0)
    await stop(parley)

    // A start while it is unmounted, and another one without its place.
    unmount(archive)
    const second = await startOn(variables)
    await second.archive?.settle()
    expect(await ready(second)).toMatchObject({ status: 'degraded', parts: { archive: 'away' } })
    await say(Object.assign(alice, { parley: second }), channel_id, 'four')
    await stop(second)
    expect(readdirSync(archive)).toEqual([])
    rmSync(archive, { recursive: true })
    const third = await startOn(variables)
    await third.archive?.settle()
    expect(third.archive?.facts).toMatchObject({ state: 'away', gaps: 0 })
    expect(existsSync(archive)).toBe(false)
    renameSync(`${archive}.disk`, archive)
    await say(Object.assign(alice, { parley: third }), channel_id, 'five')
    await third.archive?.settle()
    expect(third.archive?.facts).toMatchObject({ state: 'ok', gaps: 0 })
    await stop(third)

    expect(archived(archive, 'lines/*/line.json')).toHaveLength(1)
    expect(archived(archive, 'lines/*/base/*.json')).toHaveLength(1)
    const restored = { ...variables, DATA_DIR: dataDirectory() }
    expect(await done('restore', restored, '--to', 'latest')).toInclude('1 from the archive, 0 missing')
    expect(await textsIn(restored)).toEqual(['one', 'two', 'a file', 'three', 'four', 'five'])
  },
  LONG_MS,
)

test(
  'an archive that was emptied on purpose begins again once the file in DATA_DIR that the log names is removed',
  async () => {
    const { variables, archive, parley, alice, channel_id } = await makeScene()
    rmSync(archive, { recursive: true })
    mkdirSync(archive)
    await say(alice, channel_id, 'one')
    await parley.archive?.run()
    expect(parley.archive?.facts.state).toBe('away')
    rmSync(archiveIdPath(variables.DATA_DIR))
    await parley.archive?.settle()
    expect(parley.archive?.facts).toMatchObject({ state: 'ok', gaps: 1 })
    // Another archive in its place is not its own either.
    const id = join(archive, 'archive.json')
    const own = readFileSync(id)
    writeFileSync(id, JSON.stringify({ id: '0'.repeat(32) }))
    await say(alice, channel_id, 'two')
    await parley.archive?.run()
    expect(parley.archive?.facts.state).toBe('away')
    writeFileSync(id, own)
    await parley.archive?.settle()
    expect(parley.archive?.facts).toMatchObject({ state: 'ok', gaps: 1 })
    await stop(parley)
    const restored = { ...variables, DATA_DIR: dataDirectory() }
    await done('restore', restored, '--to', 'latest')
    expect(await textsIn(restored)).toEqual(['one', 'two'])
  },
  LONG_MS,
)

test(
  'a prefix in S3 that was emptied does not pass for the archive',
  async () => {
    const s3 = await foreignS3()
    const variables = { DATA_DIR: preparedDirectory(), WAL_ARCHIVE: 's3://parley/archive', ...s3.variables }
    const parley = await startOn(variables)
    await parley.archive?.settle()
    expect(parley.archive?.facts.state).toBe('ok')
    const bucket = await openS3Archive(readEnvironment({ ...variables, PORT: '0' }), 'parley', '')
    await bucket?.remove('archive')
    await parley.archive?.run()
    expect(parley.archive?.facts).toMatchObject({ state: 'away', gaps: 0 })
    expect(await bucket?.list('archive')).not.toContain('archive.json')
    await stop(parley)
    await s3.stop()
  },
  LONG_MS,
)

test(
  'a server on an empty DATA_DIR does not begin in the archive of another one; a restored server goes on there',
  async () => {
    const { variables, archive, parley, alice, channel_id } = await makeScene(dataDirectory())
    await say(alice, channel_id, 'one')
    await stop(parley)
    const fresh = { ...variables, DATA_DIR: dataDirectory() }
    const empty = await startOn(fresh)
    await empty.archive?.settle()
    expect(await ready(empty)).toMatchObject({ status: 'degraded', parts: { archive: 'away' } })
    expect(empty.archive?.facts.gaps).toBe(0)
    await stop(empty)
    expect(archived(archive, 'lines/*/line.json')).toHaveLength(1)
    // It has no accounts yet, so its place can be taken.
    await done('restore', fresh, '--to', 'latest')
    const restored = await startOn(fresh)
    await restored.archive?.settle()
    expect(restored.archive?.facts.state).toBe('ok')
    Object.assign(alice, { parley: restored, token: await login(restored, alice) })
    await say(alice, channel_id, 'two')
    await stop(restored)
    const again = { ...variables, DATA_DIR: dataDirectory() }
    await done('restore', again, '--to', 'latest')
    expect(await textsIn(again)).toEqual(['one', 'two'])
  },
  LONG_MS,
)

test(
  'restore --to latest asks for a time if the archive has the databases of several installations',
  async () => {
    const first = await makeScene(dataDirectory())
    await say(first.alice, first.channel_id, 'one')
    await stop(first.parley)
    const second = await makeScene(dataDirectory())
    await stop(second.parley)
    const [line = ''] = archived(second.archive, 'lines/*/line.json')
    const id = line.split('/').at(-2) ?? ''
    renameSync(join(second.archive, 'lines', id), join(first.archive, 'lines', id))
    const restored = { ...first.variables, DATA_DIR: dataDirectory() }
    const sentence = await refused('restore', restored, '--to', 'latest')
    const [, time = ''] = /^The archive has 2 databases, which end at (\S+Z) and \S+Z: name/.exec(sentence) ?? []
    await done('restore', restored, '--to', time)
    expect(await textsIn(restored)).toEqual(['one'])
  },
  LONG_MS,
)

test(
  'a restore names the last changes of the archive if they are missing, and has exit code 3',
  async () => {
    const { variables, archive, parley, alice, channel_id } = await makeScene()
    await say(alice, channel_id, 'one')
    await parley.archive?.run()
    const between = new Date().toISOString()
    await say(alice, channel_id, 'two')
    await parley.archive?.run()
    const after = new Date().toISOString()
    await say(alice, channel_id, 'three')
    await stop(parley)
    const pieces = archived(archive, 'lines/*/wal/*')
    for (const path of pieces.slice(pieces.indexOf(pieceAfter(archive, between)))) rmSync(path)
    const last = archived(archive, 'lines/*/wal/*').at(-1)?.split('/').at(-1)
    for (const time of ['latest', after]) {
      const restored = { ...variables, DATA_DIR: dataDirectory() }
      const { code, error } = await run('restore', restored, '--to', time)
      expect({ code, error }).toMatchObject({ code: 3 })
      expect(error).toMatch(
        new RegExp(`nothing after lines/.*/wal/${last}, but once went up to 20.*: nothing after 20`),
      )
      expect(await textsIn(restored)).toEqual(['one'])
    }
  },
  LONG_MS,
)

test(
  'a restore that is killed while it moves the database into place leaves no empty installation that starts',
  async () => {
    const { variables, parley, alice, channel_id } = await makeScene()
    await say(alice, channel_id, 'one')
    await stop(parley)
    const data = dataDirectory()
    const cluster = join(data, 'postgres/cluster')
    // Many files are in the way, so that their removal takes a while.
    for (let folder = 0; folder < 40; folder++) {
      mkdirSync(join(cluster, `f${folder}`), { recursive: true })
      for (let n = 0; n < 500; n++) writeFileSync(join(cluster, `f${folder}/${n}`), '')
    }
    const restored = { ...variables, DATA_DIR: data }
    const child = Bun.spawn([process.execPath, join(SOURCE, 'cli/restore.ts'), '--to', 'latest'], {
      env: operating(restored),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const watcher = watch(data, (_, name) => {
      if (name === 'restoring') child.kill('SIGKILL')
    })
    await child.exited
    watcher.close()
    // The signal may arrive after the end.
    if (!existsSync(join(cluster, 'PG_VERSION'))) {
      rmSync(cluster, { recursive: true, force: true })
      const { code, error } = await refusal(data, { WAL_ARCHIVE: '' })
      expect({ code, error }).toMatchObject({ code: 1 })
      expect(error).toInclude('A restore was interrupted: run it again')
      await done('restore', restored, '--to', 'latest')
    }
    expect(await textsIn(restored)).toEqual(['one'])
    expect(existsSync(join(data, 'restoring'))).toBe(false)
  },
  LONG_MS,
)
