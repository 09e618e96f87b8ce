import { type Source, VoiceCall, type VoiceGateway } from '../src/web/voice/call.ts'
import { openGateway } from './voice-gateway.ts'

// The page of a person who joins calls, one after another, and measures the time until the other is heard.
declare global {
  var partner: ReturnType<typeof openPartner>
}

const POLL_MS = 5
const HEARD_MS_MAX = 20_000

function openPartner() {
  let gateway: VoiceGateway
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
    async connect(url: string) {
      // With permission for the microphone, Chromium uses local addresses as ICE candidates.
      for (const track of (await navigator.mediaDevices.getUserMedia({ audio: true })).getTracks()) track.stop()
      gateway = await openGateway(url)
    },
    async join(channel_id: number, relay_only: boolean) {
      const microphone = out.stream.getAudioTracks()[0]?.clone()
      const options = { gateway, channel_id, microphone, relay_only, self_mute: false }
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
