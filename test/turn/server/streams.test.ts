import { afterAll, expect, test } from 'bun:test'
import { decode, Method, type Message, transactionOf } from '../../../src/turn/protocol/stun.ts'
import { Attribute, addressesOf, Class, longTermKey, textOf } from '../../../src/turn/protocol/stun.ts'
import { StunWriter } from '../../../src/turn/protocol/stun-writer.ts'
import { REALM } from '../../../src/turn/credentials.ts'
import { stop, until } from '../../support/harness.ts'
import {
  addressOf,
  bootRelay,
  credentials,
  openPeer,
  portOf,
  RelayClient,
  silence,
  udp,
} from '../../support/turn-client.ts'

const relay = await bootRelay({ TURN_QUOTA_BYTES_PER_SECOND: '1000000000' })
const port = portOf(relay)
afterAll(() => stop(relay))

/** A TURN client over TCP that can pause reading. */
class StreamClient {
  bytes = Buffer.alloc(0)
  closed = false
  private nonce = ''
  private key: Uint8Array = new Uint8Array()
  private username = ''
  constructor(readonly socket: Bun.Socket) {}

  static async open(): Promise<StreamClient> {
    let client: StreamClient | undefined
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data(_socket, chunk) {
          if (client) client.bytes = Buffer.concat([client.bytes, chunk])
        },
        close() {
          if (client) client.closed = true
        },
      },
    })
    client = new StreamClient(socket)
    return client
  }

  /** The complete frames that have arrived. */
  frames(): Buffer[] {
    const frames: Buffer[] = []
    for (let at = 0; at + 4 <= this.bytes.length;) {
      const size = this.bytes.readUInt16BE(at + 2)
      const length = (this.bytes[at] ?? 0) < 0x40 ? 20 + size : 4 + ((size + 3) & ~3)
      frames.push(this.bytes.subarray(at, at + length))
      at += length
    }
    return frames
  }

  async request(method: number, fill: (writer: StunWriter) => StunWriter): Promise<Message> {
    const transaction = crypto.getRandomValues(new Uint8Array(12))
    const writer = fill(new StunWriter(new ArrayBuffer(2000)).begin(method, Class.request, transaction))
    if (this.nonce) {
      writer.text(Attribute.username, this.username).text(Attribute.realm, REALM).text(Attribute.nonce, this.nonce)
      writer.integrity(this.key)
    }
    // In two pieces, since TCP does not keep frames together.
    const whole = writer.finish()
    this.socket.write(whole.slice(0, 13))
    await Bun.sleep(5)
    this.socket.write(whole.slice(13))
    let answer: Message | undefined
    await until(() => {
      answer = this.frames()
        .map((frame) => decode(frame))
        .find((message) => message && Buffer.from(transactionOf(message)).equals(Buffer.from(transaction)))
      return answer !== undefined
    })
    return answer as Message
  }

  async allocate(userId: number, fill = udp) {
    const { username, password } = credentials(userId)
    this.nonce = textOf(await this.request(Method.allocate, udp), Attribute.nonce) ?? ''
    Object.assign(this, { username, key: longTermKey(username, REALM, password) })
    const [relayed] = addressesOf(await this.request(Method.allocate, fill), Attribute.xorRelayedAddress) ?? []
    return relayed ?? addressOf('0.0.0.0', 0)
  }
}

const bind = (number: number, peer: Awaited<ReturnType<typeof openPeer>>) => (writer: StunWriter) =>
  writer.number(Attribute.channelNumber, number * 0x10000).address(Attribute.xorPeerAddress, peer.address)

test('over TCP split and joined frames are read, and ChannelData is padded to 4 bytes', async () => {
  const peer = await openPeer()
  const client = await StreamClient.open()
  const relayed = await client.allocate(1)
  expect((await client.request(Method.channelBind, bind(0x4000, peer))).class).toBe(Class.success)
  client.socket.write(Buffer.from('40000001610000004000000362636400400000046566676840000000', 'hex'))
  await until(() => peer.got.length === 4)
  expect(peer.got.map(({ data }) => data)).toEqual(['a', 'bcd', 'efgh', ''])
  client.bytes = Buffer.alloc(0)
  for (const data of ['1', '22', '333', '4444']) peer.socket.send(data, relayed.port, '127.0.0.1')
  await until(() => client.frames().length === 4)
  expect(client.bytes.toString('hex')).toBe('400000013100000040000002323200004000000333333300400000043434' + '3434')
  client.socket.end()
  await until(async () => (await relay.turn.count()).allocations === 0)
})

