import { expect, test } from 'bun:test'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { call, PASSWORD, type Person, registered, newServer, until } from '../../support/harness.ts'
import { by } from '../../support/installation.ts'
import { fill, smallDisk, type SmallDisk } from '../../support/small-disk.ts'
import { postmasterOf, SPAWN_MS, spawnParley } from '../../support/spawned.ts'
import { announce, download, put } from '../../support/uploads.ts'

const MIB = 1024 ** 2
const PENDING_UPLOADS_MAX = 3

/** Starts the server with its DATA_DIR, PostgreSQL and objects alike, on the disk. */
const startOn = (disk: SmallDisk, freeMinBytes: number) => {
  const variables = {
    DISK_FREE_MIN_BYTES: String(freeMinBytes),
    PENDING_UPLOADS_MAX: String(PENDING_UPLOADS_MAX),
  }
  return spawnParley(disk.directory, variables, disk.wrapper)
}

const content = () => randomBytes(2_900).toString('base64')

test.if(smallDisk !== undefined)(
  'on a full disk writes are refused with 507, /readyz says so, and failed uploads lock nobody out',
  async () => {
    await using disk = await smallDisk!(200 * MIB)
    const { parley, child } = await startOn(disk, 0)
    const alice = await registered(parley, 'alice')
    const { channel_id } = await newServer(alice)
    const send = () => alice.post(`/api/channels/${channel_id}/messages`, { content: content() })
    const ready = async () => (await call(parley, 'GET', '/readyz')).body
    const bytes = randomBytes(20_000)
    const upload = async () => put(await announce(alice, 'a.bin', 'application/octet-stream', bytes.length), bytes)
    expect([(await send()).status, (await upload()).status, (await ready()).status]).toEqual([201, 200, 'ok'])

    // Uploads announced while there was space.
    const announced = []
    for (let n = 1; n < PENDING_UPLOADS_MAX; n++)
      announced.push(await announce(alice, 'a.bin', 'application/octet-stream', bytes.length))
    const ballast = join(disk.seen_from_outside, 'ballast')
    await fill(ballast)
    for (const place of announced) {
      const refused = await put(place, bytes)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([507, '30'])
      expect(await refused.json()).toMatchObject({ code: 'storage_full' })
    }
    const draft = { filename: 'a.bin', content_type: 'application/octet-stream', size: bytes.length }
    expect((await alice.post('/api/files/upload-url', draft)).body.code).toBe('storage_full')
    const sent = []
    for (let n = 0; n < 60 && sent.at(-1)?.status !== 507; n++) sent.push(await send())
    expect(sent.at(-1)?.body).toMatchObject({ code: 'storage_full' })
    expect(sent.slice(0, -1).every(({ status }) => status === 201)).toBeTrue()
    // PostgreSQL frees a little space now and then, which the next messages take.
    await until(async () => {
      await send()
      return (await ready()).parts.database === 'full'
    })
    expect((await alice.get(`/api/channels/${channel_id}/messages`)).status).toBe(200)

    rmSync(ballast)
    await until(async () => (await ready()).status === 'ok')
    // Every refused upload was withdrawn, so that as many fit again.
    for (let n = 1; n < PENDING_UPLOADS_MAX; n++) expect((await upload()).status).toBe(200)
    expect((await send()).status).toBe(201)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  },
  SPAWN_MS,
)

