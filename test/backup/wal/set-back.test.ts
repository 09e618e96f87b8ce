import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DirectoryArchive } from '../../../src/backup/wal/archive-store.ts'
import { hasDiverged } from '../../../src/backup/wal/divergence.ts'
import { pieceName, segmentName, walFolder } from '../../../src/backup/wal/names.ts'
import { Sealer, Unsealer } from '../../../src/backup/wal/sealing.ts'
import { done, startOn } from '../../support/backups.ts'
import { newServer, person, say, stop } from '../../support/harness.ts'
import { dataDirectory, preparedDirectory } from '../../support/spawned.ts'
import { archived, archiveDirectory, damage, mount, textsIn, unmount } from '../../support/wal-archives.ts'

const LONG_MS = 300_000
/** More WAL than the first server wrote after the copy, so that positions do not show it. */
const BALLAST_ROWS = 2_000
const SEGMENT_BYTES = 1024 ** 2

/** Copies a stopped DATA_DIR, as a snapshot of its disk does. */
function copyOf(data: string): string {
  const copy = `${data}.copy`
  expect(Bun.spawnSync(['cp', '-a', data, copy]).exitCode).toBe(0)
  return copy
}

const passphrases = [undefined, 'correct horse battery']

test.each(passphrases)(
  'a DATA_DIR that was set back while its archive was away begins a new line, and both pasts can be restored (%p)',
  async (passphrase) => {
    const archive = archiveDirectory()
    const file = join(archive, '../passphrase')
    if (passphrase) await Bun.write(file, passphrase)
    const sealed: Record<string, string> = passphrase ? { BACKUP_PASSPHRASE_FILE: file } : {}
    const variables = { DATA_DIR: preparedDirectory(), WAL_ARCHIVE: archive, ...sealed }
    const first = await startOn(variables)
    const alice = await person(first, 'alice')
    const { channel_id } = await newServer(alice)
    await first.archive?.settle()
    await say(alice, channel_id, 'one')
    await stop(first)
    const copy = copyOf(variables.DATA_DIR)

    const second = await startOn(variables)
    await say(Object.assign(alice, { parley: second }), channel_id, 'two')
    await second.archive?.settle()
    const before = new Date().toISOString()
    await stop(second)

    unmount(archive)
    rmSync(variables.DATA_DIR, { recursive: true })
    expect(Bun.spawnSync(['mv', copy, variables.DATA_DIR]).exitCode).toBe(0)
    const third = await startOn(variables)
    await say(Object.assign(alice, { parley: third }), channel_id, 'another two')
    await third.parts.sql`create table ballast as
      select repeat(md5(n::text), 40) from generate_series(1, ${BALLAST_ROWS}::int) n`
    await third.archive?.run()
    expect(third.archive?.facts).toMatchObject({ state: 'away', gaps: 0 })
    mount(archive)
    await third.archive?.settle()
    expect(third.archive?.facts).toMatchObject({ state: 'ok', gaps: 1 })
    await stop(third)
    expect(archived(archive, 'lines/*/line.json')).toHaveLength(2)

    const latest = { ...variables, DATA_DIR: dataDirectory() }
    await done('restore', latest, '--to', 'latest')
    expect(await textsIn(latest)).toEqual(['one', 'another two'])
    const earlier = { ...variables, DATA_DIR: dataDirectory() }
    await done('restore', earlier, '--to', before)
    expect(await textsIn(earlier)).toEqual(['one', 'two'])
  },
  LONG_MS,
)

test('a line fits its cluster if pg_wal has the same bytes at its end, or has removed them', async () => {
  const home = mkdtempSync(join(tmpdir(), 'divergence-'))
  const archive = new DirectoryArchive(join(home, 'archive'), home, 0)
  const wal = Buffer.alloc(SEGMENT_BYTES, 7)
  // The headers of pages have their positions; zeros pass for unused pages.
  for (let page = 0; page < SEGMENT_BYTES; page += 8192) wal.fill(0, page, page + 24)
  const segment = join(home, segmentName(1, 0n, SEGMENT_BYTES))
  writeFileSync(segment, wal)
  const ends = [0n, 3_000n, 20_000n, BigInt(SEGMENT_BYTES)]
  const pieces = ends
    .slice(1)
    .map((to, at) => ({ name: pieceName(ends[at] ?? 0n, to), from: ends[at] ?? 0n, to, at: 1 }))
  const paths = pieces.map(({ name }) => join(home, 'archive', walFolder('line'), name))
  await archive.put('archive.json', chunks(Buffer.from('{}')))
  for (const { name, from, to } of pieces)
    await archive.put(
      `${walFolder('line')}/${name}`,
      new Sealer(undefined).pack(wal.subarray(Number(from), Number(to))),
    )
  const unsealer = new Unsealer(archive, async () => '')
  const isOther = () => hasDiverged('line', pieces, unsealer, home, 1, SEGMENT_BYTES)
  expect(await isOther()).toBe(false)
  for (const place of [100, 5_000, SEGMENT_BYTES - 1]) {
    const other = Buffer.from(wal)
    other[place] = 8
    writeFileSync(segment, other)
    expect([place, await isOther()]).toEqual([place, true])
  }
  writeFileSync(segment, wal.subarray(0, 30_000))
  expect(await isOther()).toBe(true)
  rmSync(segment)
  expect(await isOther()).toBe(false)
  writeFileSync(segment, wal)
  damage(paths[1] ?? '')
  expect(await isOther()).toBe(true)
  rmSync(paths[1] ?? '')
  expect(await isOther()).toBe(true)
})

async function* chunks(bytes: Buffer) {
  yield bytes
}
