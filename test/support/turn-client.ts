import type { Parley } from '../../src/parley.ts'
import { type Address, transportAddress, parseIp } from '../../src/turn/protocol/addresses.ts'
import { CREDENTIAL_SECONDS, passwordOf, REALM } from '../../src/turn/credentials.ts'
import { Attribute, bytesOf, Class, decode, longTermKey, type Message } from '../../src/turn/protocol/stun.ts'
import { addressesOf, Method, numberOf, textOf, transactionOf } from '../../src/turn/protocol/stun.ts'
import { StunWriter } from '../../src/turn/protocol/stun-writer.ts'
import { boot } from './harness.ts'

const ANSWER_MS_MAX = 3000
/** How long nothing has to come for it to count as nothing. */
const SILENCE_MS = 150
export const TURN_SECRET = 'the-secret-of-the-relay'

/** Boots a server with a relay on a free port of loopback, which may relay to loopback unless it says otherwise. */
export const bootRelay = (variables: Record<string, string> = {}): Promise<Parley> =>
  boot({
    TURN_PORT: '0',
    TURN_TLS_PORT: '0',
    TURN_ANNOUNCED_ADDRESS: '127.0.0.1,::1',
    TURN_ALLOWED_PEERS: '127.0.0.0/8,::1',
    TURN_SECRET,
    ...variables,
  })

/** Where the relay of a server listens. */
export const portOf = ({ turn }: Parley): number => turn.address()?.port ?? 0

export const addressOf = (ip: string, port: number): Address => transportAddress(parseIp(ip) ?? new Uint8Array(4), port)

export const errorOf = (message: Message | undefined): number => {
  const [, , hundreds = 0, rest = 0] = (message && bytesOf(message, Attribute.error_code)) ?? []
  return hundreds * 100 + rest
}

/** Username and password of an account, made as the server makes them, or to expire at another time. */
export function credentials(user_id: number, expires_s = Math.floor(Date.now() / 1000) + CREDENTIAL_SECONDS) {
  const username = `${expires_s}:${user_id}`
  return { username, password: passwordOf(TURN_SECRET, username) }
}

type Fill = (writer: StunWriter) => StunWriter

/** A peer of loopback: a UDP socket that keeps what it gets. */
export async function openPeer(ip = '127.0.0.1') {
  const got: { data: string; port: number }[] = []
  const socket = await Bun.udpSocket({
    hostname: ip,
    socket: { data: (_socket, data, port) => void got.push({ data: data.toString(), port }) },
  })
  return { address: addressOf(ip, socket.port), port: socket.port, got, socket }
}

/** A client of the relay by UDP, which says what a test wants it to say. */
export class RelayClient {
  nonce = ''
  key: Uint8Array = new Uint8Array()
  username = ''
  /** Every packet that came and was no answer. */
  readonly got: Buffer[] = []
  bytes_in = 0
  bytes_out = 0
  private readonly waiting = new Map<string, (message: Message) => void>()

  private constructor(
    readonly socket: Bun.udp.Socket<'buffer'>,
    readonly port: number,
    readonly server: string,
  ) {}

  /** @param ip the address of loopback that it sends from */
  static async open(port: number, ip = '127.0.0.1'): Promise<RelayClient> {
    const socket = await Bun.udpSocket({
      hostname: ip,
      socket: { data: (_socket, data) => client.receive(Buffer.from(data)) },
    })
    const client = new RelayClient(socket, port, ip.includes(':') ? '::1' : '127.0.0.1')
    return client
  }

  private receive(data: Buffer): void {
    this.bytes_in += data.length
    const message = decode(data)
    const key = message && Buffer.from(transactionOf(message)).toString('hex')
    const waiting = key === undefined ? undefined : this.waiting.get(key)
    if (message && waiting) waiting(message)
    else this.got.push(data)
  }

  send(bytes: Uint8Array): void {
    this.bytes_out += bytes.length
    this.socket.send(bytes, this.port, this.server)
  }

