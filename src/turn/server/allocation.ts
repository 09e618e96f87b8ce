import type { Address, Family, Key } from '../protocol/addresses.ts'
import { type Account, Quotas } from './quotas.ts'
import type { Relay, RelayPorts, Wanted } from './relay-ports.ts'

/** RFC 8656 §3.2, §7.2: lifetimes of allocations in seconds. */
const LIFETIME_SECONDS_DEFAULT = 600
const LIFETIME_SECONDS_MAX = 3600
/** However often it is refreshed, an allocation ends after this time. */
const ALLOCATION_SECONDS_MAX = 24 * 3600
/** RFC 8656 §9: no other value is allowed. */
const PERMISSION_SECONDS = 300
/** RFC 8656 §12. */
const CHANNEL_SECONDS = 600
/** What one allocation may hold of each; the peers of a call are few. */
const PERMISSIONS_MAX = 128
const CHANNELS_MAX = 128

/** The allocations of one listening address, or of one connection, by the client's address. */
export type Home = Map<Key, Allocation>

/** A client's end of a 5-tuple (RFC 8656 §3.2). */
export interface Client {
  transport: 'udp' | 'tcp' | 'tls'
  address: Address
  home: Home
  /** Sends a whole STUN message. */
  send(message: Uint8Array): void
  /** Sends bytes of the packets' slots. */
  forward(start: number, length: number): void
}

/** RFC 8656 §3.3: by IP address alone. */
export interface Permission {
  expires_ms: number
}

export interface Channel {
  number: number
  peer: Address
  /** Where packets for the peer go, judged under this version of the rules; undefined when they go nowhere. */
  target: Address | undefined
  version: number
  expires_ms: number
  permission: Permission
}

/** Who asked for it. */
export interface Holder {
  username: string
  key: Uint8Array
  user_id: number
}

/** One allocation; closing it closes its relays. */
export class Allocation {
  readonly permissions = new Map<Key, Permission>()
  readonly channels = new Map<number, Channel>()
  readonly channels_by_peer = new Map<Key, Channel>()
  /** The answer to the Allocate that made it, for when that comes again. */
  answer: { transaction: string; message: Uint8Array } | undefined
  expires_ms: number
  private readonly dies_ms: number

  constructor(
    readonly client: Client,
    readonly holder: Holder,
    readonly account: Account,
    readonly relays: Relay[],
    now_ms: number,
  ) {
    this.dies_ms = now_ms + ALLOCATION_SECONDS_MAX * 1000
    this.expires_ms = this.dies_ms
  }

  relayOf(family: Family): Relay | undefined {
    return this.relays.find((relay) => relay.family === family)
  }

  /**
   * Sets the time to live. RFC 8656 §7.2, §8.2: at least the default and at most the maximum, whatever is wished.
   * @returns seconds
   */
  live(wished_s: number | undefined, now_ms: number): number {
    const wished = Math.max(LIFETIME_SECONDS_DEFAULT, Math.min(wished_s ?? 0, LIFETIME_SECONDS_MAX))
    this.expires_ms = Math.min(now_ms + wished * 1000, this.dies_ms)
    return Math.max(0, Math.floor((this.expires_ms - now_ms) / 1000))
  }

  /** RFC 8656 §9.2: makes or renews it; undefined when there are too many. */
  permit(peer: Address, now_ms: number): Permission | undefined {
    let permission = this.permissions.get(peer.ip_key)
    if (!permission) {
      if (this.permissions.size >= PERMISSIONS_MAX) return undefined
      permission = { expires_ms: 0 }
      this.permissions.set(peer.ip_key, permission)
      // A channel outlives its permission, and works again with the next.
      for (const channel of this.channels.values())
        if (channel.peer.ip_key === peer.ip_key) channel.permission = permission
    }
    permission.expires_ms = now_ms + PERMISSION_SECONDS * 1000
    return permission
  }

  /** Whether permissions for these addresses could be installed together. */
  hasRoomFor(ip_keys: Set<Key>): boolean {
    const added = [...ip_keys].filter((ip_key) => !this.permissions.has(ip_key))
    return this.permissions.size + added.length <= PERMISSIONS_MAX
  }

  mayReach(peer: Address, now_ms: number): boolean {
    return (this.permissions.get(peer.ip_key)?.expires_ms ?? 0) > now_ms
  }

