import { call } from '../state/session.ts'

const GATHER_MS_MAX = 6_000

/** One way to the relay, and whether it is open from here. */
export interface Tried {
  /** Host and port. */
  address: string
  transport: 'UDP' | 'TCP' | 'TLS'
  open: boolean
}

/** `turn:host:port?transport=tcp` as RFC 7065 has it. */
function read(url: string): Omit<Tried, 'open'> | undefined {
  const [, secure, address, transport] = /^turn(s?):([^?]+)(?:\?transport=(udp|tcp))?$/.exec(url) ?? []
  if (address === undefined) return undefined
  const port = /:\d+$/.test(address) ? '' : secure ? ':5349' : ':3478'
  return { address: address + port, transport: secure ? 'TLS' : transport === 'tcp' ? 'TCP' : 'UDP' }
}

/** Whether the relay gives an address over this URL alone. */
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
 * Tries every way to the relay on its own: what is closed is named.
 * @returns an empty list when the server has no relay
 */
export async function tryConnection(): Promise<Tried[]> {
  const { ice_servers } = await call('GET /api/voice/ice-servers')
  const ways = ice_servers.flatMap(({ urls, username = '', credential = '' }) =>
    urls.flatMap((url) => {
      const way = read(url)
      return way ? [{ way, server: { urls: url, username, credential } }] : []
    }),
  )
  return Promise.all(ways.map(async ({ way, server }) => ({ ...way, open: await isOpen(server) })))
}
