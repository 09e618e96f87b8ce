import { isIP } from 'node:net'

/** An address as a key of a Map: IPv4 as a number, IPv6 as a string of its 16 bytes. */
export type AddressKey = number | string

const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes)

export function ipKey(ip: Uint8Array): AddressKey {
  if (ip.length !== 4) return latin1(ip)
  return (ip[0] ?? 0) * 0x1000000 + (((ip[1] ?? 0) << 16) | ((ip[2] ?? 0) << 8) | (ip[3] ?? 0))
}

/** Parses an IP address without its zone (`%eth0`); undefined when the text is no IP address. */
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

/** An IP address as text; IPv6 without `::`. */
export function ipText(ip: Uint8Array): string {
  if (ip.length === 4) return ip.join('.')
  return Array.from({ length: 8 }, (_, at) => (((ip[at * 2] ?? 0) << 8) | (ip[at * 2 + 1] ?? 0)).toString(16)).join(':')
}

/** A range of IP addresses. */
export interface IpRange {
  ip: Uint8Array
  bits: number
}

/**
 * Parses `10.0.0.0/8`, `fc00::/7` or a single address.
 * @throws Error for anything else
 */
export function parseRange(text: string): IpRange {
  const [address = '', bits] = text.split('/')
  const ip = parseIp(address)
  if (!ip) throw new Error(`${text} is no range of addresses`)
  return { ip, bits: bits === undefined ? ip.length * 8 : Number(bits) }
}

export function isWithin(ip: Uint8Array, range: IpRange): boolean {
  if (ip.length !== range.ip.length) return false
  const whole = range.bits >> 3
  for (let at = 0; at < whole; at++) if (ip[at] !== range.ip[at]) return false
  const rest = range.bits & 7
  return rest === 0 || ((ip[whole] ?? 0) ^ (range.ip[whole] ?? 0)) >> (8 - rest) === 0
}

/** Ranges of addresses, indexed by first byte so that a lookup compares only a few. */
export class RangeTable {
  private readonly groups = new Map<number, IpRange[]>()

  /** @param ranges must have no bits set beyond their prefix */
  constructor(ranges: IpRange[]) {
    for (const range of ranges) {
      const first = groupOf(range.ip)
      // A prefix shorter than a byte covers several first bytes.
      const last = first + 2 ** Math.max(0, 8 - range.bits) - 1
      for (let at = first; at <= last; at++) this.groups.set(at, [...(this.groups.get(at) ?? []), range])
    }
  }

  has(ip: Uint8Array): boolean {
    const group = this.groups.get(groupOf(ip))
    return group !== undefined && group.some((range) => isWithin(ip, range))
  }
}

const groupOf = (ip: Uint8Array): number => ip.length * 256 + (ip[0] ?? 0)
