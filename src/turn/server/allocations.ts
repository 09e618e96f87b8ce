import type { AllocateRequest } from '../protocol/allocate-request.ts'
import { Allocation, type AuthenticatedUser, type RelayedAddress, type TurnClient } from './allocation.ts'
import { Quotas } from './quotas.ts'
import type { RelayPorts } from './relay-ports.ts'

/** Every allocation of the server. Times are milliseconds of a monotonic clock. */
export class Allocations {
  readonly all = new Set<Allocation>()
  private readonly quotas: Quotas

  constructor(
    private readonly ports: RelayPorts,
    limits: { allocations: number; bytes_per_s: number },
  ) {
    this.quotas = new Quotas(limits)
  }

  /** The allocation of the 5-tuple; an expired one is ended. */
  of(client: TurnClient, now_ms: number): Allocation | undefined {
    const allocation = client.table.get(client.address.key)
    if (!allocation || allocation.expires_ms > now_ms) return allocation
    this.end(allocation)
    return undefined
  }

  /**
   * Creates an allocation. RFC 8656 §7.2.
   * @returns the STUN error code 486 over quota, 440 for a missing family, 508 without a free port
   */
  allocate(
    client: TurnClient,
    user: AuthenticatedUser,
    request: AllocateRequest,
    now_ms: number,
  ): Allocation | 440 | 486 | 508 {
    const account = this.quotas.account(user.user_id)
    const needed = this.ports.portsNeeded(request, user.user_id) + (request.reserve ? 1 : 0)
    if (!this.quotas.take(account, needed, this.ports.supply(request.families))) return 486
    const relays = this.ports.open(request, user.user_id, now_ms)
    if (typeof relays === 'number') {
      this.quotas.release(account, needed)
      return relays
    }
    const missing = needed - (request.reserve ? 1 : 0) - relays.length
    if (missing > 0) this.quotas.release(account, missing)
    const allocation = new Allocation(client, user, account, relays, now_ms)
    for (const relay of relays) relay.owner = allocation
    client.table.set(client.address.key, allocation)
    this.all.add(allocation)
    return allocation
  }

  /** True if the account's rate allows these bytes now; counts them if so. */
  charge = (allocation: Allocation, bytes: number, now_ms: number) =>
    this.quotas.charge(allocation.account, bytes, now_ms)

  /** Ends an allocation and closes its relayed addresses. */
  end(allocation: Allocation): void {
    if (!this.all.delete(allocation)) return
    const { client, relays, account } = allocation
    client.table.delete(client.address.key)
    this.quotas.release(account, relays.length)
    for (const relay of relays) this.ports.close(relay)
  }

  /** Ends one relayed address of a dual allocation. */
  endRelay(allocation: Allocation, relay: RelayedAddress): void {
    allocation.relays.splice(allocation.relays.indexOf(relay), 1)
    this.quotas.release(allocation.account, 1)
    this.ports.close(relay)
  }

  endWhere(matches: (allocation: Allocation) => boolean): void {
    for (const allocation of this.all) if (matches(allocation)) this.end(allocation)
  }

  /** Ends what has expired and drops unused accounts. Called about once a second. */
  sweep(now_ms: number): void {
    this.endWhere((allocation) => allocation.expires_ms <= now_ms)
    for (const allocation of this.all) allocation.removeExpired(now_ms)
    for (const user_id of this.ports.closeExpired(now_ms)) this.quotas.release(this.quotas.account(user_id), 1)
    this.quotas.removeUnused(now_ms)
  }
}
