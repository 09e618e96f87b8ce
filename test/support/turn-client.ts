import { join } from 'node:path'
import type { Parley } from '../../src/parley.ts'
import { parseIp } from '../../src/core/ip.ts'
import { type Address, transportAddress } from '../../src/turn/protocol/addresses.ts'
import { CREDENTIAL_SECONDS, passwordOf, REALM } from '../../src/turn/credentials.ts'
import { Attribute, bytesOf, Class, decode, longTermKey, type Message } from '../../src/turn/protocol/stun.ts'
import { addressesOf, Method, numberOf, textOf, transactionOf } from '../../src/turn/protocol/stun.ts'
import { StunWriter } from '../../src/turn/protocol/stun-writer.ts'
import { boot } from './harness.ts'
import { HANG_MS } from './until.ts'

/** A packet that has not arrived after this time counts as dropped. */
const SILENCE_MS = 150
export const TURN_SECRET = 'the-secret-of-the-relay'

/**
 * Boots a server with TURN on a free port of loopback, which relays to loopback unless the variables deny it.
 * @throws Error when TURN does not run, for example because its port is taken
 */
export async function bootRelay(variables: Record<string, string> = {}): Promise<Parley> {
  const parley = await boot({
    TURN_PORT: '0',
    TURN_TLS_PORT: '0',
    TURN_ANNOUNCED_ADDRESS: '127.0.0.1,::1',
    TURN_ALLOWED_PEERS: '127.0.0.0/8,::1',
    TURN_SECRET,
    ...variables,
  })
  if (parley.turn.state() !== 'ok') throw new Error(`TURN does not run: ${parley.turn.state()}`)
  return parley
}

/**
 * A port that is free by UDP and TCP, for a server that has to come back on it: above the default TURN_RELAY_PORTS, and
 * below those that outgoing connections take, which cannot be listened on until a minute after they have closed.
 * Source: ip(7), ip_local_port_range.
 */
export async function relayPort(): Promise<number> {
  for (;;) {
    const port = 23_000 + Math.floor(Math.random() * 7_000)
    try {
      Bun.listen({ hostname: '0.0.0.0', port, socket: { data() {} } }).stop(true)
      const probe = await Bun.udpSocket({ hostname: '0.0.0.0', port })
      probe.close()
      return port
    } catch {
      // Somebody has it.
    }
  }
}

/** Writes a self-signed certificate for the name. @returns the environment variables with its files */
export function selfSigned(directory: string, name: string) {
  const paths = { TURN_TLS_CERT: join(directory, 'cert.pem'), TURN_TLS_KEY: join(directory, 'key.pem') }
  const command = 'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1'
  const files = ['-keyout', paths.TURN_TLS_KEY, '-out', paths.TURN_TLS_CERT]
  const { exitCode } = Bun.spawnSync([...command.split(' '), ...files, '-subj', `/CN=${name}`])
  if (exitCode !== 0) throw new Error(`openssl ended with ${exitCode}`)
  return paths
}

/** The port of a server's TURN. */
export const portOf = ({ turn }: Parley): number => turn.address()?.port ?? 0

export const addressOf = (ip: string, port: number): Address => transportAddress(parseIp(ip) ?? new Uint8Array(4), port)

export const errorOf = (message: Message | undefined): number => {
  const [, , hundreds = 0, rest = 0] = (message && bytesOf(message, Attribute.errorCode)) ?? []
  return hundreds * 100 + rest
}

/** Credentials of an account, as the server issues them or with another expiry. */
export function credentials(userId: number, expiresS = Math.floor(Date.now() / 1000) + CREDENTIAL_SECONDS) {
  const username = `${expiresS}:${userId}`
  return { username, password: passwordOf(TURN_SECRET, username) }
}

type Fill = (writer: StunWriter) => StunWriter

/** A peer on loopback: a UDP socket that records its packets. */
export async function openPeer(ip = '127.0.0.1') {
  const got: { data: string; port: number }[] = []
  const socket = await Bun.udpSocket({
    hostname: ip,
    socket: { data: (_socket, data, port) => void got.push({ data: data.toString(), port }) },
  })
  return { address: addressOf(ip, socket.port), port: socket.port, got, socket }
}

/** A TURN client over UDP that can send any request. */
export class RelayClient {
  nonce = ''
  key: Uint8Array = new Uint8Array()
  username = ''
  /** Received packets that are no response. */
  readonly got: Buffer[] = []
  bytes_in = 0
  bytes_out = 0
  private readonly waiting = new Map<string, (message: Message) => void>()

  private constructor(
    readonly socket: Bun.udp.Socket<'buffer'>,
    readonly port: number,
    readonly server: string,
  ) {}