test('a client that does not read delays no other, uses bounded memory, and later reads whole frames', async () => {
  const peer = await openPeer()
  const [slow, quick] = [await StreamClient.open(), await RelayClient.open(port)]
  const relayed = await slow.allocate(2)
  expect((await slow.request(Method.channelBind, bind(0x4000, peer))).class).toBe(Class.success)
  const other = await quick.allocate(3)
  expect(await quick.bind(0x4000, peer.address)).toBe(0)
  slow.socket.pause()
  slow.bytes = Buffer.alloc(0)
  const data = Buffer.alloc(1199, 'x')
  const before = process.memoryUsage.rss()
  let sent = 0
  await until(async () => {
    for (let n = 0; n < 200; n++, sent++) peer.socket.send(data, relayed.port, '127.0.0.1')
    return (await relay.turn.count()).drops.slow_client > 2000
  })
  expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024)
  peer.socket.send('to the quick one', other.port, '127.0.0.1')
  await until(() => quick.received().includes('to the quick one'))
  slow.socket.resume()
  await silence()
  await until(() => slow.frames().length > 10)
  // Frames are dropped whole.
  for (const frame of slow.frames().slice(0, -1)) expect(frame.toString('latin1', 0, 4)).toBe('\x40\x00\x04\xaf')
  expect(slow.frames().length).toBeLessThan(sent)
  slow.socket.end()
  await quick.refresh(0)
  quick.close()
})

test('a packet beyond the 16-bit length is dropped, so that a peer cannot inject frames into a stream', async () => {
  const peer = await openPeer('::1')
  const client = await StreamClient.open()
  const relayed = await client.allocate(4, (writer) => udp(writer).number(Attribute.requestedAddressFamily, 2 << 24))
  const permitted = await client.request(Method.createPermission, (writer) =>
    writer.address(Attribute.xorPeerAddress, peer.address),
  )
  expect(permitted.class).toBe(Class.success)
  client.bytes = Buffer.alloc(0)
  const frames = Buffer.alloc(65_527, Buffer.from('40010004evil', 'latin1'))
  peer.socket.send(frames.subarray(0, 65_504), relayed.port, '::1')
  await until(() => client.bytes.length === 48 + 65_504)
  for (const length of [65_505, 65_527]) peer.socket.send(frames.subarray(0, length), relayed.port, '::1')
  peer.socket.send('after it', relayed.port, '::1')
  await until(() => client.bytes.includes('after it'))
  const lengths = client.frames().map((frame) => [decode(frame)?.method, frame.length])
  expect(lengths).toEqual([
    [Method.data, 48 + 65_504],
    [Method.data, 48 + 8],
  ])
  client.socket.end()
})

test('a long frame from a client without an allocation ends its connection', async () => {
  const stranger = await StreamClient.open()
  // The beginning of a message of 60,000 bytes, longer than any request without an allocation.
  const head = Buffer.from('0003ea602112a442', 'hex')
  stranger.socket.write(Buffer.concat([head, Buffer.alloc(5000)]))
  await until(() => stranger.closed)
})

test('invalid bytes end the connection', async () => {
  for (const noise of ['\xff'.repeat(64), '\x00\x01\x00\x03' + '\x00'.repeat(40)]) {
    const client = await StreamClient.open()
    client.socket.write(Buffer.from(noise, 'latin1'))
    await until(() => client.closed)
  }
})

test('one address has at most a hundred connections', async () => {
  const attempts = await Promise.all(Array.from({ length: 110 }, () => StreamClient.open().catch(() => undefined)))
  const clients = attempts.filter((client) => client !== undefined)
  await until(() => clients.filter(({ closed }) => !closed).length === 100)
  for (const client of clients) client.socket.end()
  await until(async () => {
    const again = await StreamClient.open().catch(() => undefined)
    await Bun.sleep(20)
    const isOpen = again?.closed === false
    again?.socket.end()
    return isOpen
  })
})
