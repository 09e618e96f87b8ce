import { randomBytes, randomInt } from 'node:crypto'
import type { Address, Family } from '../protocol/addresses.ts'
import type { Allocation } from './allocation.ts'

/** RFC 8656 §7.2: a reserved port is held for at least 30 s. */
const RESERVATION_SECONDS = 30
/** Other programs may hold ports of the range; after so many of them there is none. */
const REFUSALS_MAX = 32

/** An open relayed transport address. */
export interface Relay {
  family: Family
  port: number
  /** Whose it is; a reserved one is nobody's yet. */
  owner?: Allocation
  /** Sends one packet now, from any memory. */
  send(bytes: Uint8Array, target: Address): void
  /** Sends bytes of the packets' slots with the next flush. */
  forward(start: number, length: number, target: Address): void
  /** RFC 8656 §14: whether the packets that follow may be taken apart. */
  fragment(allowed: boolean): void
  close(): void
}

/** What an Allocate asks for. RFC 8656 §7.1. */
export interface Wanted {
  families: Family[]
  /** EVEN-PORT. */
  even: boolean
  /** The next higher port too, under a token. */
  reserve: boolean
  token?: string
}

interface Reservation {
  relay: Relay
  user_id: number
  expires_ms: number
}

/** The relay range: which ports are open, and which are kept for somebody. */
export class RelayPorts {
  private readonly taken = new Map<Family, Set<number>>()
  private readonly reservations = new Map<string, Reservation>()
  /** The token of the port reserved last. */
  reserved = ''

  /**
   * @param bind opens a port, or returns undefined when another program has it
   * @param families those that this host can relay
   */
  constructor(
    private readonly range: readonly [number, number],
    private readonly families: () => Family[],
    private readonly bind: (family: Family, port: number) => Relay | undefined,
  ) {}

  /** How many places of the quota the wish takes: a reserved port is counted already. */
  claims({ families, token }: Wanted, user_id: number): number {
    return token !== undefined && this.reservations.get(token)?.user_id === user_id ? 0 : families.length
  }

  /** @returns the relays, of which the first family's is there in any case, or the STUN error code */
  open(wanted: Wanted, user_id: number, now_ms: number): Relay[] | 440 | 508 {
    if (wanted.token !== undefined) {
      const reservation = this.reservations.get(wanted.token)
      // RFC 8656 §7.2: a token that is not valid, for whatever reason, is 508; another account's is not valid.
      if (reservation?.user_id !== user_id || reservation.expires_ms <= now_ms) return 508
      this.reservations.delete(wanted.token)
      return [reservation.relay]
    }
    const [first, second] = wanted.families
    if (first === undefined || !this.families().includes(first)) return 440
    const relay = this.openOne(first, wanted, user_id, now_ms)
    if (!relay) return 508
    // RFC 8656 §7.2: ADDITIONAL-ADDRESS-FAMILY may fail alone.
    const other = second !== undefined && this.families().includes(second) ? this.openAny(second) : undefined
    return other ? [relay, other] : [relay]
  }

  private openOne(family: Family, wanted: Wanted, user_id: number, now_ms: number): Relay | undefined {
    if (!wanted.even) return this.openAny(family)
    return this.search(family, 2, (port) => {
      const relay = this.tryPort(family, port)
      if (!relay || !wanted.reserve) return relay
      const next = port + 1 <= this.range[1] ? this.tryPort(family, port + 1) : undefined
      if (!next) {
        this.close(relay)
        return undefined
      }
      this.reserved = randomBytes(8).toString('hex')
      this.reservations.set(this.reserved, { relay: next, user_id, expires_ms: now_ms + RESERVATION_SECONDS * 1000 })
      return relay
    })
  }

  private openAny = (family: Family) => this.search(family, 1, (port) => this.tryPort(family, port))

  /** Goes through the range from anywhere: ports that cannot be guessed (RFC 8656 §7.2). */
  private search(family: Family, step: 1 | 2, attempt: (port: number) => Relay | undefined): Relay | undefined {
    const [first, last] = this.range
    const lowest = Math.ceil(first / step) * step
    const size = Math.floor((last - lowest) / step) + 1
    if (size < 1) return undefined
    const start = randomInt(size)
    let refusals = 0
    for (let at = 0; at < size && refusals < REFUSALS_MAX; at++) {
      const port = lowest + ((start + at) % size) * step
      if (this.taken.get(family)?.has(port)) continue
      const relay = attempt(port)
      if (relay) return relay
      refusals++
    }
    return undefined
  }

  private tryPort(family: Family, port: number): Relay | undefined {
    const taken = this.taken.get(family) ?? new Set()
    this.taken.set(family, taken)
    if (taken.has(port)) return undefined
    const relay = this.bind(family, port)
    if (relay) taken.add(port)
    return relay
  }

  close(relay: Relay): void {
    relay.close()
    this.taken.get(relay.family)?.delete(relay.port)
  }

  /** @returns whose reservations have run out, an account as often as it had some */
  expire(now_ms: number): number[] {
    const gone = [...this.reservations].filter(([, { expires_ms }]) => expires_ms <= now_ms)
    for (const [token, { relay }] of gone) {
      this.reservations.delete(token)
      this.close(relay)
    }
    return gone.map(([, { user_id }]) => user_id)
  }
}
