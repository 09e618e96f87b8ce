import type { AddressKey } from '../../core/ip.ts'
import type { Address, Family } from '../protocol/addresses.ts'
import type { AccountUsage } from './quotas.ts'

/** RFC 8656 §3.2, §7.2: lifetimes of allocations in seconds. */
const LIFETIME_SECONDS_DEFAULT = 600
const LIFETIME_SECONDS_MAX = 3600
/** An allocation ends after this time even when it is refreshed. */
const ALLOCATION_SECONDS_MAX = 24 * 3600
/** RFC 8656 §9: the lifetime of a permission is fixed. */
const PERMISSION_SECONDS = 300
/** RFC 8656 §12. */
const CHANNEL_SECONDS = 600
/** Limits for one allocation; a call has few peers. */
const PERMISSIONS_MAX = 128
const CHANNELS_MAX = 128

/** The allocations of one listener or one connection, by the client's address. */
export type AllocationTable = Map<AddressKey, Allocation>

/** The client's side of a 5-tuple (RFC 8656 §3.2). */
export interface TurnClient {
  transport: 'udp' | 'tcp' | 'tls'
  address: Address
  table: AllocationTable
  /** Sends a whole STUN message. */
  send(message: Uint8Array): void
  /** Sends bytes of the packet slots. */
  forward(start: number, length: number): void
}

/** An open relayed transport address (RFC 8656 §2). */
export interface RelayedAddress {
  family: Family
  port: number
  /** Undefined while the port is only reserved. */
  owner?: Allocation
  /** Sends one packet at once, from any memory. */
  send(bytes: Uint8Array, target: Address): void
  /** Sends bytes of the packet slots with the next flush. */
  forward(start: number, length: number, target: Address): void
  /** RFC 8656 §14: whether the following packets may be fragmented. */
  allowFragmentation(allowed: boolean): void
  close(): void
}

/** RFC 8656 §3.3: a permission covers every port of an IP address. */
export interface Permission {
  expires_ms: number
}

export interface ChannelBinding {
  number: number
  peer: Address
  /** Destination of packets for the peer by this version of the peer policy; undefined when it denies the peer. */
  target: Address | undefined
  version: number
  expires_ms: number
  permission: Permission
}

/** The user whose long-term credentials signed a request (RFC 8489 §9.2). */
export interface AuthenticatedUser {
  username: string
  key: Uint8Array
  user_id: number
}

/** An allocation (RFC 8656 §3.2) with its permissions and channel bindings. */
export class Allocation {
  readonly permissions = new Map<AddressKey, Permission>()
  readonly channels = new Map<number, ChannelBinding>()
  readonly channels_by_peer = new Map<AddressKey, ChannelBinding>()
  /** The response to its Allocate, for retransmissions. */
  response: { transaction: string; message: Uint8Array } | undefined
  expires_ms: number
  private readonly ends_ms: number

  constructor(
    readonly client: TurnClient,
    readonly user: AuthenticatedUser,
    readonly account: AccountUsage,
    readonly relays: RelayedAddress[],
    now_ms: number,
  ) {
    this.ends_ms = now_ms + ALLOCATION_SECONDS_MAX * 1000
    this.expires_ms = this.ends_ms
  }

  relayOf(family: Family): RelayedAddress | undefined {
    return this.relays.find((relay) => relay.family === family)
  }

  /**
   * Sets the lifetime. RFC 8656 §7.2, §8.2: at least the default and at most the maximum.
   * @param requested_s seconds; undefined without a LIFETIME attribute
   * @returns the lifetime in seconds
   */
  setLifetime(requested_s: number | undefined, now_ms: number): number {
    const lifetime_s = Math.max(LIFETIME_SECONDS_DEFAULT, Math.min(requested_s ?? 0, LIFETIME_SECONDS_MAX))
    this.expires_ms = Math.min(now_ms + lifetime_s * 1000, this.ends_ms)
    return Math.max(0, Math.floor((this.expires_ms - now_ms) / 1000))
  }

  /** Installs or refreshes a permission (RFC 8656 §9.2); undefined when there are too many. */
  permit(peer: Address, now_ms: number): Permission | undefined {
    let permission = this.permissions.get(peer.ip_key)
    if (!permission) {
      if (this.permissions.size >= PERMISSIONS_MAX) return undefined
      permission = { expires_ms: 0 }
      this.permissions.set(peer.ip_key, permission)
      // A channel binding outlives its permission and uses the new one.
      for (const channel of this.channels.values())
        if (channel.peer.ip_key === peer.ip_key) channel.permission = permission
    }
    permission.expires_ms = now_ms + PERMISSION_SECONDS * 1000
    return permission
  }

  /** True if permissions for all these addresses fit. */
  hasRoomFor(ip_keys: Set<AddressKey>): boolean {
    const added = [...ip_keys].filter((ip_key) => !this.permissions.has(ip_key))
    return this.permissions.size + added.length <= PERMISSIONS_MAX
  }

  mayReach(peer: Address, now_ms: number): boolean {
    return (this.permissions.get(peer.ip_key)?.expires_ms ?? 0) > now_ms
  }

  /**
   * Binds or refreshes a channel and its permission (RFC 8656 §12.2).
   * @returns the STUN error code of a refusal
   */
  bind(number: number, peer: Address, now_ms: number): 400 | 508 | undefined {
    const [same_number, same_peer] = [this.channels.get(number), this.channels_by_peer.get(peer.key)]
    // RFC 8656 §12.2: a channel number has one peer and a peer one number, until the binding expires.
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

  /** Removes expired permissions and channel bindings. */
  removeExpired(now_ms: number): void {
    for (const channel of this.channels.values()) if (channel.expires_ms <= now_ms) this.unbind(channel)
    for (const [ip_key, { expires_ms }] of this.permissions) {
      if (expires_ms <= now_ms) this.permissions.delete(ip_key)
    }
  }

  private unbind(channel: ChannelBinding): void {
    this.channels.delete(channel.number)
    this.channels_by_peer.delete(channel.peer.key)
  }
}