  /** The bytes of a request, sealed once credentials are there. */
  write(method: number, fill: Fill = (writer) => writer, transaction = crypto.getRandomValues(new Uint8Array(12))) {
    const writer = fill(new StunWriter(new ArrayBuffer(70_000)).begin(method, Class.request, transaction))
    if (this.nonce !== '') {
      writer.text(Attribute.username, this.username).text(Attribute.realm, REALM).text(Attribute.nonce, this.nonce)
      writer.integrity(this.key)
    }
    return writer.finish().slice()
  }

  /** Sends the bytes of a request. @returns its answer, or undefined when there is none */
  ask(bytes: Uint8Array, ms = ANSWER_MS_MAX): Promise<Message | undefined> {
    const key = Buffer.from(bytes.subarray(8, 20)).toString('hex')
    const answer = Promise.withResolvers<Message | undefined>()
    this.waiting.set(key, answer.resolve)
    this.send(bytes)
    return Promise.race([answer.promise, Bun.sleep(ms).then(() => undefined)])
  }

  request = (method: number, fill?: Fill) => this.ask(this.write(method, fill))

  /** Takes a nonce and credentials: what follows is sealed. */
  async enter({ username, password }: { username: string; password: string }): Promise<void> {
    this.nonce = ''
    const refused = await this.request(Method.allocate, udp)
    if (!refused) throw new Error('The relay does not answer')
    this.nonce = textOf(refused, Attribute.nonce) ?? ''
    this.username = username
    this.key = longTermKey(username, REALM, password)
  }

  /** An allocation of the account. @returns its relayed address */
  async allocate(user_id: number, fill: Fill = udp): Promise<Address> {
    await this.enter(credentials(user_id))
    const answer = await this.request(Method.allocate, fill)
    const [relayed] = (answer && addressesOf(answer, Attribute.xor_relayed_address)) ?? []
    if (!relayed) throw new Error(`Not allocated: ${errorOf(answer)}`)
    return relayed
  }

  /** The error code of a CreatePermission; 0 when it is granted. */
  permit = async (...peers: Address[]): Promise<number> =>
    errorOf(
      await this.request(Method.create_permission, (writer) => {
        for (const peer of peers) writer.address(Attribute.xor_peer_address, peer)
        return writer
      }),
    )

  /** The error code of a ChannelBind; 0 when it is granted. */
  bind = async (number: number, peer: Address): Promise<number> =>
    errorOf(
      await this.request(Method.channel_bind, (writer) =>
        writer.number(Attribute.channel_number, number * 0x10000).address(Attribute.xor_peer_address, peer),
      ),
    )

  /** The error code of a Refresh and the lifetime that it gave. */
  async refresh(lifetime?: number): Promise<{ code: number; lifetime: number | undefined }> {
    const answer = await this.request(Method.refresh, (writer) =>
      lifetime === undefined ? writer : writer.number(Attribute.lifetime, lifetime),
    )
    return { code: errorOf(answer), lifetime: answer && numberOf(answer, Attribute.lifetime) }
  }

  /** A Send indication. */
  indicate(peer: Address, data: string): void {
    const transaction = crypto.getRandomValues(new Uint8Array(12))
    const writer = new StunWriter(new ArrayBuffer(70_000)).begin(Method.send, Class.indication, transaction)
    this.send(writer.address(Attribute.xor_peer_address, peer).text(Attribute.data, data).finish())
  }

  channelData(number: number, data: string): void {
    const body = Buffer.from(data)
    this.send(Buffer.concat([Buffer.from([number >> 8, number & 0xff, body.length >> 8, body.length & 0xff]), body]))
  }

  /** What came by channels and in Data indications. */
  heard = (): string[] =>
    this.got.map((packet) => {
      const message = decode(packet)
      return Buffer.from((message && bytesOf(message, Attribute.data)) ?? packet.subarray(4)).toString()
    })

  close = (): void => this.socket.close()
}

/** The attributes of a plain Allocate. */
export const udp: Fill = (writer) => writer.number(Attribute.requested_transport, 17 << 24)

/** Long enough for anything that comes at all. */
export const silence = () => Bun.sleep(SILENCE_MS)