/** Everything that the server has acknowledged. */
interface Acknowledged {
  messages: Map<number, string>
  files: Map<number, { uploader: Person; hash: string }>
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Uploads files of a few MiB until one is refused. @returns the refusal's code */
async function uploadUntilRefused(who: Person, { files }: Acknowledged): Promise<string> {
  for (;;) {
    const bytes = randomBytes(3 * MIB)
    const draft = { filename: 'a.bin', content_type: 'application/octet-stream', size: bytes.length }
    const place = await who.post('/api/files/upload-url', draft)
    if (place.status !== 201) return place.body.code
    const stored = await put(place.body, bytes)
    if (stored.status === 507) return 'storage_full'
    expect(stored.status).toBe(200)
    const file = await who.post('/api/files', { key: place.body.key })
    if (file.status !== 201) return file.body.code
    files.set(file.body.id, { uploader: who, hash: digest(bytes) })
  }
}

/** Sends until a message is refused. @returns the refusal's code */
async function sendUntilRefused(who: Person, channel_id: number, { messages }: Acknowledged): Promise<string> {
  for (;;) {
    const text = content()
    const sent = await who.post(`/api/channels/${channel_id}/messages`, { content: text })
    if (sent.status !== 201) return sent.body.code
    messages.set(sent.body.id, text)
  }
}

async function expectKept(who: Person, channel_id: number, { messages, files }: Acknowledged): Promise<void> {
  const history = new Map<number, string>()
  for (let before = Number.MAX_SAFE_INTEGER, page = [{}]; page.length > 0; before = Math.min(...history.keys())) {
    page = (await who.get(`/api/channels/${channel_id}/messages?limit=100&before=${before}`)).body
    for (const { id, content } of page as { id: number; content: string }[]) history.set(id, content)
  }
  const isLost = ([id, text]: [number, string]) => history.get(id) !== text
  expect([...messages].filter(isLost)).toEqual([])
  for (const [id, { uploader, hash }] of files)
    expect(digest(await (await download(by(who.parley, uploader), id)).bytes())).toBe(hash)
}

test.if(smallDisk !== undefined)(
  'on a disk that messages and uploads fill, uploads are refused first and then sends; a kill -9 loses nothing',
  async () => {
    await using disk = await smallDisk!(400 * MIB)
    const first = await startOn(disk, 96 * MIB)
    const [alice, bob] = [await registered(first.parley, 'alice'), await registered(first.parley, 'bob')]
    const { channel_id } = await newServer(alice, bob)
    const ready = async () => (await call(first.parley, 'GET', '/readyz')).body
    const ballast = join(disk.seen_from_outside, 'ballast')
    await fill(ballast, 130 * MIB)
    const acknowledged: Acknowledged = { messages: new Map(), files: new Map() }
    expect(await ready()).toMatchObject({ status: 'ok' })

    const sends = [alice, bob, alice, bob].map((who) => sendUntilRefused(who, channel_id, acknowledged))
    const uploads = [alice, alice, bob].map((who) => uploadUntilRefused(who, acknowledged))
    expect(await Promise.all(uploads)).toEqual(Array(3).fill('storage_full'))
    const sentBefore = acknowledged.messages.size
    expect(await Promise.all(sends)).toEqual(Array(4).fill('storage_full'))
    expect(acknowledged.messages.size).toBeGreaterThan(sentBefore)
    expect(await ready()).toMatchObject({ status: 'degraded', parts: { object_store: 'full', database: 'full' } })

    const [firstId] = acknowledged.messages.keys()
    expect((await alice.delete(`/api/messages/${firstId}`)).status).toBe(204)
    acknowledged.messages.delete(firstId ?? 0)
    const login = { username: bob.username, password: PASSWORD }
    expect((await call(first.parley, 'POST', '/api/auth/login', { body: login })).status).toBe(200)
    await expectKept(alice, channel_id, acknowledged)

    // PostgreSQL ends first: its parent must reap it, since another server would take a zombie for a running one.
    const postmaster = postmasterOf(disk.seen_from_outside) ?? 0
    process.kill(postmaster, 'SIGKILL')
    await until(() => !existsSync(`/proc/${postmaster}`))
    first.child.kill('SIGKILL')
    await first.child.exited
    const second = await startOn(disk, 96 * MIB)
    await expectKept(by(second.parley, alice), channel_id, acknowledged)

    rmSync(ballast)
    await until(async () => (await call(second.parley, 'GET', '/readyz')).body.status === 'ok')
    const again = by(second.parley, bob)
    expect((await again.post(`/api/channels/${channel_id}/messages`, { content: 'There is room' })).status).toBe(201)
    const place = await announce(again, 'a.bin', 'application/octet-stream', MIB)
    expect((await put(place, randomBytes(MIB))).status).toBe(200)
    second.child.kill('SIGTERM')
    expect(await second.child.exited).toBe(0)
  },
  2 * SPAWN_MS,
)
