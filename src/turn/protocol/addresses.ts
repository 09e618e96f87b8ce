import { isIP } from 'node:net'

/** Address families as STUN numbers them (RFC 8489 §14.1). */
export const V4 = 1
export const V6 = 2
export type Family = typeof V4 | typeof V6

/** What a Map finds an address by: an IPv4 address is a number, an IPv6 address 16 bytes as text. */
export type Key = number | string

/** A transport address. */
export interface Address {
  family: Family
  ip: Uint8Array
  port: number
  /** Of the IP address alone. */
  ip_key: Key
  /** Of address and port. */
  key: Key
  /** The same as the system takes it; made when it is first sent to. */
  sockaddr?: Uint32Array
}

const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes)

export function ipKey(ip: Uint8Array): Key {
  if (ip.length !== 4) return latin1(ip)
  return (ip[0] ?? 0) * 0x1000000 + (((ip[1] ?? 0) << 16) | ((ip[2] ?? 0) << 8) | (ip[3] ?? 0))
}

/** What is counted as one client: an IPv4 address, or the /64 that an IPv6 client has to itself. */
export const siteOf = (ip: Uint8Array): Uint8Array => (ip.length === 4 ? ip : ip.subarray(0, 8))

/** An address of its parts; the bytes are kept. */
export function formatAddress(ip: Uint8Array, port: number): Address {
  const ip_key = ipKey(ip)
  const key = typeof ip_key === 'number' ? ip_key * 0x10000 + port : ip_key + String.fromCharCode(port)
  return { family: ip.length === 4 ? V4 : V6, ip, port, ip_key, key }
}

