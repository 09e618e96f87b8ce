import { isIPv4 } from 'node:net'
import type { Environment } from '../../environment.ts'
import { enlargeBuffers } from '../../turn/server/libc.ts'
import { announcedAddress, localAddresses } from '../../voice/sfu/addresses.ts'
import { PACKET_BYTES_MAX } from './encryption.ts'
import type { UdpAddress, UdpLeg } from './udp-leg.ts'

/** Offset of the SSRC in an RTP packet. */
const SSRC_AT = 8
const RTP_BYTES_MIN = 12
/** IP discovery: type, length, SSRC, address as text that ends with a zero, port. */
const DISCOVERY_BYTES = 74
const DISCOVERY_LENGTH = 70
const REQUEST = 1
const RESPONSE = 2
const ADDRESS_AT = 8
const PORT_AT = 72

/** The port of the server that all bots' voice packets pass; open since the first bot joined a call. */
export class VoiceUdp {
  readonly #legs = new Map<number, UdpLeg>()
  #opening: Promise<UdpAddress> | undefined
  #socket: Bun.udp.Socket<'buffer'> | undefined
  #isStopped = false

  constructor(
    private readonly environment: Pick<Environment, 'DISCORD_VOICE_PORT' | 'SFU_ANNOUNCED_ADDRESS'>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Opens the port. @returns where bots reach it @throws Error if it is taken */
  open(): Promise<UdpAddress> {
    this.#opening ??= this.#open()
    this.#opening.catch(() => (this.#opening = undefined))
    return this.#opening
  }

  add(leg: UdpLeg): void {
    this.#legs.set(leg.ssrc, leg)
  }

  remove(leg: UdpLeg): void {
    this.#legs.delete(leg.ssrc)
  }

  send(packet: Uint8Array, { ip, port }: UdpAddress): void {
    try {
      this.#socket?.send(packet, port, ip)
    } catch (error) {
      // A bot picks its address, and some cannot be sent to.
      this.onError(error)
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#socket?.close()
    this.#legs.clear()
  }

  async #open(): Promise<UdpAddress> {
    const socket = await Bun.udpSocket({
      hostname: '0.0.0.0',
      port: this.environment.DISCORD_VOICE_PORT,
      binaryType: 'buffer',
      socket: {
        data: (_socket, packet, port, ip) => this.#receive(packet, { ip, port }),
        // Linux reports here that a bot's port is closed.
        error: () => {},
      },
    })
    this.#socket = socket
    if (this.#isStopped) socket.close()
    try {
      // Undocumented; the default buffer holds 256 packets.
      if ('fd' in socket && typeof socket.fd === 'number') enlargeBuffers(socket.fd)
    } catch {
      // Only Linux has it.
    }
    return { ip: await this.#announcedIp(), port: socket.port }
  }

  /** Libraries use IPv4 only. */
  async #announcedIp(): Promise<string> {
    const announced = await announcedAddress(this.environment.SFU_ANNOUNCED_ADDRESS)
    if (announced !== undefined && isIPv4(announced)) return announced
    const local = (await localAddresses()).find(({ family, internal }) => family === 'IPv4' && !internal)
    return local?.address ?? '127.0.0.1'
  }

  #receive(packet: Buffer, from: UdpAddress): void {
    const { length } = packet
    if (length < RTP_BYTES_MIN || length > PACKET_BYTES_MAX) return
    if (length === DISCOVERY_BYTES && packet.readUInt32BE(0) === ((REQUEST << 16) | DISCOVERY_LENGTH))
      return this.#answerDiscovery(packet, from)
    this.#legs.get(packet.readUInt32BE(SSRC_AT))?.receive(packet, from, performance.now())
  }

  #answerDiscovery(request: Buffer, from: UdpAddress): void {
    const ssrc = request.readUInt32BE(4)
    const answer = this.#legs.get(ssrc)?.discover(from, performance.now())
    if (!answer) return
    const response = Buffer.alloc(DISCOVERY_BYTES)
    response.writeUInt16BE(RESPONSE, 0)
    response.writeUInt16BE(DISCOVERY_LENGTH, 2)
    response.writeUInt32BE(ssrc, 4)
    response.write(answer.ip, ADDRESS_AT, PORT_AT - ADDRESS_AT - 1, 'latin1')
    response.writeUInt16BE(answer.port, PORT_AT)
    this.send(response, from)
  }
}
