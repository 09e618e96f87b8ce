import { createHmac, randomBytes } from 'node:crypto'
import type { types } from 'mediasoup'
import { endWorker } from '../sfu/process.ts'

const LOOPBACK = '127.0.0.1'
const TEST_SECONDS_MAX = 10
/** The exit code of a worker that was not started by mediasoup. Source: mediasoup's npm-scripts.mjs. */
const ALONE_CODE = 41
const PACKET_MS = 20
const PAYLOAD_TYPE = 100
const SSRC = 1
const OPUS = { kind: 'audio', mimeType: 'audio/opus', preferredPayloadType: PAYLOAD_TYPE, clockRate: 48_000 } as const
/** RFC 8489 §14.7: the checksum of a message is XORed with this. */
const FINGERPRINT_MIX = 0x5354554e

/**
 * Makes a worker complete a DTLS handshake with itself and relay one packet over SRTP, because a worker that starts
 * and answers requests may still crash at its first handshake. A pair of sockets connects two of its transports, one
 * as DTLS client, one as server, and sends the connectivity checks that ICE-lite leaves to the other end.
 * @param binary path of the worker
 * @param signal cancels the test
 * @throws Error within 10 s, with one sentence that says what the worker did not do
 */
export async function testWorker(binary: string, signal?: AbortSignal): Promise<void> {
  await startAlone(binary)
  const { createWorker } = await import('mediasoup')
  signal?.throwIfAborted()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`It completed no DTLS and SRTP exchange in ${TEST_SECONDS_MAX} s`)),
    TEST_SECONDS_MAX * 1000,
  )
  const failStart = (error: unknown) => {
    throw new Error(`It does not start (${error instanceof Error ? error.message : String(error)})`)
  }
  const starting = createWorker({ workerBin: binary, logLevel: 'none' })
  // A worker that starts too late is ended.
  starting.then(
    (worker) => void late.promise.catch(() => endWorker(worker)),
    () => undefined,
  )
  const abort = () => late.reject(signal?.reason)
  signal?.addEventListener('abort', abort)
  const ends: (() => unknown)[] = [() => clearTimeout(timer), () => signal?.removeEventListener('abort', abort)]
  try {
    const worker = await Promise.race([starting.catch(failStart), late.promise])
    ends.push(() => endWorker(worker))
    worker.on('died', () => late.reject(new Error('It died in its first DTLS handshake')))
    await Promise.race([exchange(worker, ends), late.promise])
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** Runs the binary without mediasoup, which throws uncatchably if there is no executable for this machine. */
async function startAlone(binary: string): Promise<void> {
  let code: number
  try {
    const timeout = TEST_SECONDS_MAX * 1000
    code = await Bun.spawn([binary], { env: {}, stdout: 'ignore', stderr: 'ignore', timeout }).exited
  } catch (error) {
    throw new Error(`It does not start (${error instanceof Error ? error.message : String(error)})`)
  }
  if (code !== ALONE_CODE) throw new Error(`It does not run here (exit code ${code})`)
}

/** Sends one packet from one transport of the worker to the other. */
async function exchange(worker: types.Worker, ends: (() => unknown)[]): Promise<void> {
  const router = await worker.createRouter({ mediaCodecs: [{ ...OPUS, channels: 2 }] })
  const listening: types.WebRtcTransportOptions = { listenInfos: [{ protocol: 'udp', ip: LOOPBACK }] }
  const client = await router.createWebRtcTransport(listening)
  const server = await router.createWebRtcTransport(listening)
  const handshakes = [client, server].map(connection)
  await client.connect({ dtlsParameters: { ...server.dtlsParameters, role: 'server' } })
  await server.connect({ dtlsParameters: { ...client.dtlsParameters, role: 'client' } })
  ends.push(await join(client, server))
  await Promise.all(handshakes)

  const inside = await router.createDirectTransport()
  const codecs = [{ mimeType: OPUS.mimeType, payloadType: PAYLOAD_TYPE, clockRate: OPUS.clockRate, channels: 2 }]
  const source = await inside.produce({ kind: 'audio', rtpParameters: { codecs, encodings: [{ ssrc: SSRC }] } })
  const { rtpCapabilities } = router
  const outward = await client.consume({ producerId: source.id, rtpCapabilities })
  const producer = await server.produce({ kind: 'audio', rtpParameters: outward.rtpParameters })
  const drain = await inside.consume({ producerId: producer.id, rtpCapabilities })

  const payload = randomBytes(40)
  const arrival = Promise.withResolvers<void>()
  drain.on('rtp', (packet) => packet.subarray(-payload.length).equals(payload) && arrival.resolve())
  let sequence = 0
  const sendTimer = setInterval(() => source.send(rtpPacket(++sequence, payload)), PACKET_MS)
  ends.push(() => clearInterval(sendTimer))
  await arrival.promise
}

const connection = (transport: types.WebRtcTransport) =>
  new Promise<void>((resolve, reject) =>
    transport.on('dtlsstatechange', (state) => {
      if (state === 'connected') resolve()
      if (state === 'failed') reject(new Error('Its DTLS handshake fails'))
    }),
  )

/** Relays packets between the transports. @returns stops that */
async function join(one: types.WebRtcTransport, two: types.WebRtcTransport): Promise<() => void> {
  const portOf = ({ iceCandidates }: types.WebRtcTransport) => iceCandidates[0]?.port ?? 0
  const open = (other: () => Bun.udp.Socket<'buffer'>, to: number) =>
    Bun.udpSocket({
      hostname: LOOPBACK,
      // RFC 7983 §7: a first byte up to 3 means STUN: responses to the checks below, which are not relayed.
      socket: { data: (_socket, packet) => void ((packet[0] ?? 0) > 3 && other().send(packet, to, LOOPBACK)) },
    })
  const left: Bun.udp.Socket<'buffer'> = await open(() => right, portOf(two))
  const right: Bun.udp.Socket<'buffer'> = await open(() => left, portOf(one))
  const check = () => {
    left.send(bindingRequest(one.iceParameters), portOf(one), LOOPBACK)
    right.send(bindingRequest(two.iceParameters), portOf(two), LOOPBACK)
  }
  check()
  const timer = setInterval(check, 100)
  return () => {
    clearInterval(timer)
    left.close()
    right.close()
  }
}

/** A connectivity check that nominates the path. Source: RFC 8445 §7.2.4, RFC 8489 §14. */
function bindingRequest({ usernameFragment, password }: types.IceParameters): Buffer {
  const attribute = (type: number, value: Buffer) => {
    const attributeBytes = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4)
    attributeBytes.writeUInt16BE(type, 0)
    attributeBytes.writeUInt16BE(value.length, 2)
    value.copy(attributeBytes, 4)
    return attributeBytes
  }
  const whole = number(0x0001_0000)
  let message = Buffer.concat([whole, number(0x2112a442), randomBytes(12)])
  const append = (type: number, size: number, value: () => Buffer) => {
    message.writeUInt16BE(message.length - 20 + 4 + Math.ceil(size / 4) * 4, 2)
    message = Buffer.concat([message, attribute(type, value())])
  }
  const username = Buffer.from(`${usernameFragment}:self`)
  append(0x0006, username.length, () => username) // USERNAME
  append(0x0024, 4, () => number(0x7e0000ff)) // PRIORITY
  append(0x802a, 8, () => randomBytes(8)) // ICE-CONTROLLING
  append(0x0025, 0, () => Buffer.alloc(0)) // USE-CANDIDATE
  append(0x0008, 20, () => createHmac('sha1', password).update(message).digest()) // MESSAGE-INTEGRITY
  append(0x8028, 4, () => number((Bun.hash.crc32(message) ^ FINGERPRINT_MIX) >>> 0)) // FINGERPRINT
  return message
}

function rtpPacket(sequence: number, payload: Buffer): Buffer {
  const header = Buffer.concat([number((0x80 << 24) | (PAYLOAD_TYPE << 16) | sequence), number(sequence * 960)])
  return Buffer.concat([header, number(SSRC), payload])
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
