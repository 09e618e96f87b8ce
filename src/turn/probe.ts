import { lookup } from 'node:dns/promises'
import { codeOf } from '../core/errors.ts'
import { ipText } from '../core/ip.ts'
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
  textOf,
  transactionOf,
} from './protocol/stun.ts'
import { StunWriter } from './protocol/stun-writer.ts'

const RESPONSE_MS_MAX = 2_500
/** RFC 8489 §6.2.1: over UDP a request is retransmitted until the response arrives. RTO in ms. */
const RETRANSMISSION_MS = 500
/** REQUESTED-TRANSPORT: protocol number 17. */
const UDP = 17 << 24

/** Address of a STUN or TURN server. */
export interface TurnEndpoint {
  transport: 'udp' | 'tcp' | 'tls'
  host: string
  port: number
}

interface Connection {
  send(bytes: Uint8Array): void
  /** Fault of the TLS session, if any. */
  fault?: string
}

/** @param endSignal closes the connection, even while it is opening */
async function connect(
  { transport, host, port }: TurnEndpoint,
  onMessage: (bytes: Uint8Array) => void,
  endSignal: AbortSignal,
): Promise<Connection> {
  const closeAtEnd = (close: () => void) => (endSignal.aborted ? close() : endSignal.addEventListener('abort', close))
  const { address } = await lookup(host)
  if (transport === 'udp') {
    const socket = await Bun.udpSocket({
      connect: { hostname: address, port },
      socket: { data: (_socket, data) => onMessage(new Uint8Array(data)), error: () => undefined },
    })
    closeAtEnd(() => socket.close())
    return { send: (bytes) => void socket.send(bytes) }
  }
  let receivedBytes = Buffer.alloc(0)
  const tlsFault = Promise.withResolvers<string | undefined>()
  const socket = await Bun.connect({
    hostname: address,
    port,
    tls: transport === 'tls' ? { serverName: host, rejectUnauthorized: false } : undefined,
    socket: {
      data(_socket, chunk) {
        receivedBytes = Buffer.concat([receivedBytes, chunk])
        while (receivedBytes.length >= HEADER_BYTES) {
          // RFC 8489 §5: the length does not include the header.
          const end = HEADER_BYTES + receivedBytes.readUInt16BE(2)
          if (receivedBytes.length < end) return
          onMessage(new Uint8Array(receivedBytes.subarray(0, end)))
          receivedBytes = receivedBytes.subarray(end)
        }
      },
      handshake: (_socket, _success, error) =>
        tlsFault.resolve(error ? `its certificate is not trusted (${codeOf(error)})` : undefined),
      close: () => tlsFault.resolve('closed'),
    },
  })
  closeAtEnd(() => socket.terminate())
  const fault = transport === 'tls' ? await tlsFault.promise : undefined
  return { send: (bytes) => void socket.write(bytes), fault }
}

type SendRequest = (method: number, fill: (writer: StunWriter) => StunWriter) => Promise<Message | undefined>

/** Runs `work` with a connection to the server; undefined when no connection can be made. */
async function withConnection<T>(
  endpoint: TurnEndpoint,
  work: (request: SendRequest, fault: string | undefined) => Promise<T>,
): Promise<T | undefined> {
  const responses = new Map<string, (message: Message) => void>()
  const keyOf = (transaction: Uint8Array) => Buffer.from(transaction).toString('hex')
  const onMessage = (bytes: Uint8Array) => {
    const message = decode(bytes)
    if (message) responses.get(keyOf(transactionOf(message)))?.(message)
  }
  const endController = new AbortController()
  const connecting = connect(endpoint, onMessage, endController.signal).catch(() => undefined)
  const connection = await Promise.race([connecting, Bun.sleep(RESPONSE_MS_MAX).then(() => undefined)])
  if (!connection) {
    endController.abort()
    return undefined
  }
  const request: SendRequest = async (method, fill) => {
    const transaction = crypto.getRandomValues(new Uint8Array(12))
    const bytes = fill(new StunWriter(new ArrayBuffer(1000)).begin(method, Class.request, transaction)).finish()
    const response = Promise.withResolvers<Message>()
    responses.set(keyOf(transaction), response.resolve)
    const send = () => {
      try {
        connection.send(bytes)
      } catch {
        // An ICMP error for an earlier packet: the port is closed.
      }
    }
    send()
    const retransmission = endpoint.transport === 'udp' ? setInterval(send, RETRANSMISSION_MS) : undefined
    const timeout = Bun.sleep(RESPONSE_MS_MAX).then(() => undefined)
    return Promise.race([response.promise, timeout]).finally(() => clearInterval(retransmission))
  }
  return work(request, connection.fault).finally(() => endController.abort())
}

const bind = async (request: SendRequest): Promise<Message | undefined> => {
  const response = await request(Method.binding, (writer) => writer)
  return response?.class === Class.success ? response : undefined
}

/** This machine's address as a STUN server sees it (RFC 8489 §14.2); undefined without a response. */
export async function mappedAddress(host: string, port: number): Promise<string | undefined> {
  const bindResponse = await withConnection({ transport: 'udp', host, port }, bind)
  const [address] = (bindResponse && addressesOf(bindResponse, Attribute.xorMappedAddress)) ?? []
  return address && ipText(address.ip)
}

/**
 * Tries a server as a client would: a Binding request and, with credentials, an allocation that ends at once.
 * @returns undefined on success, else the fault: `closed` without a response, a fault of its certificate, or its
 * refusal
 */
export async function probeTurn(
  endpoint: TurnEndpoint,
  credentials: { username: string; credential: string } | undefined,
): Promise<string | undefined> {
  const outcome = await withConnection(endpoint, async (request, fault) => {
    if (fault) return fault
    if (!(await bind(request))) return 'closed'
    return (credentials && (await allocate(request, credentials))) ?? 'open'
  })
  return outcome === 'open' ? undefined : (outcome ?? 'closed')
}

/** RFC 8656 §7: the response to the first request brings realm and nonce, the second request allocates. */
async function allocate(
  request: SendRequest,
  { username, credential }: { username: string; credential: string },
): Promise<string | undefined> {
  const requestUdp = (writer: StunWriter) => writer.number(Attribute.requestedTransport, UDP)
  const challenge = await request(Method.allocate, requestUdp)
  if (!challenge) return 'it answers no Allocate'
  const realm = textOf(challenge, Attribute.realm) ?? ''
  const nonce = textOf(challenge, Attribute.nonce) ?? ''
  const key = longTermKey(username, realm, credential)
  const authenticate = (writer: StunWriter) =>
    writer.text(Attribute.username, username).text(Attribute.realm, realm).text(Attribute.nonce, nonce).integrity(key)
  const allocateResponse = await request(Method.allocate, (writer) => authenticate(requestUdp(writer)))
  if (!allocateResponse) return 'it answers no Allocate'
  if (allocateResponse.class !== Class.success || !addressesOf(allocateResponse, Attribute.xorRelayedAddress)) {
    const [, , hundreds = 0, rest = 0] = bytesOf(allocateResponse, Attribute.errorCode) ?? []
    return `it refuses to allocate (${hundreds * 100 + rest})`
  }
  await request(Method.refresh, (writer) => authenticate(writer.number(Attribute.lifetime, 0)))
}
