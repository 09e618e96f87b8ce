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
 * @param lastResolved the last addresses of each name. Used while DNS fails, so that relayed traffic to this host stays
 * forbidden
 */
export async function resolveAnnounced(
  names: string[],
  lastResolved: Map<string, Uint8Array[]>,
): Promise<Uint8Array[]> {
  const resolved = await Promise.all(
    names.map(async (name) => {
      const ip = parseIp(name)
      if (ip) return [ip]
      const answers = await lookup(name, { all: true }).catch(() => [])
      const ips = answers.flatMap(({ address }) => parseIp(address) ?? [])
      if (ips.length > 0) lastResolved.set(name, ips)
      return lastResolved.get(name) ?? []
    }),
  )
  return resolved.flat()
}
