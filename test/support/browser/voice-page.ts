import { type CallOptions, type Source, VoiceCall, type VoiceGateway } from '../../../src/web/voice/call.ts'

// A person with a browser: a gateway connection that comes back, a call, and elements that play it.
declare global {
  var caller: ReturnType<typeof openCaller>
}

const SAMPLE_MS = 60
const RECONNECT_MS = 200

function openGateway(url: string) {
  const events = new Set<Parameters<VoiceGateway['onEvent']>[0]>()
  const again = new Set<() => void>()
  const answers = new Map<number, { resolve: (d: unknown) => void; reject: (error: unknown) => void }>()
  const seen: { t: string; d: unknown }[] = []
  let [socket, commands, shut_until, readies] = [undefined as WebSocket | undefined, 0, 0, 0]
  const ready = Promise.withResolvers<void>()

  function open(): void {
    if (performance.now() < shut_until) return void setTimeout(open, RECONNECT_MS)
    socket = new WebSocket(url)
    socket.onclose = () => {
      for (const { reject } of answers.values()) reject(new Error('The gateway is away'))
      answers.clear()
      setTimeout(open, RECONNECT_MS)
    }
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(data)
      if ('re' in frame) {
        const waiting = answers.get(frame.re)
        answers.delete(frame.re)
        return frame.error ? waiting?.reject(frame.error) : waiting?.resolve(frame.d)
      }
      if (frame.t === 'ready' && ++readies > 1) for (const listener of again) listener()
      ready.resolve()
      if (frame.t.startsWith('voice.')) seen.push(frame)
      for (const listener of events) listener(frame)
    }
  }
  open()

  const gateway: VoiceGateway = {
    command(op, d) {
      if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error('The gateway is away'))
      const id = ++commands
      const { promise, resolve, reject } = Promise.withResolvers<any>()
      answers.set(id, { resolve, reject })
      socket.send(JSON.stringify({ op, id, d }))
      return promise
    },
    onEvent: (listener) => (events.add(listener), () => void events.delete(listener)),
    onReconnected: (listener) => (again.add(listener), () => void again.delete(listener)),
  }
  return {
    gateway,
    seen,
    ready: ready.promise,
    /** Loses the connection for so long. */
    cut(ms: number) {
      shut_until = performance.now() + ms
      socket?.close()
    },
  }
}

/** A tone without a pause: whatever is missing of it is missed. */
function tone(): MediaStreamTrack {
  const context = new AudioContext()
  const [oscillator, out] = [context.createOscillator(), context.createMediaStreamDestination()]
  oscillator.connect(out)
  oscillator.start()
  return out.stream.getAudioTracks()[0] as MediaStreamTrack
}

interface Heard {
  receiver: RTCRtpReceiver | undefined
  energy: number
  sounded_at: number
  quiet_ms: number
  sounded: boolean
}

function openCaller() {
  let call: VoiceCall
  let line: ReturnType<typeof openGateway>
  let levels = new Map<string, number>()
  const notes: { ended?: string; faults: string[]; speakers: string[] } = { faults: [], speakers: [] }
  const elements = new Map<string, HTMLMediaElement>()
  const heard = new Map<string, Heard>()

  function play(peer_id: string, source: Source, stream: MediaStream): void {
    const key = `${peer_id} ${source}`
    const element =
      elements.get(key) ?? document.createElement(source.endsWith('e') || source === 'screen_audio' ? 'audio' : 'video')
    element.autoplay = true
    element.srcObject = stream
    elements.set(key, element)
    document.body.append(element)
  }

  async function sample(): Promise<void> {
    for (const [id, peer] of call?.peers ?? []) {
      const receiver = peer.receiver('microphone')
      const energy = receiver ? await inbound(receiver, 'totalAudioEnergy') : 0
      const now = performance.now()
      const before = heard.get(id) ?? { receiver, energy: 0, sounded_at: now, quiet_ms: 0, sounded: false }
      const grew = before.receiver === receiver && energy - before.energy > 1e-4
      const sounded_at = grew ? now : before.sounded_at
      heard.set(id, {
        receiver,
        energy,
        sounded_at,
        quiet_ms: Math.max(before.quiet_ms, now - sounded_at),
        sounded: before.sounded || grew,
      })
    }
    setTimeout(() => void sample(), SAMPLE_MS)
  }
  void sample()

  return {
    async connect(url: string) {
      // Whoever may use the microphone sees the own addresses.
      const { mediaDevices } = navigator
      for (const track of (await mediaDevices.getUserMedia({ audio: true })).getTracks()) track.stop()
      line = openGateway(url)
      await line.ready
    },
    async join(options: Omit<CallOptions, 'gateway' | 'microphone'> & { listen_only?: boolean }) {
      const { listen_only, ...rest } = options
      const began = performance.now()
      call = await VoiceCall.join(
        { gateway: line.gateway, microphone: listen_only ? undefined : tone(), ...rest },
        {
          stream: play,
          streamEnded: (peer_id, source) => elements.get(`${peer_id} ${source}`)?.remove(),
          levels: (now) => (levels = now),
          activeSpeaker: (id) => notes.speakers.push(id),
          ended: (reason) => (notes.ended = reason),
          fault: (error) => notes.faults.push(error instanceof Error ? error.message : JSON.stringify(error)),
        },
      )
      return { id: call.id, ms: performance.now() - began }
    },
    /** Forgets how long it has been quiet. */
    listen: () => heard.clear(),
    /** By peer: the longest time without sound, and since when there has been none, ms. */
    quiet: () =>
      Object.fromEntries(
        [...heard].map(([id, { quiet_ms, sounded, sounded_at }]) => [
          id,
          { quiet_ms, sounded, since_ms: performance.now() - sounded_at },
        ]),
      ),
    async frames(peer_id: string, source: Source) {
      const receiver = call.peers.get(peer_id)?.receiver(source)
      return receiver ? inbound(receiver, 'framesDecoded') : 0
    },
    state: () => ({
      state: call.state,
      route: call.route,
      epoch: call.epoch,
      id: call.id,
      silenced: call.silenced,
      levels: Object.fromEntries(levels),
      speaking: [...call.peers].filter(([, peer]) => peer.speaking).map(([id]) => id),
      peers: [...call.peers].map(([id, { info }]) => ({ id, user_id: info.user.id, silenced: info.silenced })),
      ...notes,
    }),
    pairTypes: async () => [...(await call.connections()).values()].map(({ pair_type }) => pair_type),
    seen: () => line.seen,
    command: (op: string, d: object) =>
      line.gateway.command(op as never, d as never).catch((error: unknown) => ({ error })),
    cut: (ms: number) => line.cut(ms),
    share: () => call.shareScreen(),
    stopSharing: () => call.stopSharing(),
    mute: (muted: boolean) => call.setMute(muted),
    deafen: (deaf: boolean) => call.setDeaf(deaf),
    changeDevice: () => call.setTrack('microphone', tone()),
    leave: () => call.leave(),
  }
}

/** A figure of what arrives by a receiver. */
async function inbound(receiver: RTCRtpReceiver, name: 'totalAudioEnergy' | 'framesDecoded'): Promise<number> {
  const stats = [...(await receiver.getStats()).values()]
  return stats.find(({ type }) => type === 'inbound-rtp')?.[name] ?? 0
}

globalThis.caller = openCaller()
