import { expect, test } from 'bun:test'
import { inflateRawSync } from 'node:zlib'
import { COMPRESSED_BYTES_MIN, packed, packedStart, withEnd } from '../../src/gateway/compression.ts'
import { SnapshotPart } from '../../src/gateway/snapshots.ts'
import { seeded } from '../support/happenings.ts'
import { say, standard } from '../support/harness.ts'
import { passersBy } from '../support/people.ts'
import { place } from '../support/places.ts'
import { connect, type Frame, gatewayUrl, newestS } from '../support/socket.ts'

const parley = await standard()
const [alice, bob] = await passersBy(parley, 'alice', 'bob')

const LONG = 'A kingfisher above the water. '.repeat(50)

const bytesOf = (frame: Frame) => Buffer.byteLength(JSON.stringify(frame))

/** Frames without the field that differs between two connections, and without presences, which come late. */
const contentsOf = (frames: Frame[]) =>
  frames
    .filter(({ t }) => t !== 'presence.updated')
    .map(({ t, s, d }) => ({ t, s, d: t === 'ready' ? { ...d, server_time: null } : d }))

test('a socket that asks for compression receives the same frames, fresh, live and in a resume', async () => {
  const { channel_id } = await place(alice, bob)
  const queries = ['', '&intents=messages', '&intents=messages,content']
  const plain = await Promise.all(queries.map((query) => connect(bob, query)))
  const small = await Promise.all(queries.map((query) => connect(bob, `${query}&compress=deflate`)))
  const s = newestS(plain[0]!)
  for (const content of [LONG, 'A wren', 'Зимородок '.repeat(120)]) await say(alice, channel_id, content)
  await alice.put(`/api/channels/${channel_id}`, { topic: 'Owls' })
  for (const gateway of [...plain, ...small]) await gateway.settled()
  plain.push(await connect(bob, `&s=${s}`))
  small.push(await connect(bob, `&s=${s}&compress=deflate`))
  for (const [at, gateway] of small.entries()) {
    expect(contentsOf(gateway.frames)).toEqual(contentsOf(plain[at]!.frames))
    expect(plain[at]!.compressed.size).toBe(0)
    // Without content, no message is large.
    const large = gateway.frames.filter((frame) => bytesOf(frame) > COMPRESSED_BYTES_MIN)
    expect([...gateway.compressed].map(({ t, s: id }) => [t, id])).toEqual(large.map(({ t, s: id }) => [t, id]))
    expect(large.some(({ t }) => t === 'message.created')).toBe(at !== 1)
  }
  for (const gateway of [...plain, ...small]) gateway.close()
})

test('a large snapshot arrives whole and compressed for each member, also after a channel was lost', async () => {
  const { server_id, everyone } = await place(alice, bob)
  for (let n = 0; n < 12; n++) {
    const channel = await alice.post(`/api/servers/${server_id}/channels`, { name: `ведро-${n}`, type: 'text' })
    expect(channel.status).toBe(201)
  }
  const open = async () => {
    const [plain, small] = await Promise.all([connect(bob), connect(bob, '&compress=deflate')])
    const snapshots = small.of('server.snapshot')
    expect(snapshots).toEqual(plain.of('server.snapshot'))
    for (const frame of snapshots) expect(small.compressed.has(frame)).toBe(true)
    for (const gateway of [plain, small]) gateway.close()
    return snapshots.find(({ d }) => d.server.id === server_id)?.d
  }
  const before = await open()
  expect(before.me.user.id).toBe(bob.id)
  const lost = before.channels[3].id
  expect((await alice.put(`/api/channels/${lost}/permissions/${everyone}`, { deny: 1024 })).status).toBe(200)
  expect((await open()).channels.map(({ id }: { id: number }) => id)).not.toContain(lost)
})

test('a snapshot of less than 1 KiB stays text', () => {
  const [small, large] = [new SnapshotPart('{"t":"server.snapshot","d":{"server":1', ',"channels":[]'), LONG]
  expect(small.packed('{}')).toBe(small.text('{}'))
  const frame = new SnapshotPart(large, '').packed('{}')
  expect(typeof frame === 'string' ? '' : inflateRawSync(frame).toString()).toBe(`${large},"me":{}}}`)
})

test('an end of any length follows a start that was compressed earlier', () => {
  const random = seeded(7)
  const letters = ['a', 'é', 'Я', '漢', '🦉', '"']
  const textOf = (length: number) =>
    Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('')
  for (const [startLength, endLength] of [
    [0, 0],
    [1, 1],
    [5, 0],
    [0, 5],
    [40_000, 300],
    [300, 16_000],
  ] as const) {
    const [start, end] = [textOf(startLength), textOf(endLength)]
    const shared = packedStart(start)
    for (const last of [end, 'again', '']) expect(inflateRawSync(withEnd(shared, last)).toString()).toBe(start + last)
  }
})

test('frames of more than 1 KiB, counted in bytes, are compressed', () => {
  for (const [text, isCompressed] of [
    ['x'.repeat(1024), false],
    ['x'.repeat(1025), true],
    ['漢'.repeat(341), false],
    ['漢'.repeat(342), true],
  ] as const) {
    const frame = packed(text)
    expect(typeof frame !== 'string').toBe(isCompressed)
    expect(typeof frame === 'string' ? frame : inflateRawSync(frame).toString()).toBe(text)
  }
})

test('an unknown compression is refused before the upgrade', async () => {
  for (const compress of ['gzip', '', 'deflate,zstd']) {
    const url = gatewayUrl(parley, `token=${bob.token}&compress=${compress}`).replace('ws', 'http')
    expect([compress, (await fetch(url)).status]).toEqual([compress, 400])
  }
})
