import { call } from '../state/session.ts'

const GATHER_MS_MAX = 6_000

/** One address and transport of the TURN server, and whether it is reachable from here. */
export interface TestedServer {
  /** Host and port. */
  address: string
  transport: 'UDP' | 'TCP' | 'TLS'
  open: boolean
}

/** Parses `turn:host:port?transport=tcp`. Source: RFC 7065. */
function parseTurnUrl(url: string): Omit<TestedServer, 'open'> | undefined {
  const [, secure, address, transport] = /^turn(s?):([^?]+)(?:\?transport=(udp|tcp))?$/.exec(url) ?? []
  if (address === undefined) return undefined
  const port = /:\d+$/.test(address) ? '' : secure ? ':5349' : ':3478'
  return { address: address + port, transport: secure ? 'TLS' : transport === 'tcp' ? 'TCP' : 'UDP' }
}

/** Whether the TURN server allocates an address over this URL alone. */
async function isOpen(server: RTCIceServer): Promise<boolean> {
  const connection = new RTCPeerConnection({ iceServers: [server], iceTransportPolicy: 'relay' })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  connection.onicecandidate = ({ candidate }) => {
    if (candidate?.candidate) resolve(true)
    else if (candidate === null) resolve(false)
  }
  const timer = setTimeout(() => resolve(false), GATHER_MS_MAX)
  try {
    connection.createDataChannel('')
    await connection.setLocalDescription()
    return await promise
  } finally {
    clearTimeout(timer)
    connection.close()
  }
}

/**
 * Tests every URL of the TURN server by itself.
 * @returns an empty list when there is no TURN server
 */
export async function testConnection(): Promise<TestedServer[]> {
  const { ice_servers } = await call('GET /api/voice/ice-servers')
  const servers = ice_servers.flatMap(({ urls, username = '', credential = '' }) =>
    urls.flatMap((url) => {
      const parsed = parseTurnUrl(url)
      return parsed ? [{ parsed, server: { urls: url, username, credential } }] : []
    }),
  )
  return Promise.all(servers.map(async ({ parsed, server }) => ({ ...parsed, open: await isOpen(server) })))
}
