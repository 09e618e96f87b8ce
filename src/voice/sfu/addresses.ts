import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { types } from 'mediasoup'

/** Nobody is there (RFC 5737): only asked about the way to it. */
const ELSEWHERE = '203.0.113.1'
/** Each is a socket of every worker and a candidate of every offer; a machine full of containers has dozens. */
const ADDRESSES_MAX = 8
const LINK_LOCAL = /^fe[89ab]/i

/** One address of this machine. */
export interface Local {
  address: string
  family: 'IPv4' | 'IPv6'
  internal: boolean
}

/** The addresses of this machine that others may reach, the one of the default route first; else those of loopback. */
export async function localAddresses(): Promise<Local[]> {
  const all = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address }) => !LINK_LOCAL.test(address))
  const outward = await outwardAddress()
  return all.toSorted((a, b) => Number(b.address === outward) - Number(a.address === outward))
}

/** The address that packets to the world leave from; none is sent. */
async function outwardAddress(): Promise<string | undefined> {
  try {
    const socket = await Bun.udpSocket({ connect: { hostname: ELSEWHERE, port: 9 } })
    const { address } = socket.address
    socket.close()
    return address
  } catch {
    return undefined
  }
}

/** The address of a host name that is to be announced: not every browser looks one up. As it is, where nobody knows. */
export async function announcedAddress(configured: string | undefined): Promise<string | undefined> {
  if (configured === undefined || isIP(configured)) return configured
  return lookup(configured).then(
    ({ address }) => address,
    () => configured,
  )
}

/**
 * Where a worker listens, and what it tells clients: each address of this machine, so that people on the same network
 * reach it directly, and the announced one. That stands for the first address of its family (1:1 NAT) unless it is one
 * of this machine's own. A pure function.
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
    const told = local === mapped ? { announcedAddress: announced, exposeInternalIp: true } : {}
    return (['udp', 'tcp'] as const).map((protocol) => ({ protocol, ip: local.address, port, ...told }))
  })
}
