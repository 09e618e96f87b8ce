import type { types } from 'mediasoup-client'
import { codeOf } from './voice-gateway.ts'
import { call } from '../state/session.ts'

const GATHER_MS_MAX = 6_000
const HANDSHAKE_MS_MAX = 8_000
const KEY: EcKeyGenParams = { name: 'ECDSA', namedCurve: 'P-256' }

/** An address and transport of the server, the service behind it, and whether it is reachable from here. */
export interface TestedDoor {
  service: 'STUN' | 'TURN' | 'SFU'
  /** Host and port. */
  address: string
  transport: 'UDP' | 'TCP' | 'TLS'
  open: boolean
}

type Door = Omit<TestedDoor, 'open'>

/** Parses `turn:host:port?transport=tcp` or `stun:host:port`. Source: RFC 7064, RFC 7065. */
function parseUrl(url: string): Door | undefined {
  const [, scheme, address, transport] = /^(stun|turns?):([^?]+)(?:\?transport=(udp|tcp))?$/.exec(url) ?? []
  if (address === undefined) return undefined
  const isSecure = scheme === 'turns'
  const port = /:\d+$/.test(address) ? '' : isSecure ? ':5349' : ':3478'
  return {
    service: scheme === 'stun' ? 'STUN' : 'TURN',
    address: address + port,
    transport: isSecure ? 'TLS' : transport === 'tcp' ? 'TCP' : 'UDP',
  }
}

/** True if over this URL the STUN server returns the public address, or the TURN server allocates one. */
async function isOpen(server: RTCIceServer, isTurn: boolean): Promise<boolean> {
  const connection = new RTCPeerConnection({
    iceServers: [server],
    iceTransportPolicy: isTurn ? 'relay' : 'all',
  })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let hasFailed = false
  connection.onicecandidateerror = () => (hasFailed = true)
  connection.onicecandidate = ({ candidate }) => {
    if (candidate?.type === (isTurn ? 'relay' : 'srflx')) resolve(true)
    // Without a NAT, STUN returns an address of this device, and browsers omit that candidate.
    else if (candidate === null) resolve(!isTurn && !hasFailed)
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

async function testRelay(): Promise<TestedDoor[]> {
  const { ice_servers } = await call('GET /api/voice/ice-servers')
  const servers = ice_servers.flatMap(({ urls, ...credentials }) =>
    urls.flatMap((url) => {
      const door = parseUrl(url)
      return door ? [{ door, server: { ...credentials, urls: url } }] : []
    }),
  )
  return Promise.all(
    servers.map(async ({ door, server }) => ({ ...door, open: await isOpen(server, door.service === 'TURN') })),
  )
}

/** Completes ICE and DTLS with the SFU over one protocol. @returns undefined when the SFU has no address for it */
async function testHandshake(protocol: 'udp' | 'tcp'): Promise<TestedDoor | undefined> {
  const { Device } = await import('mediasoup-client')
  const certificate = await RTCPeerConnection.generateCertificate(KEY)
  const fingerprints = certificate
    .getFingerprints()
    .map(({ algorithm = '', value = '' }) => ({ algorithm, value: value.toUpperCase() }))
  const offer = await call('POST /api/voice/sfu-tests', {}, { fingerprints })
  const iceCandidates = (offer.ice_candidates as unknown as types.IceCandidate[]).filter(
    (candidate) => candidate.protocol === protocol,
  )
  const [first] = iceCandidates
  if (!first) return undefined
  const device = await Device.factory()
  await device.load({ routerRtpCapabilities: offer.router_rtp_capabilities as types.RtpCapabilities })
  const transport = device.createSendTransport({
    id: offer.transport_id,
    iceParameters: offer.ice_parameters as unknown as types.IceParameters,
    iceCandidates,
    dtlsParameters: offer.dtls_parameters as unknown as types.DtlsParameters,
    additionalSettings: { certificates: [certificate] },
  })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  // The SFU knows the fingerprints already, and is sent nothing.
  transport.on('connect', (_, done) => done())
  transport.on('produce', (_, done) => done({ id: 'test' }))
  transport.on('connectionstatechange', (state) => {
    if (state === 'connected') resolve(true)
    else if (state === 'failed') resolve(false)
  })
  const timer = setTimeout(() => resolve(false), HANDSHAKE_MS_MAX)
  const sound = new AudioContext()
  try {
    const [track] = sound.createMediaStreamDestination().stream.getAudioTracks()
    if (track) await transport.produce({ track })
    const open = await promise
    return {
      service: 'SFU',
      address: `${first.address}:${first.port}`,
      transport: protocol === 'udp' ? 'UDP' : 'TCP',
      open,
    }
  } finally {
    clearTimeout(timer)
    transport.close()
    void sound.close()
  }
}

/** @returns an empty list when the server has no SFU now */
async function testSfu(): Promise<TestedDoor[]> {
  try {
    const results = await Promise.all((['udp', 'tcp'] as const).map(testHandshake))
    return results.filter((door) => door !== undefined)
  } catch (error) {
    if (codeOf(error) !== 'media_unavailable') throw error
    return []
  }
}

/** Tests from here whether STUN answers, TURN allocates over each of its URLs, and the SFU completes a handshake. */
export async function testConnection(): Promise<TestedDoor[]> {
  return (await Promise.all([testRelay(), testSfu()])).flat()
}
