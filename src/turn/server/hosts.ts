import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import {
  type Family,
  formatAddress,
  type Host,
  ipKey,
  parseIp,
  parseRange,
  V4,
  V6,
  isWithin,
} from '../protocol/addresses.ts'

const LINK_LOCAL = parseRange('fe80::/10')
const PRIVATE = parseRange('fc00::/7')
const FAMILIES: Family[] = [V4, V6]
/** Addresses that are listened on; a host with more of them has its TURN elsewhere. */
const ADDRESSES_MAX = 64

/** The addresses of this machine, but for those that mean nothing without an interface. */
export function ownAddresses(): { ip: Uint8Array; loopback: boolean }[] {
  const all = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ address }) => {
      const ip = parseIp(address)
      return ip && !isWithin(ip, LINK_LOCAL) ? [{ ip, loopback: ip[0] === 127 || address === '::1' }] : []
    })
  return all.slice(0, ADDRESSES_MAX)
}

/**
 * The addresses of what is configured to be announced: IP addresses or host names, the first of each family.
 * @param known what names had last time: it holds while nobody can be asked, or this host would be taken for another
 */
export async function resolveAnnounced(names: string[], known: Map<string, Uint8Array[]>): Promise<Uint8Array[]> {
  const found = await Promise.all(
    names.map(async (name) => {
      const ip = parseIp(name)
      if (ip) return [ip]
      const answers = await lookup(name, { all: true }).catch(() => [])
      const ips = answers.flatMap(({ address }) => parseIp(address) ?? [])
      if (ips.length > 0) known.set(name, ips)
      return known.get(name) ?? []
    }),
  )
  return found.flat()
}

/** What the host is called in each family: announced as configured, else as its interface is. */
export function hostsOf(own: { ip: Uint8Array; loopback: boolean }[], announced: Uint8Array[]): Host[] {
  return FAMILIES.flatMap((family) => {
    const of = <T extends { ip: Uint8Array }>(list: T[]) =>
      list.filter(({ ip }) => formatAddress(ip, 0).family === family)
    const mine = of(own)
    const [named] = of(announced.map((ip) => ({ ip })))
    // A host that has what is announced is behind no NAT; else one address of its own, the open Internet's first.
    const same = named && mine.find(({ ip }) => ipKey(ip) === ipKey(named.ip))
    const rank = ({ ip, loopback }: { ip: Uint8Array; loopback: boolean }) =>
      loopback ? 2 : isWithin(ip, PRIVATE) ? 1 : 0
    const bound = same ?? mine.toSorted((a, b) => rank(a) - rank(b))[0]
    return bound ? [{ family, announced: named?.ip ?? bound.ip, bound: bound.ip }] : []
  })
}
