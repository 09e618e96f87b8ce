import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Attribute, Method } from '../../../src/turn/protocol/stun.ts'
import {
  bootRelay,
  credentials,
  errorOf,
  openPeer,
  portOf,
  RelayClient,
  silence,
  udp,
} from '../../support/turn-client.ts'
import { stop, until } from '../../support/harness.ts'

// Attacks of one user on others.
const relay = await bootRelay({ TURN_QUOTA_ALLOCATIONS: '4', TURN_QUOTA_BYTES_PER_SECOND: '200000' })
const port = portOf(relay)
afterAll(() => stop(relay))

let accounts = 100
const newAccount = () => ++accounts

test('an unreachable peer does not affect packets to another peer', async () => {
  const [live, dead] = [await openPeer(), await openPeer()]
  dead.socket.close()
  const client = await RelayClient.open(port)
  await client.allocate(newAccount())
  expect(await client.bind(0x4000, live.address)).toBe(0)
  expect(await client.bind(0x4001, dead.address)).toBe(0)
  for (let sent = 0; sent < 200; sent++) {
    client.channelData(0x4001, `dead ${sent}`)
    client.channelData(0x4000, `live ${sent}`)
    if (sent % 20 === 0) await Bun.sleep(1)
  }
  await until(() => live.got.length === 200)
  expect(live.got.map(({ data }) => data)).toEqual(Array.from({ length: 200 }, (_, at) => `live ${at}`))
  await client.refresh(0)
  client.close()
})

test('an account over its quota of relay ports gets 486 from any address, other accounts do not', async () => {
  const mallory = newAccount()
  const clients = await Promise.all(Array.from({ length: 5 }, () => RelayClient.open(port)))
  const codes: number[] = []
  for (const client of clients) {
    await client.enter(credentials(mallory))
    codes.push(errorOf(await client.request(Method.allocate, udp)))
  }
  expect(codes).toEqual([0, 0, 0, 0, 486])
  const alice = await RelayClient.open(port)
  await alice.allocate(newAccount())
  // An ended allocation frees its port; a pair of ports needs two.
  await clients[0]?.refresh(0)
  const pair = await clients[4]?.request(Method.allocate, (writer) =>
    udp(writer).add(Attribute.evenPort, new Uint8Array([0x80])),
  )
  expect(errorOf(pair)).toBe(486)
  expect(errorOf(await clients[4]?.request(Method.allocate, udp))).toBe(0)
  for (const client of [...clients, alice]) {
    await client.refresh(0)
    client.close()
  }
})

test('an account over its byte rate loses packets, other accounts do not', async () => {
  const peer = await openPeer()
  const [mallory, alice] = [await RelayClient.open(port), await RelayClient.open(port)]
  for (const client of [mallory, alice]) {
    await client.allocate(newAccount())
    await client.bind(0x4000, peer.address)
  }
  const before = await relay.turn.count()
  for (let sent = 0; sent < 1000; sent++) {
    mallory.channelData(0x4000, 'm'.repeat(1000))
    if (sent % 20 === 0) await Bun.sleep(1)
  }
  alice.channelData(0x4000, 'from alice')
  await until(() => peer.got.some(({ data }) => data === 'from alice'))
  const after = await relay.turn.count()
  const passed = after.bytes_out - before.bytes_out
  // The burst of two seconds, and the refill of the next one or two.
  expect(passed).toBeGreaterThan(390_000)
  expect(passed).toBeLessThan(800_000)
  expect(after.drops.quota).toBeGreaterThan(before.drops.quota)
  for (const client of [mallory, alice]) {
    await client.refresh(0)
    client.close()
  }
})

test('empty packets count towards the quota', async () => {
  const peer = await openPeer()
  const mallory = await RelayClient.open(port)
  await mallory.allocate(newAccount())
  await mallory.bind(0x4000, peer.address)
  for (let sent = 0; sent < 500; sent++) mallory.channelData(0x4000, 'm'.repeat(1000))
  const before = await relay.turn.count()
  for (let sent = 0; sent < 30_000; sent++) {
    mallory.channelData(0x4000, '')
    if (sent % 500 === 0) await Bun.sleep(0)
  }
  await silence()
  const { packets_out, drops } = await relay.turn.count()
  // The burst is used up. 200,000 bytes refill per second, and each packet costs 28 bytes of headers.
  expect(packets_out - before.packets_out).toBeLessThan(25_000)
  expect(drops.quota).toBeGreaterThan(before.drops.quota)
  await mallory.refresh(0)
  mallory.close()
})

