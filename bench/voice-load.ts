import wrtc from '@roamhq/wrtc'
import { Device } from 'mediasoup-client'
import type { Joined } from '../src/voice/model.ts'
import type { Source, VoiceGateway } from '../src/web/voice/call.ts'
import { SfuSession } from '../src/web/voice/sfu-session.ts'
import type { SfuOptions } from '../src/web/voice/sfu-transport.ts'
import { serveCommands } from './processes.ts'
import { openGateway } from './voice-gateway.ts'

// Members of SFU rooms without browsers: the web client's SFU session on libwebrtc. They decode what they receive.
const SAMPLE_RATE = 48_000
const SOUND_MS = 10
/** Two cores can decode 28 of these in addition to the sound, but only one picture a second of 1280 × 720. */
const SCREEN = { width: 640, height: 360, per_s: 3 }
const CAMERA = { width: 640, height: 360, per_s: 10 }
/** Cameras appear in a grid: each member receives the small size. */
const TILE_HEIGHT = 160

/** A member of a room. */
export interface Member {
  gateway_url: string
  channel_id: number
  shares_screen: boolean
  films: boolean
  speaks: boolean
  /** The room is a stage, and the member moderates it. */
  goes_up?: boolean
  /** Limit of the wait for the first sound, which is the result if nothing is heard. */
  heard_ms_max: number
}

/** Totals received by all members. */
export interface Received {
  packets: number
  lost: number
  frames: number
}

const connections: RTCPeerConnection[] = []
class Connection extends wrtc.RTCPeerConnection {
  constructor(configuration?: RTCConfiguration) {
    super(configuration)
    connections.push(this)
  }
}
Object.assign(globalThis, { RTCPeerConnection: Connection, MediaStream: wrtc.MediaStream })
// Outside a browser there is no user agent to detect the handler from.
const { factory } = Device
Device.factory = () => factory.call(Device, { handlerName: 'Chrome111' })

/** A tone that every speaker sends all the time. */
function openVoice() {
  const source = new wrtc.nonstandard.RTCAudioSource()
  const began = performance.now()
  let sent = 0
  const sendDue = () => {
    for (; sent * SOUND_MS < performance.now() - began; sent++) {
      const samples = Int16Array.from(
        { length: (SAMPLE_RATE * SOUND_MS) / 1000 },
        (_, at) => 8000 * Math.sin((2 * Math.PI * 440 * (sent * SOUND_MS + (at * 1000) / SAMPLE_RATE)) / 1000),
      )
      source.onData({ samples, sampleRate: SAMPLE_RATE })
    }
  }
  setInterval(sendDue, SOUND_MS)
  return source
}

/** Pictures whose upper part changes each time. */
function openPictures({ width, height, per_s }: typeof SCREEN, isScreencast: boolean) {
  const source = new wrtc.nonstandard.RTCVideoSource({ isScreencast })
  const data = new Uint8Array((width * height * 3) / 2).map((_, at) => (at * 7 + (at >> 9) * 31) % 251)
  const changing = data.subarray(0, (width * height) / 4)
  let pictures = 0
  setInterval(() => {
    pictures++
    for (let at = 0; at < changing.length; at += 4) changing[at] = (at >> 4) * 3 + pictures * 17
    source.onFrame({ width, height, data })
  }, 1000 / per_s)
  return source
}

const gateways: VoiceGateway[] = []
const voice = openVoice()
let screen: ReturnType<typeof openPictures> | undefined
let camera: ReturnType<typeof openPictures> | undefined

/** The inbound streams of the open connections. mediasoup-client also opens one to detect codecs, and closes it. */
async function inbound(of: RTCPeerConnection[]) {
  const open = of.filter(({ connectionState }) => connectionState !== 'closed')
  const reports = await Promise.all(open.map((connection) => connection.getStats()))
  return reports.flatMap((report) => [...report.values()].filter(({ type }) => type === 'inbound-rtp'))
}

async function openSession(
  gateway: VoiceGateway,
  { ice_servers, ...turn }: Joined,
  { shares_screen, films, speaks, goes_up }: Pick<Member, 'shares_screen' | 'films' | 'speaks' | 'goes_up'>,
  onTrack: SfuOptions['onTrack'],
) {
  const options = {
    gateway,
    router_rtp_capabilities: turn.router_rtp_capabilities ?? {},
    sealing: { settings: {}, protect: () => undefined },
    ice_servers,
    bits: () => undefined,
    producers: () => turn.producers,
    heightOf: (_from: string, source: Source) => (source === 'camera' ? TILE_HEIGHT : Infinity),
    onTrack,
    onFault: (error: unknown) => console.error('A member of the load:', error),
  }
  const opened = SfuSession.open(options).then((session) => {
    session.reconcile(turn.producers)
    return session
  })
  gateway.onEvent(({ t, d }) => {
    if (t === 'voice.sfu.producer_new') void opened.then((session) => session.receive(d))
  })
  const session = await opened
  if (goes_up) await gateway.command('voice.go_up', {})
  if (speaks) await session.send('microphone', voice.createTrack())
  if (films) {
    camera ??= openPictures(CAMERA, false)
    await gateway.command('voice.update', { camera: true })
    await session.send('camera', camera.createTrack())
  }
  if (!shares_screen) return
  screen ??= openPictures(SCREEN, true)
  await gateway.command('voice.update', { sharing_screen: true })
  await session.send('screen', screen.createTrack())
}

/** Resolves when a track is not silent. */
function sounds(track: MediaStreamTrack): Promise<void> {
  const sink = new wrtc.nonstandard.RTCAudioSink(track)
  return new Promise((resolve) => {
    sink.ondata = ({ samples }: { samples: Int16Array }) => {
      if (samples.every((sample) => sample === 0)) return
      sink.stop()
      resolve()
    }
  })
}

serveCommands({
  /** Joins. @returns ms until another member is heard; undefined when the room was empty */
  async join({ gateway_url, channel_id, heard_ms_max, ...member }: Member): Promise<number | undefined> {
    const gateway = await openGateway(gateway_url)
    gateways.push(gateway)
    const began = performance.now()
    const rerouted = Promise.withResolvers<Partial<Joined>>()
    gateway.onEvent(({ t, d }) => {
      if (t === 'voice.route') rerouted.resolve(d)
    })
    const request = { channel_id, self_mute: !member.speaks, self_deaf: false }
    const joined = await gateway.command('voice.join', request)
    // A member without company waits for the SFU.
    const turn = joined.route === 'sfu' ? joined : rerouted.promise.then((route) => ({ ...joined, ...route }))
    const first = Promise.withResolvers<MediaStreamTrack>()
    const onTrack: SfuOptions['onTrack'] = (_from, source, receiver) =>
      source === 'microphone' && receiver && first.resolve(receiver.track)
    const opened = Promise.resolve(turn).then((at) => openSession(gateway, at, member, onTrack))
    if (joined.peers.length === 0) return void opened.catch((error) => console.error('A member of the load:', error))
    await opened
    await Promise.race([first.promise.then(sounds), Bun.sleep(began + heard_ms_max - performance.now())])
    return Math.min(performance.now() - began, heard_ms_max)
  },
  /** Leaves, since the server keeps seats of lost connections for a while. */
  leave: () => Promise.all(gateways.map((gateway) => gateway.command('voice.leave', {}))).then(() => undefined),
  async received(): Promise<Received> {
    const streams = await inbound(connections)
    const sum = (name: string) => streams.reduce((total, stream) => total + (stream[name] ?? 0), 0)
    return { packets: sum('packetsReceived'), lost: sum('packetsLost'), frames: sum('framesDecoded') }
  },
})
