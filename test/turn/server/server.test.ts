import { afterAll, expect, test } from 'bun:test'
import { readdirSync, readlinkSync } from 'node:fs'
import { ipText } from '../../../src/core/ip.ts'
import { addressesOf, Attribute, bytesOf, decode, Method, textOf } from '../../../src/turn/protocol/stun.ts'
import { TurnServer } from '../../../src/turn/server/server.ts'
import { call, stop, until } from '../../support/harness.ts'
import {
  addressOf,
  bootRelay,
  credentials,
  errorOf,
  openPeer,
  portOf,
  RelayClient,
  silence,
} from '../../support/turn-client.ts'
import { udp } from '../../support/turn-client.ts'

const relay = await bootRelay()
const port = portOf(relay)
afterAll(() => stop(relay))

test('a retransmitted Allocate or final Refresh takes effect once and gets the same response', async () => {
  const client = await RelayClient.open(port)
  await client.enter(credentials(1))
  const request = client.write(Method.allocate, udp)
  const [first, second] = [await client.ask(request), await client.ask(request)]
  expect(Buffer.from(first?.bytes ?? []).equals(Buffer.from(second?.bytes ?? []))).toBe(true)
  expect(errorOf(first)).toBe(0)
  expect((await relay.turn.count()).allocations).toBe(1)
  // RFC 8656 §7.2.
  expect(errorOf(await client.request(Method.allocate, udp))).toBe(437)
  const last = client.write(Method.refresh, (writer) => writer.number(Attribute.lifetime, 0))
  const finalResponses = [await client.ask(last), await client.ask(last)].map((answer) =>
    Buffer.from(answer?.bytes ?? []),
  )
  expect(errorOf(decode(finalResponses[0] ?? Buffer.alloc(0)))).toBe(0)
  expect(finalResponses[1]?.equals(finalResponses[0] ?? Buffer.alloc(0))).toBe(true)
  expect((await client.refresh(0)).code).toBe(437)
  expect(await client.permit(addressOf('8.8.8.8', 1))).toBe(437)
  client.close()
})

test('invalid and unsupported requests are refused with the error codes of RFC 8656', async () => {
  const client = await RelayClient.open(port)
  await client.enter(credentials(1))
  const code = async (fill: Parameters<typeof client.request>[1]) =>
    errorOf(await client.request(Method.allocate, fill))
  expect(await code(undefined)).toBe(400)
  expect(await code((w) => w.number(Attribute.requestedTransport, 6 << 24))).toBe(442)
  expect(await code((w) => udp(w).number(Attribute.requestedAddressFamily, 3 << 24))).toBe(440)
  expect(await code((w) => udp(w).number(Attribute.additionalAddressFamily, 1 << 24))).toBe(400)
  const token = new Uint8Array(8)
  expect(await code((w) => udp(w).add(Attribute.reservationToken, token))).toBe(508)
  expect(
    await code((w) => udp(w).add(Attribute.reservationToken, token).add(Attribute.evenPort, new Uint8Array(1))),
  ).toBe(400)
  const unknown = await client.request(Method.allocate, (w) => udp(w).number(0x7ffe, 1).number(0xfffe, 1))
  expect(errorOf(unknown)).toBe(420)
  expect(unknown && Buffer.from(bytesOf(unknown, Attribute.unknownAttributes) ?? []).toString('hex')).toBe('7ffe')
  await client.allocate(1)
  expect(await client.permit()).toBe(400)
  expect(await client.permit(addressOf('2600::1', 1))).toBe(443)
  expect(await client.bind(0x4000, addressOf('2600::1', 1))).toBe(443)
  for (const number of [0x0000, 0x3fff, 0x8000, 0xffff])
    expect(await client.bind(number, addressOf('8.8.8.8', 1))).toBe(400)
  expect(await client.bind(0x7fff, addressOf('8.8.8.8', 1))).toBe(0)
  await client.refresh(0)
  client.close()
})

test('a dual allocation has both families, and each can be ended separately', async () => {
  const [v4, v6] = [await openPeer(), await openPeer('::1')]
  const client = await RelayClient.open(port)
  await client.enter(credentials(1))
  const answer = await client.request(Method.allocate, (w) => udp(w).number(Attribute.additionalAddressFamily, 2 << 24))
  const relayed = (answer && addressesOf(answer, Attribute.xorRelayedAddress)) ?? []
  expect(relayed.map(({ ip }) => ipText(ip))).toEqual(['127.0.0.1', '0:0:0:0:0:0:0:1'])
  expect(await client.bind(0x4000, v4.address)).toBe(0)
  expect(await client.bind(0x4001, v6.address)).toBe(0)
  client.channelData(0x4000, 'to four')
  client.channelData(0x4001, 'to six')
  await until(() => v4.got.length === 1 && v6.got.length === 1)
  expect([v4.got[0]?.port, v6.got[0]?.port]).toEqual(relayed.map((address) => address.port))
  v6.socket.send('from six', relayed[1]?.port ?? 0, '::1')
  await until(() => client.received().includes('from six'))
  const response = await client.request(Method.refresh, (w) =>
    w.number(Attribute.lifetime, 0).number(Attribute.requestedAddressFamily, 1 << 24),
  )
  expect(errorOf(response)).toBe(0)
  client.channelData(0x4000, 'to four again')
  client.channelData(0x4001, 'to six again')
  await until(() => v6.got.length === 2)
  expect(v4.got).toHaveLength(1)
  expect(await client.permit(v4.address)).toBe(443)
  await client.refresh(0)
  client.close()
})

