import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { type Family, ipKey, isWithin, parseIp, parseRange, transportAddress, V4, V6 } from '../protocol/addresses.ts'

const LINK_LOCAL = parseRange('fe80::/10')
const PRIVATE = parseRange('fc00::/7')
const FAMILIES: Family[] = [V4, V6]
/** The server listens on at most this many addresses. */
const ADDRESSES_MAX = 64

/** The address of this host in one family, as peers see it and as its interface has it; both differ behind 1:1 NAT. */
export interface HostAddress {
  family: Family
  announced: Uint8Array
  bound: Uint8Array
}

/** An address of an interface of this machine. */
export interface OwnAddress {
  ip: Uint8Array
  loopback: boolean
}

/** The addresses of this machine, without link-local ones. */
export function ownAddresses(): OwnAddress[] {
  const all = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ address }) => {
      const ip = parseIp(address)
      return ip && !isWithin(ip, LINK_LOCAL) ? [{ ip, loopback: ip[0] === 127 || address === '::1' }] : []
    })
  return all.slice(0, ADDRESSES_MAX)
}

/**
 * Resolves the configured announced IP addresses and host names.
 * @param known the last addresses of each name. They stay valid while DNS fails, so that the host's own address stays
 *   denied as a peer
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

/** The host's address in each family: announced as configured, else as the interface has it. */
export function hostAddresses(own: OwnAddress[], announced: Uint8Array[]): HostAddress[] {
  return FAMILIES.flatMap((family) => {
    const of = <T extends { ip: Uint8Array }>(list: T[]) =>
      list.filter(({ ip }) => transportAddress(ip, 0).family === family)
    const mine = of(own)
    const [named] = of(announced.map((ip) => ({ ip })))
    // An interface with the announced address means no NAT; else one of its own addresses is bound, public ones first.
    const same = named && mine.find(({ ip }) => ipKey(ip) === ipKey(named.ip))
    const rank = ({ ip, loopback }: OwnAddress) => (loopback ? 2 : isWithin(ip, PRIVATE) ? 1 : 0)
    const bound = same ?? mine.toSorted((a, b) => rank(a) - rank(b))[0]
    return bound ? [{ family, announced: named?.ip ?? bound.ip, bound: bound.ip }] : []
  })
}