  /**
   * RFC 8656 §12.2: binds or renews a channel and its permission.
   * @returns the STUN error code when it cannot be
   */
  bind(number: number, peer: Address, now_ms: number): 400 | 508 | undefined {
    const [same_number, same_peer] = [this.channels.get(number), this.channels_by_peer.get(peer.key)]
    // RFC 8656 §12.2: a bound number has one peer, a bound peer one number. What has expired is bound no more.
    for (const old of [same_number, same_peer]) if (old && old.expires_ms <= now_ms) this.unbind(old)
    let channel = this.channels.get(number)
    if (channel !== this.channels_by_peer.get(peer.key)) return 400
    if (!channel && this.channels.size >= CHANNELS_MAX) return 508
    const permission = this.permit(peer, now_ms)
    if (!permission) return 508
    channel ??= { number, peer, target: undefined, version: -1, expires_ms: 0, permission }
    channel.permission = permission
    channel.expires_ms = now_ms + CHANNEL_SECONDS * 1000
    this.channels.set(number, channel)
    this.channels_by_peer.set(peer.key, channel)
    return undefined
  }

  /** Forgets what has expired. */
  tidy(now_ms: number): void {
    for (const channel of this.channels.values()) if (channel.expires_ms <= now_ms) this.unbind(channel)
    for (const [ip_key, { expires_ms }] of this.permissions) {
      if (expires_ms <= now_ms) this.permissions.delete(ip_key)
    }
  }

  private unbind(channel: Channel): void {
    this.channels.delete(channel.number)
    this.channels_by_peer.delete(channel.peer.key)
  }
}

/** Every allocation of the server. Time is passed in: milliseconds of a clock that is never set. */
export class Allocations {
  readonly all = new Set<Allocation>()
  private readonly quotas: Quotas

  constructor(
    private readonly ports: RelayPorts,
    limits: { allocations: number; bytes_per_s: number },
  ) {
    this.quotas = new Quotas(limits)
  }

  /** The allocation of the 5-tuple, if it lives. */
  of(client: Client, now_ms: number): Allocation | undefined {
    const allocation = client.home.get(client.address.key)
    if (!allocation || allocation.expires_ms > now_ms) return allocation
    this.end(allocation)
    return undefined
  }

  /**
   * Makes an allocation. RFC 8656 §7.2.
   * @returns it, or the STUN error code: 486 over quota, 440 without the family, 508 without a port
   */
  allocate(client: Client, holder: Holder, wanted: Wanted, now_ms: number): Allocation | 440 | 486 | 508 {
    const account = this.quotas.account(holder.user_id)
    const places = this.ports.claims(wanted, holder.user_id) + (wanted.reserve ? 1 : 0)
    if (!this.quotas.take(account, places)) return 486
    const relays = this.ports.open(wanted, holder.user_id, now_ms)
    if (typeof relays === 'number') {
      this.quotas.release(account, places)
      return relays
    }
    const missing = places - (wanted.reserve ? 1 : 0) - relays.length
    if (missing > 0) this.quotas.release(account, missing)
    const allocation = new Allocation(client, holder, account, relays, now_ms)
    for (const relay of relays) relay.owner = allocation
    client.home.set(client.address.key, allocation)
    this.all.add(allocation)
    return allocation
  }

  /** Whether the account may relay so many bytes now. */
  charge = (allocation: Allocation, bytes: number, now_ms: number) =>
    this.quotas.charge(allocation.account, bytes, now_ms)

  /** Ends an allocation; its relays take and send nothing from here on. */
  end(allocation: Allocation): void {
    if (!this.all.delete(allocation)) return
    const { client, relays, account } = allocation
    client.home.delete(client.address.key)
    this.quotas.release(account, relays.length)
    for (const relay of relays) this.ports.close(relay)
  }

  /** Ends one relay of a dual allocation. */
  endRelay(allocation: Allocation, relay: Relay): void {
    allocation.relays.splice(allocation.relays.indexOf(relay), 1)
    this.quotas.release(allocation.account, 1)
    this.ports.close(relay)
  }

  endAll(of: (allocation: Allocation) => boolean): void {
    for (const allocation of this.all) if (of(allocation)) this.end(allocation)
  }

  /** Ends what has expired and forgets what nobody uses. Called every second or so. */
  sweep(now_ms: number): void {
    this.endAll((allocation) => allocation.expires_ms <= now_ms)
    for (const allocation of this.all) allocation.tidy(now_ms)
    for (const user_id of this.ports.expire(now_ms)) this.quotas.release(this.quotas.account(user_id), 1)
    this.quotas.tidy(now_ms)
  }
}
