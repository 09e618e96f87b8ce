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
  of(client: TurnClient, nowMs: number): Allocation | undefined {
    const allocation = client.table.get(client.address.key)
    if (!allocation || allocation.expiresMs > nowMs) return allocation
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
    nowMs: number,
  ): Allocation | 440 | 486 | 508 {
    const account = this.quotas.account(user.user_id)
    const portsNeeded = this.ports.portsNeeded(request, user.user_id) + (request.reserve ? 1 : 0)
    if (!this.quotas.take(account, portsNeeded, this.ports.supply(request.families))) return 486
    const relays = this.ports.open(request, user.user_id, nowMs)
    if (typeof relays === 'number') {
      this.quotas.release(account, portsNeeded)
      return relays
    }
    const portsMissing = portsNeeded - (request.reserve ? 1 : 0) - relays.length
    if (portsMissing > 0) this.quotas.release(account, portsMissing)
    const allocation = new Allocation(client, user, account, relays, nowMs)
    for (const relay of relays) relay.owner = allocation
    client.table.set(client.address.key, allocation)
    this.all.add(allocation)
    return allocation
  }

  /** True if the account's rate allows these bytes now; counts them if so. */
  charge = (allocation: Allocation, bytes: number, nowMs: number) =>
    this.quotas.charge(allocation.account, bytes, nowMs)

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
  sweep(nowMs: number): void {
    this.endWhere((allocation) => allocation.expiresMs <= nowMs)
    for (const allocation of this.all) allocation.removeExpired(nowMs)
    for (const userId of this.ports.closeExpired(nowMs)) this.quotas.release(this.quotas.account(userId), 1)
    this.quotas.removeUnused(nowMs)
  }
}
