import { type CallOptions, type Source, VoiceCall, type VoiceGateway } from '../src/web/voice/call.ts'
import { makeDeviceKey, publicKeyOf } from '../src/web/voice/sealing/device-key.ts'
import { openGateway } from './voice-gateway.ts'

// The page of a person who joins calls, one after another, and measures the time until the other is heard.
declare global {
  var partner: ReturnType<typeof openPartner>
}

const POLL_MS = 5
const HEARD_MS_MAX = 20_000

const startWorker = (): Worker => new Worker('/frame-worker.js')
/** The next call's worker, which the client starts while the microphone opens. */
let worker: Worker | undefined

/** The options that encrypt calls: the worker, and a new device. */
async function openSealers(gateway: VoiceGateway): Promise<Pick<CallOptions, 'openWorker' | 'devices'>> {
  const pair = await makeDeviceKey()
  if (!pair) throw new Error('This browser has no Ed25519')
  // As the client does before the call.
  await gateway.command('voice.device_key', { key: await publicKeyOf(pair) })
  await import('../src/web/voice/sealing/call-group.ts')
  await import('../src/web/voice/sealing/mls.ts').then(({ suite }) => suite())
  return {
    openWorker() {
      const opened = worker ?? startWorker()
      worker = undefined
      return opened
    },
    devices: {
      own: async () => pair,
      register: async () => {},
      verifiedKeys: async () => undefined,
      logs: { read: async () => new Map(), replace: async () => [] },
    },
  }
}

function openPartner() {
  let gateway: VoiceGateway
  let sealers: Pick<CallOptions, 'openWorker' | 'devices'> = {}
  let call: VoiceCall
  const context = new AudioContext()
  const out = context.createMediaStreamDestination()
  const oscillator = context.createOscillator()
  oscillator.connect(out)
  oscillator.start()

  /** Another person's sound has been played. */
  async function hears(): Promise<boolean> {
    for (const peer of call.peers.values()) {
      const report = await peer.receiver('microphone')?.getStats()
      for (const entry of report?.values() ?? [])
        if (entry.type === 'inbound-rtp' && entry.totalAudioEnergy > 1e-6) return true
    }
    return false
  }

  function play(stream: MediaStream): void {
    const element = document.createElement('audio')
    element.autoplay = true
    element.srcObject = stream
    document.body.append(element)
  }

  return {
    /** @param isSealed true if calls are encrypted as far as the others can */
    async connect(url: string, isSealed: boolean) {
      // With permission for the microphone, Chromium uses local addresses as ICE candidates.
      for (const track of (await navigator.mediaDevices.getUserMedia({ audio: true })).getTracks()) track.stop()
      gateway = await openGateway(url)
      if (isSealed) sealers = await openSealers(gateway)
    },
    /** Call a moment before joining. */
    prepare() {
      if (sealers.openWorker) worker ??= startWorker()
    },
    async join(channel_id: number, relay_only: boolean) {
      const microphone = out.stream.getAudioTracks()[0]?.clone()
      const options = { gateway, channel_id, microphone, relay_only, self_mute: false, ...sealers }
      call = await VoiceCall.join(options, { stream: (_id, _source, stream) => play(stream) })
    },
    /** Joins. @returns ms until the other is heard, and the route of the sound */
    async joinAndHear(channel_id: number, relay_only: boolean) {
      const began = performance.now()
      await this.join(channel_id, relay_only)
      while (!(await hears())) {
        if (performance.now() - began > HEARD_MS_MAX) throw new Error('Nobody was heard')
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
      const ms = performance.now() - began
      const [pair] = [...(await call.connections()).values()]
      return { ms, way: call.route === 'sfu' ? 'sfu' : (pair?.pair_type ?? 'unknown') }
    },
    /** Turns the camera on. */
    async film() {
      const [camera] = (await navigator.mediaDevices.getUserMedia({ video: true })).getVideoTracks()
      await call.setCamera(camera)
    },
    /** True if the call is encrypted. */
    isSealed: () => call.sealing.state === 'sealed' && call.sealing.authenticator !== undefined,
    /** Joins without a microphone, and shows every camera in a tile of this height. */
    async watch(channel_id: number, height: number) {
      const joined = Promise.withResolvers<void>()
      const show = async (id: string, source: Source, stream: MediaStream) => {
        if (source !== 'camera') return play(stream)
        await joined.promise
        const video = Object.assign(document.createElement('video'), { muted: true, autoplay: true, height })
        video.srcObject = stream
        document.body.append(video)
        call.look(video, id, source, height)
      }
      const options = { gateway, channel_id, self_mute: true, receives_what_is_looked_at: true }
      call = await VoiceCall.join(options, { stream: (id, source, stream) => void show(id, source, stream) })
      joined.resolve()
    },
    /** The number of camera pictures decoded so far. */
    async pictures() {
      const receivers = [...call.peers.values()].flatMap((peer) => peer.receiver('camera') ?? [])
      const reports = await Promise.all(receivers.map((receiver) => receiver.getStats()))
      const entries = reports.flatMap((report) => [...report.values()])
      return entries.reduce((sum, { type, framesDecoded = 0 }) => sum + (type === 'inbound-rtp' ? framesDecoded : 0), 0)
    },
    async leave() {
      await call.leave()
      document.body.replaceChildren()
    },
  }
}

globalThis.partner = openPartner()
