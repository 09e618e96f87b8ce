import { parseIp } from '../src/core/ip.ts'
import { type Address, transportAddress } from '../src/turn/protocol/addresses.ts'
import { credentialsFor, REALM } from '../src/turn/credentials.ts'
import { openUdp } from '../src/turn/server/libc.ts'
import { Packets, UdpSocket } from '../src/turn/server/packets.ts'
import { addressesOf, Attribute, Class, decode, longTermKey, type Message, Method } from '../src/turn/protocol/stun.ts'
import { textOf, transactionOf } from '../src/turn/protocol/stun.ts'
import { StunWriter } from '../src/turn/protocol/stun-writer.ts'

const RESPONSE_MS_MAX = 3000
const ALLOCATION_SECONDS = 3600
export const CHANNEL = 0x4000
const LOOPBACK = parseIp('127.0.0.1') ?? new Uint8Array(4)

/** A client with an allocation and its peer, as descriptors of sockets that only the load program reads. */
export interface TurnCall {
  client: number
  peer: number
  relay_port: number
  /** Binds or refreshes the channel. RFC 8656 §9, §12: the binding lasts 600 s, its permission 300 s. */
  bind(): Promise<void>
}

const packets = new Packets()

/** The socket of a client, which decodes the STUN messages that it receives. */
class ClientSocket extends UdpSocket {
  constructor(
    fd: number,
    address: Address,
    private readonly onMessage: (message: Message) => void,
  ) {
    super(fd, address)
  }

  onPacket(slot: number): void {
    const start = packets.startOf(slot)
    const message = decode(packets.bytes.slice(start, start + packets.lengthOf(slot)))
    if (message) this.onMessage(message)
  }
}

function openSocket(): { fd: number; port: number } {
  const opened = openUdp(transportAddress(LOOPBACK, 0))
  if (typeof opened === 'string') throw new Error(`No socket: ${opened}`)
  return opened
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** Opens a call on a TURN server of this machine, for an hour. */
export async function openCall(port: number, secret: string, userId: number): Promise<TurnCall> {
  const [client, peer] = [openSocket(), openSocket()]
  const server = transportAddress(LOOPBACK, port)
  const { username, credential } = credentialsFor(secret, userId, Date.now() / 1000)
  const key = longTermKey(username, REALM, credential)
  let nonce = ''
  const request = async (method: number, fill: (writer: StunWriter) => StunWriter): Promise<Message> => {
    const transaction = crypto.getRandomValues(new Uint8Array(12))
    const writer = fill(new StunWriter(new ArrayBuffer(1000)).begin(method, Class.request, transaction))
    if (nonce) {
      writer.text(Attribute.username, username).text(Attribute.realm, REALM).text(Attribute.nonce, nonce)
      writer.integrity(key)
    }
    const response = await exchange(client.fd, writer.finish(), server, hex(transaction))
    // RFC 8489 §9.2.5: after a stale nonce the request is repeated with the new one.
    const fresh = textOf(response, Attribute.nonce)
    if (response.class !== Class.error || fresh === undefined) return response
    nonce = fresh
    return request(method, fill)
  }
  const allocated = await request(Method.allocate, (writer) =>
    writer.number(Attribute.requestedTransport, 17 << 24).number(Attribute.lifetime, ALLOCATION_SECONDS),
  )
  const [relayed] = addressesOf(allocated, Attribute.xorRelayedAddress) ?? []
  if (!relayed) throw new Error('The TURN server refuses to allocate')
  const bind = async () => {
    const bound = await request(Method.channelBind, (writer) =>
      writer
        .number(Attribute.channelNumber, CHANNEL * 0x10000)
        .address(Attribute.xorPeerAddress, transportAddress(LOOPBACK, peer.port)),
    )
    if (bound.class !== Class.success) throw new Error('The TURN server refuses to bind a channel')
  }
  return { client: client.fd, peer: peer.fd, relay_port: relayed.port, bind }
}

/** Sends a request and waits for its response; other packets are dropped. */
async function exchange(fd: number, request: Uint8Array, server: Address, transaction: string): Promise<Message> {
  let response: Message | undefined
  const socket = new ClientSocket(fd, server, (message) => {
    if (hex(transactionOf(message)) === transaction) response = message
  })
  packets.send(socket, request, server)
  for (const deadline = Date.now() + RESPONSE_MS_MAX; Date.now() < deadline && !response;) {
    packets.receive(socket)
    packets.flush()
    if (!response) await Bun.sleep(1)
  }
  if (!response) throw new Error('The TURN server does not respond')
  return response
}
