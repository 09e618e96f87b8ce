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
  allowFragmentation(isAllowed: boolean): void
  close(): void
}

/** RFC 8656 §3.3: a permission covers every port of an IP address. */
export interface Permission {
  expiresMs: number
}

export interface ChannelBinding {
  number: number
  peer: Address
  /** Destination of packets for the peer by this version of the peer policy; undefined when it denies the peer. */
  target: Address | undefined
  version: number
  expiresMs: number
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
  readonly channelsByPeer = new Map<AddressKey, ChannelBinding>()
  /** The response to its Allocate, for retransmissions. */
  response: { transaction: string; message: Uint8Array } | undefined
  expiresMs: number
  private readonly endsMs: number

  constructor(
    readonly client: TurnClient,
    readonly user: AuthenticatedUser,
    readonly account: AccountUsage,
    readonly relays: RelayedAddress[],
    nowMs: number,
  ) {
    this.endsMs = nowMs + ALLOCATION_SECONDS_MAX * 1000
    this.expiresMs = this.endsMs
  }

  relayOf(family: Family): RelayedAddress | undefined {
    return this.relays.find((relay) => relay.family === family)
  }

  /**
   * Sets the lifetime. RFC 8656 §7.2, §8.2: at least the default and at most the maximum.
   * @param requestedS seconds; undefined without a LIFETIME attribute
   * @returns the lifetime in seconds
   */
  setLifetime(requestedS: number | undefined, nowMs: number): number {
    const lifetimeS = Math.max(LIFETIME_SECONDS_DEFAULT, Math.min(requestedS ?? 0, LIFETIME_SECONDS_MAX))
    this.expiresMs = Math.min(nowMs + lifetimeS * 1000, this.endsMs)
    return Math.max(0, Math.floor((this.expiresMs - nowMs) / 1000))
  }

  /** Installs or refreshes a permission (RFC 8656 §9.2); undefined when there are too many. */
  permit(peer: Address, nowMs: number): Permission | undefined {
    let permission = this.permissions.get(peer.hostKey)
    if (!permission) {
      if (this.permissions.size >= PERMISSIONS_MAX) return undefined
      permission = { expiresMs: 0 }
      this.permissions.set(peer.hostKey, permission)
      // A channel binding outlives its permission and uses the new one.
      for (const channel of this.channels.values())
        if (channel.peer.hostKey === peer.hostKey) channel.permission = permission
    }
    permission.expiresMs = nowMs + PERMISSION_SECONDS * 1000
    return permission
  }

  /** True if permissions for all these addresses fit. */
  hasSpaceFor(ipKeys: Set<AddressKey>): boolean {
    const addedKeys = [...ipKeys].filter((ipKey) => !this.permissions.has(ipKey))
    return this.permissions.size + addedKeys.length <= PERMISSIONS_MAX
  }

  mayReach(peer: Address, nowMs: number): boolean {
    return (this.permissions.get(peer.hostKey)?.expiresMs ?? 0) > nowMs
  }

  /**
   * Binds or refreshes a channel and its permission (RFC 8656 §12.2).
   * @returns the STUN error code of a refusal
   */
  bind(number: number, peer: Address, nowMs: number): 400 | 508 | undefined {
    const [sameNumber, samePeer] = [this.channels.get(number), this.channelsByPeer.get(peer.key)]
    // RFC 8656 §12.2: a channel number has one peer and a peer one number, until the binding expires.
    for (const old of [sameNumber, samePeer]) if (old && old.expiresMs <= nowMs) this.unbind(old)
    let channel = this.channels.get(number)
    if (channel !== this.channelsByPeer.get(peer.key)) return 400
    if (!channel && this.channels.size >= CHANNELS_MAX) return 508
    const permission = this.permit(peer, nowMs)
    if (!permission) return 508
    channel ??= { number, peer, target: undefined, version: -1, expiresMs: 0, permission }
    channel.permission = permission
    channel.expiresMs = nowMs + CHANNEL_SECONDS * 1000
    this.channels.set(number, channel)
    this.channelsByPeer.set(peer.key, channel)
    return undefined
  }

  /** Removes expired permissions and channel bindings. */
  removeExpired(nowMs: number): void {
    for (const channel of this.channels.values()) if (channel.expiresMs <= nowMs) this.unbind(channel)
    for (const [ipKey, { expiresMs }] of this.permissions) {
      if (expiresMs <= nowMs) this.permissions.delete(ipKey)
    }
  }

  private unbind(channel: ChannelBinding): void {
    this.channels.delete(channel.number)
    this.channelsByPeer.delete(channel.peer.key)
  }
}
