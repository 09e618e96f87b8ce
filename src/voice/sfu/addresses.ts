import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { types } from 'mediasoup'

/** A documentation address (RFC 5737). Nothing is sent to it; only its route is looked up. */
const OUTSIDE = '203.0.113.1'
/** Each address costs a socket per worker and a candidate per offer, and a machine with containers has dozens. */
const ADDRESSES_MAX = 8
const LINK_LOCAL = /^fe[89ab]/i
/**
 * Buffers of a worker's UDP socket; Linux gives at most `net.core.rmem_max` and `wmem_max`. When a worker or process
 * has died, hundreds of members connect to another worker at once. Packets of a handshake that its socket drops then
 * come again only after 1, 2, 4 and 8 s.
 */
const SOCKET_BUFFERS = { recvBufferSize: 1_048_576, sendBufferSize: 1_048_576 }

/** An address of this machine. */
export interface Local {
  address: string
  family: 'IPv4' | 'IPv6'
  internal: boolean
}

/** The addresses of this machine, except link-local ones; the default route's first. */
export async function localAddresses(): Promise<Local[]> {
  const all = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address }) => !LINK_LOCAL.test(address))
  const outward = await outwardAddress()
  return all.toSorted((a, b) => Number(b.address === outward) - Number(a.address === outward))
}

/** The source address of packets on the default route. Sends no packet. */
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
 * The address to announce. A host name is resolved, because not every browser resolves candidates; a name that does
 * not resolve is returned as it is.
 */
export async function announcedAddress(configured: string | undefined): Promise<string | undefined> {
  if (configured === undefined || isIP(configured)) return configured
  return lookup(configured).then(
    ({ address }) => address,
    () => configured,
  )
}

/**
 * Addresses where a worker listens, and those it announces: each address of this machine, so that clients on the same
 * network connect directly, and the announced address. Unless that is one of this machine's own, it replaces the first
 * address of its family (1:1 NAT). A pure function.
 * @param port 0 picks a free port for each
 */
export function listenInfos(locals: Local[], port: number, announced: string | undefined): types.TransportListenInfo[] {
  const outer = locals.filter(({ internal, address }) => !internal || address === announced)
  const candidates = outer.length > 0 ? outer : locals.filter(({ family }) => family === 'IPv4')
  const isLocal = candidates.some(({ address }) => address === announced)
  const family = announced !== undefined && isIP(announced) === 6 ? 'IPv6' : 'IPv4'
  const mapped = isLocal || announced === undefined ? undefined : candidates.find((local) => local.family === family)
  const ordered = candidates.toSorted((a, b) => rank(b) - rank(a)).slice(0, ADDRESSES_MAX)
  function rank(local: Local): number {
    return Number(local === mapped || local.address === announced)
  }
  return ordered.flatMap((local) => {
    const announcement = local === mapped ? { announcedAddress: announced, exposeInternalIp: true } : {}
    const at = { ip: local.address, port, ...announcement }
    return [
      { protocol: 'udp' as const, ...at, ...SOCKET_BUFFERS },
      { protocol: 'tcp' as const, ...at },
    ]
  })
}
