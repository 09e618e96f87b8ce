import { formatAddress, parseIp } from '../src/features/turn/addresses.ts'
import { passwordOf, REALM } from '../src/features/turn/credentials.ts'
import { addressesOf, Attribute, Class, decode, longTermKey, type Message, Method } from '../src/features/turn/stun.ts'
import { textOf, transactionOf } from '../src/features/turn/stun.ts'
import { Writer } from '../src/features/turn/stun-writer.ts'

const ANSWER_MS_MAX = 3000
export const CHANNEL = 0x4000
const LOOPBACK = '127.0.0.1'

type Udp = Bun.udp.Socket<'buffer'> & { fd: number }

/** A client with an allocation and a channel to its peer; both are sockets that the load takes over. */
export interface Call {
  client: Udp
  peer: Udp
  relay_port: number
}

/** Opens a call on a TURN server of this machine. */
export async function openCall(port: number, secret: string, user_id: number): Promise<Call> {
  const answers = new Map<string, (message: Message) => void>()
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  const heard = (data: Uint8Array) => {
    const message = decode(new Uint8Array(data))
    if (message) answers.get(hex(transactionOf(message)))?.(message)
  }
  const client = (await Bun.udpSocket({ hostname: LOOPBACK, socket: { data: (_, data) => heard(data) } })) as Udp
  const peer = (await Bun.udpSocket({ hostname: LOOPBACK })) as Udp
  const username = `${Math.floor(Date.now() / 1000) + 3600}:${user_id}`
  const key = longTermKey(username, REALM, passwordOf(secret, username))
  let nonce = ''
  const ask = async (method: number, fill: (writer: Writer) => Writer): Promise<Message> => {
    const transaction = crypto.getRandomValues(new Uint8Array(12))
    const writer = fill(new Writer(new ArrayBuffer(1000)).begin(method, Class.request, transaction))
    if (nonce) {
      writer.text(Attribute.username, username).text(Attribute.realm, REALM).text(Attribute.nonce, nonce)
      writer.integrity(key)
    }
    const answer = Promise.withResolvers<Message>()
    answers.set(hex(transaction), answer.resolve)
    client.send(writer.finish(), port, LOOPBACK)
    setTimeout(() => answer.reject(new Error('The TURN server does not answer')), ANSWER_MS_MAX)
    return answer.promise
  }
  const allocate = () => ask(Method.allocate, (writer) => writer.number(Attribute.requested_transport, 17 << 24))
  nonce = textOf(await allocate(), Attribute.nonce) ?? ''
  const allocated = await allocate()
  const [relayed] = addressesOf(allocated, Attribute.xor_relayed_address) ?? []
  const to = formatAddress(parseIp(LOOPBACK) ?? new Uint8Array(4), peer.port)
  const bound = await ask(Method.channel_bind, (writer) =>
    writer.number(Attribute.channel_number, CHANNEL * 0x10000).address(Attribute.xor_peer_address, to),
  )
  for (const { class: kind, bytes } of [allocated, bound])
    if (kind !== Class.success) throw new Error(`The TURN server refuses: ${Buffer.from(bytes).toString('latin1')}`)
  if (!relayed) throw new Error('The TURN server names no relay')
  return { client, peer, relay_port: relayed.port }
}