test('channels and indications relay in both directions, from permitted peers only', async () => {
  const [peer, stranger] = [await openPeer(), await openPeer('127.0.0.77')]
  const client = await RelayClient.open(port)
  const relayed = await client.allocate(1)
  client.indicate(peer.address, 'too early')
  expect(await client.permit(peer.address)).toBe(0)
  client.indicate(peer.address, 'by Send')
  await until(() => peer.got.length === 1)
  expect(peer.got).toEqual([{ data: 'by Send', port: relayed.port }])
  peer.socket.send('by Data', relayed.port, '127.0.0.1')
  stranger.socket.send('not permitted', relayed.port, '127.0.0.1')
  await until(() => client.got.length === 1)
  const indication = decode(client.got[0] ?? Buffer.alloc(0))
  expect(indication?.method).toBe(Method.data)
  expect(indication && addressesOf(indication, Attribute.xorPeerAddress)?.[0]?.key).toBe(peer.address.key)
  expect(await client.bind(0x4321, peer.address)).toBe(0)
  peer.socket.send('by channel', relayed.port, '127.0.0.1')
  await until(() => client.got.length === 2)
  expect(client.got[1]?.toString('latin1')).toBe('\x43\x21\x00\x0aby channel')
  await silence()
  expect(client.received()).toEqual(['by Data', 'by channel'])
  const { body } = await call(relay, 'GET', '/metrics')
  expect(body).toMatch(/^parley_turn_allocations 1$/m)
  expect(body).toMatch(/^parley_turn_packets_total\{direction="out"\} [1-9]/m)
  expect(body).toMatch(/^parley_turn_bytes_total\{direction="in"\} [1-9]/m)
  expect(body).toMatch(/^parley_turn_errors_total\{code="437"\} [1-9]/m)
  expect(body).toMatch(/^parley_turn_drops_total\{reason="no_permission"\} [1-9]/m)
  await client.refresh(0)
  client.close()
})

test('behind 1:1 NAT relayed addresses reach each other by the announced address and see it as the peer', async () => {
  const behind = await bootRelay({ TURN_ANNOUNCED_ADDRESS: '203.0.113.77', TURN_ALLOWED_PEERS: '' })
  const [alice, bob] = [await RelayClient.open(portOf(behind)), await RelayClient.open(portOf(behind))]
  const [ofAlice, ofBob] = [await alice.allocate(1), await bob.allocate(2)]
  expect([ipText(ofAlice.ip), ipText(ofBob.ip)]).toEqual(['203.0.113.77', '203.0.113.77'])
  expect(await alice.permit(ofBob)).toBe(0)
  expect(await bob.permit(ofAlice)).toBe(0)
  alice.indicate(ofBob, 'hello bob')
  await until(() => bob.got.length === 1)
  const indication = decode(bob.got[0] ?? Buffer.alloc(0))
  expect(indication && addressesOf(indication, Attribute.xorPeerAddress)?.[0]?.key).toBe(ofAlice.key)
  expect(await bob.bind(0x4000, ofAlice)).toBe(0)
  bob.channelData(0x4000, 'hello alice')
  await until(() => alice.received().includes('hello alice'))
  await stop(behind)
  alice.close()
  bob.close()
})

test('a Binding response contains the address of the client, for IPv4 and IPv6', async () => {
  for (const ip of ['127.0.0.1', '::1']) {
    const client = await RelayClient.open(port, ip)
    const answer = await client.request(Method.binding)
    const [mapped] = (answer && addressesOf(answer, Attribute.xorMappedAddress)) ?? []
    expect(mapped?.key).toBe(addressOf(ip, client.socket.port).key)
    expect(answer && textOf(answer, Attribute.realm)).toBeUndefined()
    client.close()
  }
})

test('a start that fails, which is tried again while the port is taken, leaves no descriptor open', async () => {
  const isOpen = (name: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === 'anon_inode:[eventpoll]'
    } catch {
      return false
    }
  }
  const open = () => readdirSync('/proc/self/fd').filter(isOpen).length
  const config = {
    port,
    tls_port: 0,
    relay_ports: [22000, 22003] as const,
    announced: [],
    allowed_peers: [],
    secret: 'secret',
    limits: { allocations: 1, bytes_per_s: 1000 },
  }
  const start = () => TurnServer.open(config, undefined, () => {}).catch((error: Error) => error.message)
  const before = open()
  for (let nth = 0; nth < 10; nth++) expect(await start()).toBe(`port ${port} is taken`)
  // Other threads of this process may open one meanwhile.
  expect(open() - before).toBeLessThan(5)
})
