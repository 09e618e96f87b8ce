import { afterAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { ipKey, parseRange } from '../../../src/core/ip.ts'
import { clientPrefix } from '../../../src/turn/protocol/addresses.ts'
import { UnauthenticatedLimit } from '../../../src/turn/server/authentication.ts'
import { PeerPolicy } from '../../../src/turn/server/peer-policy.ts'
import { Nonces } from '../../../src/turn/server/nonces.ts'
import { Attribute, Method, textOf } from '../../../src/turn/protocol/stun.ts'
import { inCommon, person, stop } from '../../support/harness.ts'
import {
  addressOf,
  bootRelay,
  credentials,
  errorOf,
  openPeer,
  portOf,
  RelayClient,
  silence,
  udp,
} from '../../support/turn-client.ts'

// Forbidden peers, authentication, and clients without credentials. Peers on this machine are denied here.
const relay = await bootRelay({ TURN_ALLOWED_PEERS: '' })
const port = portOf(relay)
afterAll(() => stop(relay))

const ALICE = 1
const MALLORY = 2
const overIPv6 = (writer: Parameters<typeof udp>[0]) => udp(writer).number(Attribute.requestedAddressFamily, 2 << 24)

/** Loopback, private, link-local and other denied addresses, and IPv6 addresses that embed them. */
const DENIED = [
  '127.0.0.2',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  'fe80::1',
  'fec0::1',
  'fc00::1',
  'fd00::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '::ffff:0:192.168.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::10.0.0.1',
  // RFC 6052 §2.2: in a /48 prefix, 10.0.0.1 is not in the last 32 bits.
  '64:ff9b:1:a00:0:100::',
  '2002:7f00:1::',
  '2002:c0a8:101::1',
  // Teredo: the client's 10.0.0.1, inverted.
  '2001:0:4136:e378:8000:63bf:f5ff:fffe',
  // Teredo: the server's address.
  '2001:0:a00:1:8000:63bf:f7f7:f7f7',
  // Documentation, benchmarks, anycast of 6to4, and other special purposes.
  '192.0.2.1',
  '198.51.100.255',
  '203.0.113.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '2001:db8::1',
  '2001:db8:ffff::1',
  '3fff::1',
  '3fff:fff::1',
  '2001:2::1',
  '5f00::1',
  '100:0:0:1::1',
  '64:ff9b::c612:1',
  // ISATAP, with every meaning of the u and g bits, below any prefix.
  '::5efe:127.0.0.1',
  '::200:5efe:127.0.0.1',
  '2600::5efe:10.0.0.1',
  '2600:1:2:3:300:5efe:192.168.0.1',
]

test('addresses next to the denied ranges are not denied', () => {
  const peers = new PeerPolicy([], [21_000, 21_999])
  const near = ['11.0.0.0', '172.32.0.0', '192.0.1.255', '192.0.3.0', '192.88.98.255', '198.17.255.255', '198.20.0.0']
  const far = ['223.255.255.255', '2001:db7::1', '2001:db9::1', '3ffe:ffff::1', '3fff:1000::1', '2600::5efe:8.8.8.8']
  for (const ip of [...near, ...far]) expect([ip, peers.permits(addressOf(ip, 1))]).toEqual([ip, true])
  for (const ip of DENIED) expect([ip, peers.permits(addressOf(ip, 1))]).toEqual([ip, false])
})

test('in the denied ranges only addresses allowed by name are permitted', () => {
  const peers = new PeerPolicy([parseRange('198.18.0.0/15'), parseRange('2001:db8::/32')], [21_000, 21_999])
  const permitted = DENIED.filter((ip) => peers.permits(addressOf(ip, 1)))
  // An IPv4 host under an IPv6 address is the same host.
  expect(permitted).toEqual(['198.18.0.1', '198.19.255.255', '2001:db8::1', '2001:db8:ffff::1', '64:ff9b::c612:1'])
})

test.each(DENIED)('%s gets no permission, no channel and no packet', async (ip) => {
  const client = await RelayClient.open(port)
  await client.allocate(ALICE, ip.includes(':') ? overIPv6 : udp)
  const peer = addressOf(ip, 4444)
  const before = (await relay.turn.count()).packets_out
  expect(await client.permit(peer)).toBe(403)
  expect(await client.bind(0x4000, peer)).toBe(403)
  client.indicate(peer, 'by Send')
  client.channelData(0x4000, 'by ChannelData')
  // RFC 8656 §10.2: one forbidden peer refuses the whole request.
  expect(await client.permit(addressOf(ip.includes(':') ? '2600::1' : '8.8.8.8', 53), peer)).toBe(403)
  client.indicate(addressOf('8.8.8.8', 53), 'by Send')
  await client.refresh(0)
  expect((await relay.turn.count()).packets_out).toBe(before)
  client.close()
})

test('other ports of the server are denied, although its address is permitted for relayed addresses', async () => {
  const listener = await openPeer()
  const client = await RelayClient.open(port)
  await client.allocate(ALICE)
  expect(await client.permit(listener.address)).toBe(0)
  for (const own of [listener.port, port, Number(new URL(relay.url).port)]) {
    expect(await client.bind(0x4001, addressOf('127.0.0.1', own))).toBe(403)
    client.indicate(addressOf('127.0.0.1', own), 'by Send')
  }
  await silence()
  expect(listener.got).toEqual([])
  expect((await relay.turn.count()).drops.denied_peer).toBe(3)
  await client.refresh(0)
  client.close()
})

test('only the SFU’s address and port can be reached, by a channel too, and only while the SFU runs', async () => {
  const [sfu, beside] = [await openPeer(), await openPeer()]
  relay.turn.allowSfu([{ ip: '127.0.0.1', port: sfu.port }])
  const client = await RelayClient.open(port)
  await client.allocate(ALICE)
  expect(await client.bind(0x4000, sfu.address)).toBe(0)
  expect(await client.bind(0x4001, beside.address)).toBe(403)
  client.channelData(0x4000, 'while it is there')
  client.indicate(beside.address, 'beside it')
  await silence()
  relay.turn.allowSfu([])
  await client.refresh()
  client.channelData(0x4000, 'when it is gone')
  await silence()
  expect([sfu.got.map(({ data }) => data), beside.got]).toEqual([['while it is there'], []])
  await client.refresh(0)
  client.close()
})

test('missing, forged and expired credentials cannot allocate', async () => {
  const client = await RelayClient.open(port)
  expect(errorOf(await client.request(Method.allocate, udp))).toBe(401)
  const good = credentials(ALICE)
  const nowS = Math.floor(Date.now() / 1000)
  const cases: [number, { username: string; password: string }][] = [
    [401, credentials(ALICE, nowS - 1)],
    [401, { ...good, password: credentials(MALLORY).password }],
    [401, { ...good, username: good.username.replace(/:.*/, ':3') }],
    [401, { ...good, username: `${nowS + 999_999}:${ALICE}` }],
    [401, { ...good, username: 'admin' }],
    [401, { ...good, username: '' }],
    [401, { ...good, password: '' }],
  ]
  for (const [code, attributes] of cases) {
    await client.enter(attributes)
    expect([attributes.username, errorOf(await client.request(Method.allocate, udp))]).toEqual([
      attributes.username,
      code,
    ])
  }
  expect((await relay.turn.count()).allocations).toBe(0)
  client.close()
})

test('a captured request is refused from another address, and an unknown nonce is stale', async () => {
  const alice = await RelayClient.open(port)
  const mallory = await RelayClient.open(port)
  await alice.enter(credentials(ALICE))
  const captured = alice.write(Method.allocate, udp)
  expect(errorOf(await mallory.ask(captured))).toBe(438)
  for (const nonce of ['0'.repeat(32), 'x', alice.nonce.replace(/^./, 'f'), `${alice.nonce} `]) {
    const savedNonce = alice.nonce
    alice.nonce = nonce
    const answer = await alice.request(Method.allocate, udp)
    expect([nonce, errorOf(answer)]).toEqual([nonce, 438])
    // RFC 8489 §9.2.4: the response contains a valid nonce.
    expect(answer && textOf(answer, Attribute.nonce)).toHaveLength(32)
    alice.nonce = savedNonce
  }
  expect((await relay.turn.count()).allocations).toBe(0)
  alice.close()
  mallory.close()
})

test('the addresses of one /64 share one limit', () => {
  const prefix = (ip: string) => ipKey(clientPrefix(addressOf(ip, 1).ip))
  expect(prefix('2600:1:2:3:4:5:6:7')).toBe(prefix('2600:1:2:3::1'))
  expect(prefix('2600:1:2:4::1')).not.toBe(prefix('2600:1:2:3::1'))
  expect(prefix('8.8.8.8')).not.toBe(prefix('8.8.8.9'))
  const limit = new UnauthenticatedLimit()
  const admitted = Array.from({ length: 200 }, (_, nth) =>
    limit.admit(addressOf(`2600:1:2:3::${nth.toString(16)}`, 1), 0),
  )
  expect(admitted.filter(Boolean)).toHaveLength(100)
})

test('a nonce is valid for 600 s and for one address', () => {
  const nonces = new Nonces(new Uint8Array(32))
  const nonce = nonces.issue('udp 192.0.2.1 5000', 1_000_000)
  expect(nonces.isValid(nonce, 'udp 192.0.2.1 5000', 1_000_600)).toBe(true)
  expect(nonces.isValid(nonce, 'udp 192.0.2.1 5000', 1_000_601)).toBe(false)
  expect(nonces.isValid(nonce, 'udp 192.0.2.1 5000', 999_000)).toBe(false)
  expect(nonces.isValid(nonce, 'udp 192.0.2.1 5001', 1_000_000)).toBe(false)
  expect(new Nonces(new Uint8Array(32).fill(1)).isValid(nonce, 'udp 192.0.2.1 5000', 1_000_000)).toBe(false)
})

test("another user's credentials get 441 on an allocation", async () => {
  const client = await RelayClient.open(port)
  await client.allocate(ALICE)
  const alice = { ...client }
  await client.enter(credentials(MALLORY)).catch(() => {})
  expect(await client.permit(addressOf('8.8.8.8', 53))).toBe(441)
  expect(await client.bind(0x4000, addressOf('8.8.8.8', 53))).toBe(441)
  expect((await client.refresh(0)).code).toBe(441)
  Object.assign(client, { username: alice.username, key: alice.key })
  expect(await client.refresh()).toEqual({ code: 0, lifetime: 600 })
  expect((await client.refresh(0)).code).toBe(0)
  client.close()
})

test('an allocation outlives its credentials: only Allocate checks their expiry', async () => {
  const alice = await person(relay, 'alice')
  await relay.parts.sql`update sessions set created_at = now() - interval '1 day' where user_id = ${alice.id}`
  const restarted = await bootRelay({ ...inCommon(relay), TURN_ALLOWED_PEERS: '' })
  const client = await RelayClient.open(portOf(restarted))
  await client.enter(credentials(alice.id, Math.floor(Date.now() / 1000) + 2))
  expect(errorOf(await client.request(Method.allocate, udp))).toBe(0)
  await Bun.sleep(2100)
  expect(await client.refresh()).toEqual({ code: 0, lifetime: 600 })
  expect(await client.permit(addressOf('8.8.8.8', 53))).toBe(0)
  expect((await client.refresh(0)).code).toBe(0)
  expect(errorOf(await client.request(Method.allocate, udp))).toBe(401)
  client.close()
  await stop(restarted)
})

test('a client without credentials gets at most 100 responses per second, with fewer bytes than it sent', async () => {
  const unauthenticated = await RelayClient.open(port, '127.0.0.99')
  await Bun.sleep(1000 - (performance.now() % 1000))
  const smallest = [unauthenticated.write(Method.allocate), unauthenticated.write(Method.binding)]
  for (let sent = 0; sent < 500; sent++) unauthenticated.send(smallest[sent % 2] ?? new Uint8Array())
  await silence()
  expect(unauthenticated.got.length).toBeGreaterThan(90)
  expect(unauthenticated.got.length).toBeLessThanOrEqual(200)
  const answered = unauthenticated.got.length
  expect(unauthenticated.bytes_in / answered / (unauthenticated.bytes_out / 500)).toBeLessThan(3)
  expect(unauthenticated.bytes_in).toBeLessThan(unauthenticated.bytes_out)
  // Other clients are not affected.
  const alice = await RelayClient.open(port)
  await alice.allocate(ALICE)
  await alice.refresh(0)
  alice.close()
  unauthenticated.close()
})

/** Counts only descriptors of UDP sockets: connections to the database come and go. */
function udpSocketsOf(directory: string): number {
  const tables = ['/proc/net/udp', '/proc/net/udp6'].map((path) => readFileSync(path, 'utf8'))
  const inodes = new Set(tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)[9])))
  const targets = readdirSync(directory).map((fd) => {
    try {
      return readlinkSync(`${directory}/${fd}`)
    } catch {
      return ''
    }
  })
  return targets.filter((target) => inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '')).length
}

test('a hundred thousand unauthenticated Allocates leave no state behind', async () => {
  const unauthenticated = await RelayClient.open(port, '127.0.0.98')
  const open = () => udpSocketsOf('/proc/self/fd')
  const before = open()
  for (let sent = 0; sent < 100_000; sent++) {
    unauthenticated.send(unauthenticated.write(Method.allocate, udp))
    if (sent % 500 === 0) await Bun.sleep(0)
  }
  await silence()
  const { allocations, errors, drops } = await relay.turn.count()
  expect(allocations).toBe(0)
  expect(open()).toBe(before)
  expect(errors[401] + drops.limited).toBeGreaterThan(1000)
  const alice = await RelayClient.open(port)
  await alice.allocate(ALICE)
  await alice.refresh(0)
  alice.close()
  unauthenticated.close()
})
