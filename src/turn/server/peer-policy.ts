import { type AddressKey, ipKey, type IpRange, isWithin } from '../../core/ip.ts'
import { reachableFrom, SPECIAL_PURPOSE } from '../../core/special-addresses.ts'
import { type Address, transportAddress } from '../protocol/addresses.ts'
import type { HostAddress } from './host-addresses.ts'

/** Decides which peers clients may exchange packets with, and maps addresses behind 1:1 NAT. */
export class PeerPolicy {
  /** Increases when an answer may have changed. */
  version = 0
  private ownKeys = new Set<AddressKey>()
  private hosts: HostAddress[] = []
  private sfu: Address[] = []

  /**
   * @param allowed ranges that are allowed in spite of the denied ones
   * @param relay_ports first and last port of the relay range
   */
  constructor(
    private readonly allowed: IpRange[],
    private readonly relay_ports: readonly [number, number],
  ) {}

  /** Sets this host's addresses. Only relayed transport addresses on them are allowed. */
  setHost(hosts: HostAddress[], ownIps: Uint8Array[]): void {
    this.hosts = hosts
    this.ownKeys = new Set([...ownIps, ...hosts.flatMap(({ announced, bound }) => [announced, bound])].map(ipKey))
    this.version++
  }

  /** Sets the SFU's addresses, which are allowed on this host too. */
  setSfu(sfu: Address[]): void {
    this.sfu = sfu
    this.version++
  }

  /** True if packets may be exchanged with the address and port. */
  permits(peer: Address): boolean {
    return peer.port !== 0 && (this.isOurs(peer) || this.permitsRange(peer.ip))
  }

  /** True if a permission may be installed. It covers every port (RFC 8656 §9), so packets are checked again. */
  permitsHost({ ip, hostKey }: Address): boolean {
    const isAnnounced = this.hosts.some((host) => ipKey(host.announced) === hostKey)
    return isAnnounced || this.sfu.some((sfu) => sfu.hostKey === hostKey) || this.permitsRange(ip)
  }

  /** True if the address is an announced relayed transport address of ours, or the SFU's. */
  private isOurs({ key, hostKey, port }: Address): boolean {
    const [first, last] = this.relay_ports
    if (port >= first && port <= last && this.hosts.some(({ announced }) => ipKey(announced) === hostKey)) return true
    return this.sfu.some((sfu) => sfu.key === key)
  }

  private permitsRange(ip: Uint8Array): boolean {
    const forms = reachableFrom(ip)
    if (forms.some((form) => this.allowed.some((range) => isWithin(form, range)))) return true
    return !forms.some((form) => this.ownKeys.has(ipKey(form)) || SPECIAL_PURPOSE.has(form))
  }

  /** The address to send to: behind NAT, our relays and the SFU are reached by their bound address. */
  toBound(peer: Address): Address {
    const host = this.isOurs(peer) ? this.hosts.find(({ announced }) => ipKey(announced) === peer.hostKey) : undefined
    return host ? transportAddress(host.bound, peer.port) : peer
  }

  /** The peer's address for a packet from this source: the inverse of toBound. */
  toAnnounced(source: Address): Address {
    const host = this.hosts.find(({ bound }) => ipKey(bound) === source.hostKey)
    if (!host) return source
    const peer = transportAddress(host.announced, source.port)
    return this.isOurs(peer) ? peer : source
  }
}
