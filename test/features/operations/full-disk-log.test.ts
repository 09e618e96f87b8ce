import { expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openInstance } from '../../../src/database/embedded-instance.ts'
import type { Parley } from '../../../src/parley.ts'
import { call, registered, newServer, standard, until } from '../../support/harness.ts'
import { by } from '../../support/installation.ts'
import { fill, smallDisk, type SmallDisk } from '../../support/small-disk.ts'
import { launch, SPAWN_MS } from '../../support/spawned.ts'

const MIB = 1024 ** 2

/** Starts the server on the disk, where its log is a file too. */
async function startLogging(disk: SmallDisk) {
  const log = join(disk.directory, 'server.log')
  const lines = () => {
    const text = readFileSync(join(disk.seen_from_outside, 'server.log'), 'latin1')
    return text.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
  }
  const wrapper = [...disk.wrapper, 'sh', '-c', 'exec "$@" > "$0"', log]
  const child = launch(disk.directory, { LOG_LEVEL: 'info' }, wrapper)
  let url: string | undefined
  await until(() => {
    try {
      url = lines().flatMap((line) => /"url":"([^"]+)"/.exec(line)?.[1] ?? [])[0]
    } catch {
      // The file is not there yet.
    }
    return url !== undefined
  }, SPAWN_MS)
  const parley = { url, routes: (await standard()).routes } as Parley
  const events = (name: string) => lines().filter((line) => line.includes(`"event":"${name}"`))
  return { child, parley, events }
}

test.if(smallDisk !== undefined)(
  'a server whose log cannot be written goes on, and logs again when there is room; a refusal for space is no fault',
  async () => {
    await using disk = await smallDisk!(200 * MIB)
    const { child, parley, events } = await startLogging(disk)
    const alice = await registered(parley, 'alice')
    const { channel_id } = await newServer(alice)
    const ballast = join(disk.seen_from_outside, 'ballast')
    await fill(ballast)
    const draft = { filename: 'a.bin', content_type: 'application/octet-stream', size: 20_000 }
    for (let n = 0; n < 200; n++) {
      // Each refusal is a line of the log, which fills the rest of its last page.
      expect((await alice.post('/api/files/upload-url', draft)).status).toBe(507)
    }
    expect(child.exitCode).toBeNull()
    expect(events('request.failed')).toEqual([])

    rmSync(ballast)
    const written = events('request').length
    await until(async () => {
      expect((await alice.get(`/api/channels/${channel_id}/messages`)).status).toBe(200)
      return events('request').length > written
    })
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  },
  SPAWN_MS,
)

test.if(smallDisk !== undefined)(
  'a PostgreSQL that has no space to recover is reported once with the reason, and serves again when there is room',
  async () => {
    await using disk = await smallDisk!(200 * MIB)
    const { child, parley, events } = await startLogging(disk)
    const alice = await registered(parley, 'alice')
    const { channel_id } = await newServer(alice)
    const sent = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'A kingfisher!' })
    expect(sent.status).toBe(201)
    const sql = openInstance(join(disk.seen_from_outside, 'postgres/run'))
    await sql`select 1`
    const ballast = join(disk.seen_from_outside, 'ballast')
    // Enough for the log of this process, nothing for another segment of the write-ahead log.
    await fill(ballast, MIB)
    // Writes as much as weeks of small changes.
    const flood = async () => {
      for (;;) await sql`select pg_logical_emit_message(true, 'test', repeat('x', 100000))`
    }
    await expect(flood()).rejects.toThrow()
    await sql.end({ timeout: 1 })
    await until(async () => {
      await fill(`${ballast}-${Bun.randomUUIDv7()}`, MIB / 2)
      return events('postgres.died').length > 0
    })
    const away = await alice.get('/api/users/me')
    expect([away.status, away.body.code]).toEqual([503, 'unavailable'])
    await Bun.sleep(5_000)
    expect(events('postgres.died')).toEqual([expect.stringContaining('No space left on device')])
    expect(events('threads').length).toBeLessThan(5)

    Bun.spawnSync(['sh', '-c', `rm -f ${ballast}*`])
    await until(async () => (await call(parley, 'GET', '/readyz')).body.status === 'ok', 60_000)
    const history = await by(parley, alice).get(`/api/channels/${channel_id}/messages`)
    expect(history.body.map(({ content }: { content: string }) => content)).toEqual(['A kingfisher!'])
    await until(() => events('postgres.recovered').length > 0)
    expect(events('postgres.recovered')).toHaveLength(1)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  },
  2 * SPAWN_MS,
)
