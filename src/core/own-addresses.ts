import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { isWithin, parseIp, parseRange } from './ip.ts'

const LINK_LOCAL = parseRange('fe80::/10')

/** Address of an interface of this machine. */
export interface OwnAddress {
  ip: Uint8Array
  loopback: boolean
}

/** The addresses of this machine, without link-local ones. */
export function ownAddresses(): OwnAddress[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ address }) => {
      const ip = parseIp(address)
      return ip && !isWithin(ip, LINK_LOCAL) ? [{ ip, loopback: ip[0] === 127 || address === '::1' }] : []
    })
}

/**
 * Resolves the configured announced IP addresses and host names.
 * @param known the last addresses of each name. Used while DNS fails, so that relayed traffic to this host stays
 * forbidden
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
