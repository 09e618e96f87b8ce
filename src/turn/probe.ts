import { lookup } from 'node:dns/promises'
import { ipText } from './protocol/addresses.ts'
import {
  addressesOf,
  Attribute,
  bytesOf,
  Class,
  decode,
  HEADER_BYTES,
  longTermKey,
  type Message,
  Method,
} from './protocol/stun.ts'
import { textOf, transactionOf } from './protocol/stun.ts'
import { Writer } from './protocol/stun-writer.ts'

const ANSWER_MS_MAX = 2_500
/** RFC 8489 §6.2.1: by UDP a request is sent again when nothing comes. */
const AGAIN_MS = 500
const UDP = 17 << 24

/** A way to a relay. */
export interface Door {
  transport: 'udp' | 'tcp' | 'tls'
  host: string
  port: number
}

interface Line {
  send(bytes: Uint8Array): void
  close(): void
}

async function openLine({ transport, host, port }: Door, hear: (bytes: Uint8Array) => void): Promise<Line> {
  const { address } = await lookup(host)
  if (transport === 'udp') {
    const socket = await Bun.udpSocket({
      connect: { hostname: address, port },
      socket: { data: (_socket, data) => hear(new Uint8Array(data)), error: () => undefined },
    })
    return { send: (bytes) => void socket.send(bytes), close: () => socket.close() }
  }
  let came = Buffer.alloc(0)
  const socket = await Bun.connect({
    hostname: address,
    port,
    tls: transport === 'tls' ? { serverName: host } : undefined,
    socket: {
      data(_socket, chunk) {
        came = Buffer.concat([came, chunk])
        // RFC 8489 §5: the length in the header leaves the header out.
        const end = came.length < HEADER_BYTES ? Infinity : HEADER_BYTES + came.readUInt16BE(2)
        if (came.length < end) return
        hear(new Uint8Array(came.subarray(0, end)))
        came = came.subarray(end)
      },
    },
  })
  return { send: (bytes) => void socket.write(bytes), close: () => socket.end() }
}

type Ask = (method: number, fill: (writer: Writer) => Writer) => Promise<Message | undefined>

/** Lets someone ask what is behind a door; undefined when there is no way to it. */
async function visit<T>(door: Door, work: (ask: Ask) => Promise<T>): Promise<T | undefined> {
  const answers = new Map<string, (message: Message) => void>()
  const nameOf = (transaction: Uint8Array) => Buffer.from(transaction).toString('hex')
  const hear = (bytes: Uint8Array) => {
    const message = decode(bytes)
    if (message) answers.get(nameOf(transactionOf(message)))?.(message)
  }
  const opening = openLine(door, hear).catch(() => undefined)
  const line = await Promise.race([opening, Bun.sleep(ANSWER_MS_MAX).then(() => undefined)])
  if (!line) return undefined
  const ask: Ask = async (method, fill) => {
    const transaction = crypto.getRandomValues(new Uint8Array(12))
    const bytes = fill(new Writer(new ArrayBuffer(1000)).begin(method, Class.request, transaction)).finish()
    const answer = Promise.withResolvers<Message>()
    answers.set(nameOf(transaction), answer.resolve)
    const send = () => {
      try {
        line.send(bytes)
      } catch {
        // A closed port of a host that says so: what was sent before came back.
      }
    }
    send()
    const again = door.transport === 'udp' ? setInterval(send, AGAIN_MS) : undefined
    const late = Bun.sleep(ANSWER_MS_MAX).then(() => undefined)
    return Promise.race([answer.promise, late]).finally(() => clearInterval(again))
  }
  return work(ask).finally(() => line.close())
}

const bind = async (ask: Ask): Promise<Message | undefined> => {
  const bound = await ask(Method.binding, (writer) => writer)
  return bound?.class === Class.success ? bound : undefined
}

/** The address that a STUN server sees this machine under, as RFC 8489 §14.2 tells it; undefined without an answer. */
export async function mappedAddress(host: string, port: number): Promise<string | undefined> {
  const bound = await visit({ transport: 'udp', host, port }, bind)
  const [address] = (bound && addressesOf(bound, Attribute.xor_mapped_address)) ?? []
  return address && ipText(address.ip)
}

/**
 * Knocks at a relay as a client does: a Binding and, with credentials, an allocation that is given back at once.
 * @returns undefined when all is well, else what is wrong: `closed` without an answer, or how the relay refuses
 */
export async function knock(
  door: Door,
  credentials: { username: string; credential: string } | undefined,
): Promise<string | undefined> {
  const said = await visit(door, async (ask) => {
    if (!(await bind(ask))) return 'closed'
    return (credentials && (await allocate(ask, credentials))) ?? 'open'
  })
  return said === 'open' ? undefined : (said ?? 'closed')
}

/** RFC 8656 §7: the first request learns realm and nonce, the second allocates. */
async function allocate(
  ask: Ask,
  { username, credential }: { username: string; credential: string },
): Promise<string | undefined> {
  const wish = (writer: Writer) => writer.number(Attribute.requested_transport, UDP)
  const challenge = await ask(Method.allocate, wish)
  if (!challenge) return 'it answers no Allocate'
  const realm = textOf(challenge, Attribute.realm) ?? ''
  const nonce = textOf(challenge, Attribute.nonce) ?? ''
  const key = longTermKey(username, realm, credential)
  const sealed = (writer: Writer) =>
    writer.text(Attribute.username, username).text(Attribute.realm, realm).text(Attribute.nonce, nonce).integrity(key)
  const allocated = await ask(Method.allocate, (writer) => sealed(wish(writer)))
  if (!allocated) return 'it answers no Allocate'
  if (allocated.class !== Class.success || !addressesOf(allocated, Attribute.xor_relayed_address)) {
    const [, , hundreds = 0, rest = 0] = bytesOf(allocated, Attribute.error_code) ?? []
    return `it refuses to allocate (${hundreds * 100 + rest})`
  }
  await ask(Method.refresh, (writer) => sealed(writer.number(Attribute.lifetime, 0)))
}