/** Reads an IP address; undefined when it is none. A zone (`%eth0`) is dropped. */
export function parseIp(text: string): Uint8Array | undefined {
  const [plain = ''] = text.split('%')
  if (isIP(plain) === 4) return new Uint8Array(plain.split('.').map(Number))
  if (isIP(plain) !== 6) return undefined
  const [, head = plain, dotted] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(plain) ?? []
  const [a = 0, b = 0, c = 0, d = 0] = dotted?.split('.').map(Number) ?? []
  const whole = dotted === undefined ? plain : `${head}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  const [left = '', right] = whole.split('::')
  const before = left.split(':').filter(Boolean)
  const after = right?.split(':').filter(Boolean) ?? []
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return new Uint8Array(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]))
}

/** The address as people write it; IPv6 without shortening, which every reader takes. */
export function ipText(ip: Uint8Array): string {
  if (ip.length === 4) return ip.join('.')
  return Array.from({ length: 8 }, (_, at) => (((ip[at * 2] ?? 0) << 8) | (ip[at * 2 + 1] ?? 0)).toString(16)).join(':')
}

/** A range of IP addresses. */
export interface Range {
  ip: Uint8Array
  bits: number
}

/**
 * Reads `10.0.0.0/8`, `fc00::/7` or a single address.
 * @throws Error when it is none: ranges are written by people who configure
 */
export function parseRange(text: string): Range {
  const [address = '', bits] = text.split('/')
  const ip = parseIp(address)
  if (!ip) throw new Error(`${text} is no range of addresses`)
  return { ip, bits: bits === undefined ? ip.length * 8 : Number(bits) }
}

export function isWithin(ip: Uint8Array, range: Range): boolean {
  if (ip.length !== range.ip.length) return false
  const whole = range.bits >> 3
  for (let at = 0; at < whole; at++) if (ip[at] !== range.ip[at]) return false
  const rest = range.bits & 7
  return rest === 0 || ((ip[whole] ?? 0) ^ (range.ip[whole] ?? 0)) >> (8 - rest) === 0
}

/** Where an IPv6 address carries an IPv4 address, under another name or through a gateway. */
const CARRIERS: [Range, (ip: Uint8Array) => Uint8Array][] = (
  [
    // IPv4-mapped (RFC 4291 §2.5.5.2), IPv4-compatible (§2.5.5.1), IPv4-translated (RFC 2765), NAT64 (RFC 6052, 8215).
    ['::ffff:0:0/96', (ip) => ip.subarray(12)],
    ['::/96', (ip) => ip.subarray(12)],
    ['::ffff:0:0:0/96', (ip) => ip.subarray(12)],
    ['64:ff9b::/96', (ip) => ip.subarray(12)],
    ['64:ff9b:1::/48', (ip) => ip.subarray(12)],
    // 6to4 (RFC 3056 §2); Teredo (RFC 4380 §4) keeps the client's address inverted at the end.
    ['2002::/16', (ip) => ip.subarray(2, 6)],
    ['2001::/32', (ip) => ip.slice(12).map((byte) => byte ^ 0xff)],
  ] as [string, (ip: Uint8Array) => Uint8Array][]
).map(([range, take]) => [parseRange(range), take])

/** The address and every other that a packet to it may reach. */
function formsOf(ip: Uint8Array): Uint8Array[] {
  return ip.length === 4 ? [ip] : [ip, ...CARRIERS.flatMap(([range, take]) => (isWithin(ip, range) ? [take(ip)] : []))]
}

/** Nobody relays to these (RFC 8656 §21.1.4 and what else is not the open Internet). */
const DENIED = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  // NAT64 of the network's own (RFC 8215): it reaches private IPv4, which may stand anywhere in it (RFC 6052 §2.2).
  '64:ff9b:1::/48',
  '100::/64',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
].map(parseRange)

/** What this host is called outside and inside, for one family; the two differ behind 1:1 NAT. */
export interface Host {
  family: Family
  announced: Uint8Array
  bound: Uint8Array
}

/** Whom clients may exchange packets with, and by which address. */
export class Peers {
  /** Raised whenever an answer may have changed. */
  version = 0
  private own = new Set<Key>()
  private hosts: Host[] = []
  private sfu: Address[] = []

  /**
   * @param allowed ranges that are allowed though they are denied to others
   * @param relay_ports first and last port of the relay range
   */
  constructor(
    private readonly allowed: Range[],
    private readonly relay_ports: readonly [number, number],
  ) {}

  /** The host's addresses: everything on them is denied but our own relays. */
  setHost(hosts: Host[], own: Uint8Array[]): void {
    this.hosts = hosts
    this.own = new Set([...own, ...hosts.flatMap(({ announced, bound }) => [announced, bound])].map(ipKey))
    this.version++
  }

  /** Exactly these are allowed on this host beside our own relays. */
  setSfu(sfu: Address[]): void {
    this.sfu = sfu
    this.version++
  }

  /** Whether packets may be exchanged with the address and port. */
  permits(peer: Address): boolean {
    return peer.port !== 0 && (this.isOurs(peer) || this.permitsRange(peer.ip))
  }

  /** Whether a permission may be installed; it knows no port (RFC 8656 §9), so each packet is judged again. */
  permitsHost({ ip, ip_key }: Address): boolean {
    const ours = this.hosts.some((host) => ipKey(host.announced) === ip_key)
    return ours || this.sfu.some((sfu) => sfu.ip_key === ip_key) || this.permitsRange(ip)
  }

  /** Our own relays and the SFU, by the address that is announced. */
  private isOurs({ key, ip_key, port }: Address): boolean {
    const [first, last] = this.relay_ports
    if (port >= first && port <= last && this.hosts.some(({ announced }) => ipKey(announced) === ip_key)) return true
    return this.sfu.some((sfu) => sfu.key === key)
  }

  private permitsRange(ip: Uint8Array): boolean {
    const forms = formsOf(ip)
    if (forms.some((form) => this.allowed.some((range) => isWithin(form, range)))) return true
    return !forms.some((form) => this.own.has(ipKey(form)) || DENIED.some((range) => isWithin(form, range)))
  }

  /** Where a packet for the peer goes: to our own relays and the SFU it does not go by way of the NAT. */
  toBound(peer: Address): Address {
    const host = this.isOurs(peer) ? this.hosts.find(({ announced }) => ipKey(announced) === peer.ip_key) : undefined
    return host ? formatAddress(host.bound, peer.port) : peer
  }

  /** The peer that a packet from this source comes from: the other way round. */
  toAnnounced(source: Address): Address {
    const host = this.hosts.find(({ bound }) => ipKey(bound) === source.ip_key)
    if (!host) return source
    const peer = formatAddress(host.announced, source.port)
    return this.isOurs(peer) ? peer : source
  }
}