  /** @param ip the loopback address to send from */
  static async open(port: number, ip = '127.0.0.1'): Promise<RelayClient> {
    // An error is an ICMP message for an earlier packet: that packet is lost.
    const socket = await Bun.udpSocket({
      hostname: ip,
      socket: { data: (_socket, data) => client.onData(Buffer.from(data)), error: () => undefined },
    })
    const client = new RelayClient(socket, port, ip.includes(':') ? '::1' : '127.0.0.1')
    return client
  }

  private onData(data: Buffer): void {
    this.bytes_in += data.length
    const message = decode(data)
    const key = message && Buffer.from(transactionOf(message)).toString('hex')
    const waiting = key === undefined ? undefined : this.waiting.get(key)
    if (message && waiting) waiting(message)
    else this.got.push(data)
  }

  send(bytes: Uint8Array): void {
    this.bytes_out += bytes.length
    try {
      this.socket.send(bytes, this.port, this.server)
    } catch {
      // An ICMP error for an earlier packet, which is lost. The system has not sent this one yet.
      this.socket.send(bytes, this.port, this.server)
    }
  }

  /** The bytes of a request, with MESSAGE-INTEGRITY after enter(). */
  write(method: number, fill: Fill = (writer) => writer, transaction = crypto.getRandomValues(new Uint8Array(12))) {
    const writer = fill(new StunWriter(new ArrayBuffer(70_000)).begin(method, Class.request, transaction))
    if (this.nonce !== '') {
      writer.text(Attribute.username, this.username).text(Attribute.realm, REALM).text(Attribute.nonce, this.nonce)
      writer.integrity(this.key)
    }
    return writer.finish().slice()
  }

  /** Sends the bytes of a request. @returns the response, or undefined without one */
  ask(bytes: Uint8Array, ms = HANG_MS): Promise<Message | undefined> {
    const key = Buffer.from(bytes.subarray(8, 20)).toString('hex')
    const answer = Promise.withResolvers<Message | undefined>()
    this.waiting.set(key, answer.resolve)
    this.send(bytes)
    return Promise.race([answer.promise, Bun.sleep(ms).then(() => undefined)])
  }

  request = (method: number, fill?: Fill) => this.ask(this.write(method, fill))

  /** Gets a nonce; the following requests are authenticated with these credentials. */
  async enter({ username, password }: { username: string; password: string }): Promise<void> {
    this.nonce = ''
    const refused = await this.request(Method.allocate, udp)
    if (!refused) throw new Error('The TURN server does not answer')
    this.nonce = textOf(refused, Attribute.nonce) ?? ''
    this.username = username
    this.key = longTermKey(username, REALM, password)
  }

  /** Allocates with credentials of the account. @returns the relayed transport address */
  async allocate(userId: number, fill: Fill = udp): Promise<Address> {
    await this.enter(credentials(userId))
    const answer = await this.request(Method.allocate, fill)
    const [relayed] = (answer && addressesOf(answer, Attribute.xorRelayedAddress)) ?? []
    if (!relayed) throw new Error(`Not allocated: ${errorOf(answer)}`)
    return relayed
  }

  /** The error code of a CreatePermission; 0 when it is granted. */
  permit = async (...peers: Address[]): Promise<number> =>
    errorOf(
      await this.request(Method.createPermission, (writer) => {
        for (const peer of peers) writer.address(Attribute.xorPeerAddress, peer)
        return writer
      }),
    )

  /** The error code of a ChannelBind; 0 when it is granted. */
  bind = async (number: number, peer: Address): Promise<number> =>
    errorOf(
      await this.request(Method.channelBind, (writer) =>
        writer.number(Attribute.channelNumber, number * 0x10000).address(Attribute.xorPeerAddress, peer),
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
    this.send(writer.address(Attribute.xorPeerAddress, peer).text(Attribute.data, data).finish())
  }

  channelData(number: number, data: string): void {
    const body = Buffer.from(data)
    this.send(Buffer.concat([Buffer.from([number >> 8, number & 0xff, body.length >> 8, body.length & 0xff]), body]))
  }

  /** The data received by channels and Data indications. */
  received = (): string[] =>
    this.got.map((packet) => {
      const message = decode(packet)
      return Buffer.from((message && bytesOf(message, Attribute.data)) ?? packet.subarray(4)).toString()
    })

  close = (): void => this.socket.close()
}

/** The attributes of a plain Allocate. */
export const udp: Fill = (writer) => writer.number(Attribute.requestedTransport, 17 << 24)

/** Waits long enough for any packet that is not dropped. */
export const silence = () => Bun.sleep(SILENCE_MS)
