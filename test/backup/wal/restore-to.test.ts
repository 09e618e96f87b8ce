import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { done, login, refused, run, startOn } from '../../support/backups.ts'
import { call, newServer, type Person, person, say, stop } from '../../support/harness.ts'
import { dataDirectory, preparedDirectory } from '../../support/spawned.ts'
import { download, upload } from '../../support/uploads.ts'
import {
  archived,
  archiveDirectory,
  damage,
  expectNothing,
  pieceAfter,
  textsIn,
  textsOf,
} from '../../support/wal-archives.ts'

const LONG_MS = 300_000
const PASSPHRASE = join(mkdtempSync(join(tmpdir(), 'passphrase-')), 'passphrase')
writeFileSync(PASSPHRASE, 'correct horse battery\n')
const WRONG = `${PASSPHRASE}-wrong`
writeFileSync(WRONG, 'wrong horse battery\n')

interface Scene {
  variables: Record<string, string>
  archive: string
  alice: Person
  file: { id: number; bytes: Buffer }
  /** After `first` and a file, before `second`. */
  between: string
  beforeSecond: string
  /** After `second`. */
  after: string
}

/** An archive of a server that ended: first, a file; then second, and the file is gone; then third. */
async function makeScene(more: Record<string, string> = {}): Promise<Scene> {
  const archive = archiveDirectory()
  const variables = { DATA_DIR: preparedDirectory(), WAL_ARCHIVE: archive, ...more }
  const parley = await startOn(variables)
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  await parley.archive?.settle()
  expect(parley.archive?.facts.state).toBe('ok')
  await say(alice, channel_id, 'first zyzzyva')
  const bytes = randomBytes(300_000)
  const { id } = await upload(alice, 'a.bin', 'application/octet-stream', bytes)
  const sent = await alice.post(`/api/channels/${channel_id}/messages`, { content: '', file_ids: [id] })
  expect(sent.status).toBe(201)
  await parley.archive?.settle()
  const between = new Date().toISOString()
  await Bun.sleep(5)
  await person(parley, 'bob')
  await parley.archive?.run()
  const beforeSecond = new Date().toISOString()
  await say(alice, channel_id, 'second')
  expect((await alice.delete(`/api/messages/${sent.body.id}`)).status).toBe(204)
  await parley.sweep()
  await parley.archive?.settle()
  const after = new Date().toISOString()
  await Bun.sleep(5)
  await say(alice, channel_id, 'third')
  await stop(parley)
  return { variables, archive, alice, file: { id, bytes }, between, beforeSecond, after }
}

const into = ({ variables }: Scene, more: Record<string, string> = {}) => ({
  ...variables,
  DATA_DIR: dataDirectory(),
  ...more,
})

test(
  'a restore to a time between two messages has the first with its file, and not the second; sessions have ended',
  async () => {
    const scene = await makeScene()
    const restored = into(scene)
    const output = await done('restore', restored, '--to', scene.between)
    expect(output).toInclude(`Restored to ${scene.between}`)
    expect(output).toInclude('Uploaded files: 1 from the archive, 0 missing')
    const parley = await startOn(restored)
    expect(await textsOf(parley)).toEqual(['first zyzzyva'])
    expect((await call(parley, 'GET', '/api/auth/me', { token: scene.alice.token })).status).toBe(401)
    const alice = Object.assign(scene.alice, { parley, token: await login(parley, scene.alice) })
    const answer = await download(alice, scene.file.id)
    expect(Buffer.compare(await answer.bytes(), scene.file.bytes)).toBe(0)
    // The restored server goes on with a line of its own, from which it can be restored again.
    await parley.archive?.settle()
    const [channel] = await parley.parts.sql<{ id: number }[]>`select id from channels where type = 'text' limit 1`
    await say(alice, channel?.id ?? 0, 'after all')
    await stop(parley)
    expect(readdirSync(join(scene.archive, 'lines'))).toHaveLength(2)
    const again = into(scene)
    await done('restore', again, '--to', 'latest')
    expect(await textsIn(again)).toEqual(['first zyzzyva', 'after all'])
    // A time on the first line can still be restored.
    const earlier = into(scene)
    await done('restore', earlier, '--to', scene.after)
    expect(await textsIn(earlier)).toEqual(['first zyzzyva', 'second'])
  },
  LONG_MS,
)

