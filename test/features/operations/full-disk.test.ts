import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Parley } from '../../../src/parley.ts'
import { call, registered, room, standard, until } from '../../support/harness.ts'
import { dataDirectory, SPAWN_MS } from '../../support/spawned.ts'
import { announce, put } from '../../support/uploads.ts'

/** A file system of its own needs a mount namespace of its own, which only root makes. */
const may_mount = process.platform === 'linux' && process.getuid?.() === 0 && Bun.which('unshare') !== null
const PENDING_UPLOADS_MAX = 3

/** Starts the server with its DATA_DIR, PostgreSQL and objects alike, on a small file system of its own. */
async function onSmallDisk() {
  const DATA_DIR = dataDirectory()
  mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 })
  const mounted = 'mount -t tmpfs -o size=200m,mode=700 tmpfs "$DATA_DIR" && exec "$0" "$1"'
  const main = join(import.meta.dir, '../../../src/main.ts')
  const child = Bun.spawn(['unshare', '--mount', 'sh', '-c', mounted, process.execPath, main], {
    env: {
      PATH: process.env.PATH ?? '',
      TMPDIR: tmpdir(),
      PORT: '0',
      DATA_DIR,
      TURN_PORT: 'off',
      MEDIA_WORKER: 'off',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      PENDING_UPLOADS_MAX: String(PENDING_UPLOADS_MAX),
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let said = ''
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) if ((said += chunk).includes('\n')) break
  const [, url = ''] = /listens on (\S+)/.exec(said) ?? []
  const parley = { url, routes: (await standard()).routes } as Parley
  return { parley, child, ballast: join(`/proc/${child.pid}/root`, DATA_DIR, 'ballast') }
}

/** Writes a file until not one byte more fits. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1)
    try {
      while (true) writeSync(file, Buffer.alloc(bytes))
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
    }
  closeSync(file)
}

test.if(may_mount)(
  'on a full disk writes are refused with 503, /readyz names the parts, and failed uploads lock nobody out',
  async () => {
    const { parley, child, ballast } = await onSmallDisk()
    const alice = await registered(parley, 'alice')
    const { channel_id } = await room(alice)
    const send = () =>
      alice.post(`/api/channels/${channel_id}/messages`, { content: randomBytes(2_900).toString('base64') })
    const ready = async () => (await call(parley, 'GET', '/readyz')).body
    const bytes = randomBytes(20_000)
    const upload = async () => put(await announce(alice, 'a.bin', 'application/octet-stream', bytes.length), bytes)
    expect([(await send()).status, (await upload()).status, (await ready()).status]).toEqual([201, 200, 'ok'])

    fill(ballast)
    for (let n = 0; n < 2 * PENDING_UPLOADS_MAX; n++) {
      const refused = await upload()
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
    }
    const sent = []
    for (let n = 0; n < 60 && sent.at(-1)?.status !== 503; n++) sent.push(await send())
    expect(sent.at(-1)?.body).toMatchObject({ code: 'unavailable', detail: 'The database has no space to write' })
    expect(sent.slice(0, -1).every(({ status }) => status === 201)).toBeTrue()
    expect(await ready()).toMatchObject({ status: 'degraded', parts: { database: 'full', object_store: 'full' } })
    expect((await alice.get(`/api/channels/${channel_id}/messages`)).status).toBe(200)

    rmSync(ballast)
    await until(async () => (await ready()).status === 'ok')
    expect([(await send()).status, (await upload()).status]).toEqual([201, 200])
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  },
  SPAWN_MS,
)
