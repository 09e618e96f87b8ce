import { type IpRange, isWithin, parseRange, RangeTable } from './ip.ts'

/** IPv6 ranges that embed an IPv4 address, and how to extract it. */
const EMBEDDED_IPV4: [IpRange, (ip: Uint8Array) => Uint8Array][] = (
  [
    // IPv4-mapped (RFC 4291 §2.5.5.2), IPv4-compatible (§2.5.5.1), IPv4-translated (RFC 2765), NAT64 (RFC 6052, 8215).
    ['::ffff:0:0/96', (ip) => ip.subarray(12)],
    ['::/96', (ip) => ip.subarray(12)],
    ['::ffff:0:0:0/96', (ip) => ip.subarray(12)],
    ['64:ff9b::/96', (ip) => ip.subarray(12)],
    ['64:ff9b:1::/48', (ip) => ip.subarray(12)],
    // 6to4 (RFC 3056 §2). Teredo (RFC 4380 §4) embeds its server's address, and at the end the client's, inverted.
    ['2002::/16', (ip) => ip.subarray(2, 6)],
    ['2001::/32', (ip) => ip.subarray(4, 8)],
    ['2001::/32', (ip) => ip.slice(12).map((byte) => byte ^ 0xff)],
  ] as [string, (ip: Uint8Array) => Uint8Array][]
).map(([range, extract]) => [parseRange(range), extract])

/** ISATAP (RFC 5214 §6.1): any prefix, then the interface identifier ::5efe:a.b.c.d, with any u and g bits. */
const isIsatap = (ip: Uint8Array): boolean =>
  ip[10] === 0x5e && ip[11] === 0xfe && ip[9] === 0 && ((ip[8] ?? 0) & 0xfc) === 0

/** The address itself and the IPv4 addresses embedded in it, which a gateway may forward packets to. */
export function reachableFrom(ip: Uint8Array): Uint8Array[] {
  const forms = [ip]
  if (ip.length === 4) return forms
  for (const [range, extract] of EMBEDDED_IPV4) if (isWithin(ip, range)) forms.push(extract(ip))
  if (isIsatap(ip)) forms.push(ip.subarray(12))
  return forms
}

/**
 * Addresses that are not public: RFC 8656 §21.1.4, and the entries of IANA's special-purpose registries (RFC 6890)
 * that are not globally reachable.
 */
export const SPECIAL_PURPOSE = new RangeTable(
  [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    // Documentation (RFC 5737), and the 6to4 relays' anycast address (RFC 7526).
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    // Benchmarks (RFC 2544).
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
    '::/128',
    '::1/128',
    // Local-use NAT64 (RFC 8215) reaches private IPv4 addresses, at any position of the suffix (RFC 6052 §2.2).
    '64:ff9b:1::/48',
    // Discarding (RFC 6666) and dummy (RFC 9780) prefixes.
    '100::/64',
    '100:0:0:1::/64',
    // Benchmarks (RFC 5180), ORCHID (RFC 4843), documentation (RFC 3849, RFC 9637), segment routing (RFC 9602).
    '2001:2::/48',
    '2001:10::/28',
    '2001:db8::/32',
    '3fff::/20',
    '5f00::/16',
    'fc00::/7',
    'fe80::/10',
    'fec0::/10',
    'ff00::/8',
  ].map(parseRange),
)