test(
  'times outside of the archive, other targets and nonsense are refused in one sentence, and leave nothing',
  async () => {
    const scene = await makeScene()
    const restored = into(scene)
    expect(await refused('restore', restored, '--to', '2020-01-01T00:00:00Z')).toMatch(/^The archive begins at 20/)
    const later = new Date(Date.now() + 60_000).toISOString()
    expect(await refused('restore', restored, '--to', later)).toMatch(/^The archive ends at 20.*--to latest/)
    expect(await refused('restore', restored, '--to', 'yesterday')).toStartWith('The time of --to is not usable')
    const foreign = { DATABASE_URL: 'postgres://127.0.0.1:1/parley', WAL_ARCHIVE: '' }
    expect(await refused('restore', { ...restored, ...foreign }, '--to', 'latest')).toInclude('unset DATABASE_URL')
    expect(await refused('restore', { ...restored, WAL_ARCHIVE: '' }, '--to', 'latest')).toInclude('Set WAL_ARCHIVE')
    const empty = { ...restored, WAL_ARCHIVE: archiveDirectory() }
    expect(await refused('restore', empty, '--to', 'latest')).toInclude('no complete copy')
    expectNothing(restored.DATA_DIR)
    expect(await refused('restore', scene.variables, '--to', scene.between)).toInclude('already has accounts')
    expect(await textsIn(scene.variables)).toEqual(['first zyzzyva', 'second', 'third'])
    const { code, error } = await run('restore', restored, '--to', 'latest', 'a-file')
    expect([code, error.split('\n')[0]]).toEqual([2, '--to takes neither a file nor --keep-sessions.'])
  },
  LONG_MS,
)

test(
  'a damaged piece is named, and the restore ends before it; a damaged copy is replaced by an earlier one',
  async () => {
    const scene = await makeScene()
    const piece = pieceAfter(scene.archive, scene.beforeSecond)
    damage(piece)
    const restored = into(scene)
    const { code, error } = await run('restore', restored, '--to', 'latest')
    expect({ code, error }).toMatchObject({ code: 3 })
    expect(error).toInclude(`wal/${piece.split('/').at(-1)} in the archive is damaged: nothing after 20`)
    expect(await textsIn(restored)).toEqual(['first zyzzyva'])
    // A time before the damage does not need it.
    const earlier = into(scene)
    await done('restore', earlier, '--to', scene.between)

    const [copy = ''] = archived(scene.archive, 'lines/*/base/*.tar.zst')
    damage(copy)
    const nothing = into(scene)
    const second = await run('restore', nothing, '--to', scene.between)
    expect(second.code).toBe(1)
    expect(second.error).toInclude(`${copy.split('/').at(-1)} in the archive is damaged: there is no earlier copy`)
    expectNothing(nothing.DATA_DIR)
  },
  LONG_MS,
)

test(
  'with a passphrase nothing in the archive can be read without it, and a wrong one is refused',
  async () => {
    const scene = await makeScene({ BACKUP_PASSPHRASE_FILE: PASSPHRASE })
    const files = archived(scene.archive, '{lines,objects}/**/*').filter((path) => !path.endsWith('.json'))
    expect(files.length).toBeGreaterThan(4)
    for (const path of files) {
      expect(readFileSync(path).subarray(0, 13).toString()).toBe('parley-sealed')
      expect(statSync(path).mode & 0o777).toBe(0o600)
    }
    const restored = into(scene)
    const wrong = { ...restored, BACKUP_PASSPHRASE_FILE: WRONG }
    expect(await refused('restore', wrong, '--to', scene.between)).toBe('The passphrase is wrong.')
    const { BACKUP_PASSPHRASE_FILE: _, ...none } = restored as Record<string, string>
    expect(await refused('restore', none, '--to', scene.between)).toInclude('BACKUP_PASSPHRASE_FILE')
    expect(existsSync(restored.DATA_DIR)).toBe(false)
    await done('restore', restored, '--to', scene.between)
    expect(await textsIn(restored)).toEqual(['first zyzzyva'])
  },
  LONG_MS,
)