test("allocations that are created and ended between another user's packets do not affect those packets", async () => {
  const peer = await openPeer()
  const [alice, mallory] = [await RelayClient.open(port), await RelayClient.open(port)]
  await alice.allocate(newAccount())
  await alice.bind(0x4000, peer.address)
  await mallory.enter(credentials(newAccount()))
  const sent = new Set<string>()
  for (let round = 0; round < 60; round++) {
    for (let n = 0; n < 10; n++) {
      const data = `${round} ${n} ${'x'.repeat(n * 7)}`
      sent.add(data)
      alice.channelData(0x4000, data)
      if (n === 3) mallory.send(mallory.write(Method.allocate, udp))
      if (n === 6) mallory.send(mallory.write(Method.refresh, (writer) => writer.number(Attribute.lifetime, 0)))
    }
    if (round % 3 === 0) await Bun.sleep(1)
  }
  await until(() => peer.got.length === sent.size)
  expect(new Set(peer.got.map(({ data }) => data))).toEqual(sent)
  expect((await relay.turn.count()).drops.fault).toBe(0)
  for (const client of [alice, mallory]) {
    await client.refresh(0)
    client.close()
  }
})

test('an allocation over its limit of permissions and channels gets 508', async () => {
  const client = await RelayClient.open(port)
  await client.allocate(newAccount())
  const peers = Array.from({ length: 130 }, (_, at) => `127.0.1.${at + 1}`)
  const { address } = await openPeer()
  const at = (ip: string) => ({ ...address, ip: new Uint8Array(ip.split('.').map(Number)) })
  const codes: number[] = []
  for (const [nth, ip] of peers.entries()) codes.push(await client.bind(0x4000 + nth, at(ip)))
  expect(codes.filter((code) => code === 0)).toHaveLength(128)
  expect(codes.slice(128)).toEqual([508, 508])
  expect(await client.permit(at('127.0.2.1'))).toBe(508)
  expect(await client.permit(at('127.0.1.1'))).toBe(0)
  await client.refresh(0)
  client.close()
})

test('twenty thousand malformed packets, with and without credentials, cause no fault', async () => {
  const peer = await openPeer()
  const client = await RelayClient.open(port)
  await client.allocate(newAccount())
  await client.bind(0x4000, peer.address)
  const good = [
    client.write(Method.allocate, udp),
    client.write(Method.refresh),
    client.write(Method.channelBind, (w) => w.number(Attribute.channelNumber, 0x40000000)),
    client.write(Method.createPermission, (w) => w.address(Attribute.xorPeerAddress, peer.address)),
    new Uint8Array([0x40, 0, 0, 4, 1, 2, 3, 4]),
  ]
  const stranger = await RelayClient.open(port, '127.0.0.97')
  const packet = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .tuple(fc.constantFrom(...good), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }), fc.nat())
      .map(([bytes, changes, cut]) => {
        const changed = bytes.slice(0, cut % 5 === 0 ? cut % bytes.length : bytes.length)
        for (const [where, to] of changes) if (changed.length > 0) changed[where % changed.length] = to
        return changed
      }),
  )
  for (const [at, bytes] of fc.sample(packet, 20_000).entries()) {
    ;(at % 2 === 0 ? client : stranger).send(bytes)
    if (at % 100 === 0) await Bun.sleep(1)
  }
  await silence()
  const { drops } = await relay.turn.count()
  expect(drops.malformed).toBeGreaterThan(1000)
  expect(drops.fault).toBe(0)
  const other = await RelayClient.open(port)
  await other.allocate(newAccount())
  expect(await other.bind(0x4000, peer.address)).toBe(0)
  peer.got.length = 0
  other.channelData(0x4000, 'still here')
  await until(() => peer.got.some(({ data }) => data === 'still here'))
  for (const one of [client, other]) {
    await one.refresh(0)
    one.close()
  }
  stranger.close()
})
