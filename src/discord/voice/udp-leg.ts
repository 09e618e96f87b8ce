import { randomBytes } from 'node:crypto'
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

/** A token bucket in memory, because every packet asks it. */
class Budget {
  #tokens: number
  #at = 0

  constructor(
    private readonly perS: number,
    private readonly burst: number,
  ) {
    this.#tokens = burst
  }

  /** @param now ms, of a clock that never goes back */
  take(now: number): boolean {
    this.#tokens = Math.min(this.burst, this.#tokens + ((now - this.#at) / 1000) * this.perS)
    this.#at = now
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }
}

/**
 * The UDP side of one bot's connection to the voice gateway. Its random number (SSRC) names it in packets.
 *
 * A bot asks for IP discovery from the socket that it is going to use, and then names that address over TLS. Media are
 * exchanged only with an address that did both. A packet from anywhere else, with another key, or one that came before
 * changes nothing.
 */
export class UdpLeg {
  readonly ssrc = randomBytes(4).readUInt32BE()
  readonly #discovered: UdpAddress[] = []
  readonly #attempts = new Budget(ATTEMPTS_PER_S, ATTEMPTS_AT_ONCE)
  readonly #packets = new Budget(PACKETS_PER_S, PACKETS_AT_ONCE)
  readonly #discoveries = new Budget(DISCOVERIES_PER_S, DISCOVERIES_AT_ONCE)
  #selected: UdpAddress | undefined
  #encryption: Encryption | undefined

  /**
   * @param demandedIp the only address that the bot may use; undefined if the server cannot tell
   * @param onPacket gets each authentic packet
   */
  constructor(
    private readonly demandedIp: string | undefined,
    private readonly onPacket: (rtp: Rtp) => void,
  ) {}

  /** The bot has asked for IP discovery from this address. @returns false if it must not be answered */
  discover(from: UdpAddress, now: number): boolean {
    if (this.demandedIp !== undefined && from.ip !== this.demandedIp) return false
    if (!this.#discoveries.take(now)) return false
    // A stranger who learns the number of a bot cannot replace its address.
    if (this.address || this.#discovered.some((address) => isSame(address, from))) return true
    this.#discovered.push(from)
    if (this.#discovered.length > DISCOVERED_MAX) this.#discovered.shift()
    return true
  }

  /** The bot has chosen its address and mode. @returns a new key */
  select(address: UdpAddress, mode: Mode): Buffer {
    const key = randomBytes(KEY_BYTES)
    this.#selected = address
    this.#encryption = new Encryption(mode, key)
    return key
  }

  get isSelected(): boolean {
    return this.#encryption !== undefined
  }

  /** Address of the bot's packets; undefined until the bot has proven it. */
  get address(): UdpAddress | undefined {
    const selected = this.#selected
    return selected && this.#discovered.find((address) => isSame(address, selected))
  }

  receive(packet: Buffer, from: UdpAddress, now: number): void {
    const { address } = this
    if (!address || !isSame(address, from) || !this.#attempts.take(now)) return
    const rtp = this.#encryption?.open(packet)
    if (rtp && rtp.ssrc === this.ssrc && rtp.payload.length > 0 && this.#packets.take(now)) this.onPacket(rtp)
  }

  /** @returns undefined if the bot has no address yet, or its key is used up */
  seal(rtp: Rtp): Buffer | undefined {
    return this.#encryption?.seal(rtp)
  }
}
