import { randomBytes, randomInt } from 'node:crypto'
import { Budget } from './budget.ts'
import { Encryption, KEY_BYTES, type Mode } from './encryption.ts'
import type { Rtp } from './rtp.ts'

/** An address that packets come from or go to. */
export interface UdpAddress {
  ip: string
  port: number
}

const isSame = (a: UdpAddress, b: UdpAddress): boolean => a.port === b.port && a.ip === b.ip

/** Addresses remembered from IP discovery; a bot uses one. */
const DISCOVERED_MAX = 4
/** Packets a second of a bot: Opus sends 50, or 100 in the shortest usual frames. More may come after a pause. */
const PACKETS_PER_S = 120
const PACKETS_AT_ONCE = 250
/** Packets a second that are decrypted. Others can send here with a forged source, and must not use up the above. */
const ATTEMPTS_PER_S = 1_000
const ATTEMPTS_AT_ONCE = 2_000
/** Requests for IP discovery; each is answered with a packet of its own size. */
const DISCOVERIES_PER_S = 2
const DISCOVERIES_AT_ONCE = 10

/** Packets a second to a bot: fifty voices at once, each with 50. More may come after a pause. */
const OUTGOING_PER_S = 2_500
const OUTGOING_AT_ONCE = 5_000

/** An address that asked for IP discovery, and what it was answered. */
interface Discovered {
  from: UdpAddress
  answer: UdpAddress
}

/**
 * The UDP side of one bot's connection to the voice gateway. Its random number (SSRC) names it in packets.
 *
 * A bot asks for IP discovery from the socket that it is going to use, and then names over TLS the address that it was
 * answered. Media are exchanged only with an address that did both. The source of a question can be forged. So if the
 * server cannot tell the bot's address, the answer is a random one in its place: only who receives at the source can
 * name it, and libraries repeat what they are answered. A packet from anywhere else, with another key, or one that came
 * before changes nothing.
 */
export class UdpLeg {
  readonly ssrc = randomBytes(4).readUInt32BE()
  readonly #discovered: Discovered[] = []
  readonly #attempts = new Budget(ATTEMPTS_PER_S, ATTEMPTS_AT_ONCE)
  readonly #packets = new Budget(PACKETS_PER_S, PACKETS_AT_ONCE)
  readonly #discoveries = new Budget(DISCOVERIES_PER_S, DISCOVERIES_AT_ONCE)
  readonly #outgoing = new Budget(OUTGOING_PER_S, OUTGOING_AT_ONCE)
  #address: UdpAddress | undefined
  #encryption: Encryption | undefined

  /**
   * @param demandedIp the only address that the bot may use; undefined if the server cannot tell
   * @param onPacket gets each authentic packet
   */
  constructor(
    private readonly demandedIp: string | undefined,
    private readonly onPacket: (rtp: Rtp) => void,
  ) {}

  /** The bot has asked for IP discovery from this address. @returns the address to answer; undefined for no answer */
  discover(from: UdpAddress, now: number): UdpAddress | undefined {
    if (this.demandedIp !== undefined && from.ip !== this.demandedIp) return undefined
    if (!this.#discoveries.take(now)) return undefined
    const earlier = this.#discovered.find((one) => isSame(one.from, from))
    if (earlier) return earlier.answer
    // A stranger who learns the number of a bot cannot replace its address.
    if (this.#address) return undefined
    const answer = this.demandedIp === undefined ? randomAddress() : from
    this.#discovered.push({ from, answer })
    if (this.#discovered.length > DISCOVERED_MAX) this.#discovered.shift()
    return answer
  }

  /** The bot has chosen its address, as it was answered, and its mode. @returns a new key */
  select(address: UdpAddress, mode: Mode): Buffer {
    const key = randomBytes(KEY_BYTES)
    this.#address = this.#discovered.find(({ answer }) => isSame(answer, address))?.from
    this.#encryption = new Encryption(mode, key)
    return key
  }

  get isSelected(): boolean {
    return this.#encryption !== undefined
  }

  /** Address of the bot's packets; undefined until the bot has proven it. */
  get address(): UdpAddress | undefined {
    return this.#address
  }

  receive(packet: Buffer, from: UdpAddress, now: number): void {
    const { address } = this
    if (!address || !isSame(address, from) || !this.#attempts.take(now)) return
    const rtp = this.#encryption?.open(packet)
    if (rtp && rtp.ssrc === this.ssrc && rtp.payload.length > 0 && this.#packets.take(now)) this.onPacket(rtp)
  }

  /** Counts a packet to the bot. @returns false if it must not be sent */
  maySend(now: number): boolean {
    return this.#address !== undefined && this.#outgoing.take(now)
  }

  /** @returns undefined if the bot has no address yet, or its key is used up */
  seal(rtp: Rtp): Buffer | undefined {
    return this.#encryption?.seal(rtp)
  }
}

/** An address that nobody can guess. */
const randomAddress = (): UdpAddress => ({ ip: randomBytes(4).join('.'), port: randomInt(1, 65_536) })
