import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { types } from 'mediasoup'

/** An address for documentation (RFC 5737): only the route to it is asked for. */
const OUTSIDE = '203.0.113.1'
/** Each address is a socket of every worker and a candidate of every offer; a machine with containers has dozens. */
const ADDRESSES_MAX = 8
const LINK_LOCAL = /^fe[89ab]/i

/** One address of this machine. */
export interface Local {
  address: string
  family: 'IPv4' | 'IPv6'
  internal: boolean
}

/** The addresses of this machine, except link-local ones; the one of the default route first. */
export async function localAddresses(): Promise<Local[]> {
  const all = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address }) => !LINK_LOCAL.test(address))
  const outward = await outwardAddress()
  return all.toSorted((a, b) => Number(b.address === outward) - Number(a.address === outward))
}

/** The source address of packets on the default route. Sends none. */
async function outwardAddress(): Promise<string | undefined> {
  try {
    const socket = await Bun.udpSocket({ connect: { hostname: OUTSIDE, port: 9 } })
    const { address } = socket.address
    socket.close()
    return address
  } catch {
    return undefined
  }
}

/**
 * The address to announce. A host name is resolved, since not every browser resolves candidates; a name without an
 * address is returned as it is.
 */
export async function announcedAddress(configured: string | undefined): Promise<string | undefined> {
  if (configured === undefined || isIP(configured)) return configured
  return lookup(configured).then(
    ({ address }) => address,
    () => configured,
  )
}

/**
 * Where a worker listens, and what it announces: each address of this machine, so that people on the same network
 * reach it directly, and the announced address. Unless that is one of this machine's own, it stands for the first
 * address of its family (1:1 NAT). A pure function.
 * @param port 0 takes a free one for each
 */
export function listenInfos(locals: Local[], port: number, announced: string | undefined): types.TransportListenInfo[] {
  const outer = locals.filter(({ internal, address }) => !internal || address === announced)
  const chosen = outer.length > 0 ? outer : locals.filter(({ family }) => family === 'IPv4')
  const own = chosen.some(({ address }) => address === announced)
  const family = announced !== undefined && isIP(announced) === 6 ? 'IPv6' : 'IPv4'
  const mapped = own || announced === undefined ? undefined : chosen.find((local) => local.family === family)
  const ordered = chosen.toSorted((a, b) => rank(b) - rank(a)).slice(0, ADDRESSES_MAX)
  function rank(local: Local): number {
    return Number(local === mapped || local.address === announced)
  }
  return ordered.flatMap((local) => {
    const announcement = local === mapped ? { announcedAddress: announced, exposeInternalIp: true } : {}
    return (['udp', 'tcp'] as const).map((protocol) => ({ protocol, ip: local.address, port, ...announcement }))
  })
}
