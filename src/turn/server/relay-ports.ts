import { randomBytes, randomInt } from 'node:crypto'
import type { Family } from '../protocol/addresses.ts'
import type { AllocateRequest } from '../protocol/allocate-request.ts'
import type { RelayedAddress } from './allocation.ts'

/** RFC 8656 §7.2: a port is reserved for at least 30 s. */
const RESERVATION_SECONDS = 30
/** Other programs may use ports of the range. The search ends after this many of them. */
const BIND_FAILURES_MAX = 32

interface Reservation {
  relay: RelayedAddress
  user_id: number
  expiresMs: number
}

/** The range of relay ports: which are open and which are reserved. */
export class RelayPorts {
  private readonly takenPorts = new Map<Family, Set<number>>()
  private readonly reservations = new Map<string, Reservation>()
  /** The token of the newest reservation, in hex. */
  lastToken = ''

  /**
   * @param range first and last port
   * @param families the address families that this host can relay
   * @param bind opens a port; undefined when another program uses it
   */
  constructor(
    private readonly range: readonly [number, number],
    private readonly families: () => Family[],
    private readonly bind: (family: Family, port: number) => RelayedAddress | undefined,
  ) {}

  /** How many ports the request adds to the account's quota: a reserved port is already counted. */
  portsNeeded({ families, token }: AllocateRequest, user_id: number): number {
    return token !== undefined && this.reservations.get(token)?.user_id === user_id ? 0 : families.length
  }

  /** Number of ports and of free ports, in the scarcest of the families. */
  supply(families: Family[]): { free: number; total: number } {
    const [first, last] = this.range
    const total = last - first + 1
    return { total, free: total - Math.max(0, ...families.map((family) => this.takenPorts.get(family)?.size ?? 0)) }
  }

  /** @returns the relayed addresses, the first family's always among them, or the STUN error code */
  open(request: AllocateRequest, user_id: number, nowMs: number): RelayedAddress[] | 440 | 508 {
    if (request.token !== undefined) {
      const reservation = this.reservations.get(request.token)
      // RFC 8656 §7.2: an invalid token is 508. A token is valid only for the account that reserved the port.
      if (reservation?.user_id !== user_id || reservation.expiresMs <= nowMs) return 508
      this.reservations.delete(request.token)
      return [reservation.relay]
    }
    const [first, second] = request.families
    if (first === undefined || !this.families().includes(first)) return 440
    const relay = this.openOne(first, request, user_id, nowMs)
    if (!relay) return 508
    // RFC 8656 §7.2: the address of ADDITIONAL-ADDRESS-FAMILY may be missing.
    const other = second !== undefined && this.families().includes(second) ? this.openAny(second) : undefined
    return other ? [relay, other] : [relay]
  }

  private openOne(
    family: Family,
    request: AllocateRequest,
    user_id: number,
    nowMs: number,
  ): RelayedAddress | undefined {
    if (!request.even) return this.openAny(family)
    return this.search(family, 2, (port) => {
      const relay = this.tryPort(family, port)
      if (!relay || !request.reserve) return relay
      const next = port + 1 <= this.range[1] ? this.tryPort(family, port + 1) : undefined
      if (!next) {
        this.close(relay)
        return undefined
      }
      this.lastToken = randomBytes(8).toString('hex')
      this.reservations.set(this.lastToken, { relay: next, user_id, expiresMs: nowMs + RESERVATION_SECONDS * 1000 })
      return relay
    })
  }

  private openAny = (family: Family) => this.search(family, 1, (port) => this.tryPort(family, port))

  /** Searches the range from a random start, so that ports cannot be guessed (RFC 8656 §7.2). */
  private search(
    family: Family,
    step: 1 | 2,
    attempt: (port: number) => RelayedAddress | undefined,
  ): RelayedAddress | undefined {
    const [first, last] = this.range
    const lowest = Math.ceil(first / step) * step
    const size = Math.floor((last - lowest) / step) + 1
    if (size < 1) return undefined
    const start = randomInt(size)
    let failures = 0
    for (let at = 0; at < size && failures < BIND_FAILURES_MAX; at++) {
      const port = lowest + ((start + at) % size) * step
      if (this.takenPorts.get(family)?.has(port)) continue
      const relay = attempt(port)
      if (relay) return relay
      failures++
    }
    return undefined
  }

  private tryPort(family: Family, port: number): RelayedAddress | undefined {
    const familyPorts = this.takenPorts.get(family) ?? new Set()
    this.takenPorts.set(family, familyPorts)
    if (familyPorts.has(port)) return undefined
    const relay = this.bind(family, port)
    if (relay) familyPorts.add(port)
    return relay
  }

  close(relay: RelayedAddress): void {
    relay.close()
    this.takenPorts.get(relay.family)?.delete(relay.port)
  }

  /** Closes expired reservations. @returns the account of each one */
  closeExpired(nowMs: number): number[] {
    const expired = [...this.reservations].filter(([, { expiresMs }]) => expiresMs <= nowMs)
    for (const [token, { relay }] of expired) {
      this.reservations.delete(token)
      this.close(relay)
    }
    return expired.map(([, { user_id }]) => user_id)
  }
}
