import type { ScreenKind } from '../../../src/web/voice/screen-share.ts'
import { callFacts, openCountedWorker } from './frame-facts.ts'
import { drawn, giveScreens, paths, sentScreen, sentVoice } from './voice-screens.ts'
import { type DeviceStore, makeDeviceKey, publicKeyOf } from '../../../src/web/voice/sealing/device-key.ts'
import { type CallOptions, type Source, VoiceCall, type VoiceGateway } from '../../../src/web/voice/call.ts'

// A person's page: a gateway connection that reconnects, a call, and elements that play it.
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
  const layers: number[] = []
  let [socket, commands, shutUntil, readies] = [undefined as WebSocket | undefined, 0, 0, 0]
  const ready = Promise.withResolvers<void>()
  let joins = Promise.withResolvers<void>()
  joins.resolve()

  function open(): void {
    if (performance.now() < shutUntil) return void setTimeout(open, RECONNECT_MS)
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
    async command(op, d) {
      if (op === 'voice.join') await joins.promise
      if (socket?.readyState !== WebSocket.OPEN) throw new Error('The gateway is away')
      if (op === 'voice.sfu.set_preferred_layers') layers.push(Object(d).spatial_layer)
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
    layers,
    ready: ready.promise,
    /** Sends no `voice.join` until they are released. */
    holdJoins: () => void (joins = Promise.withResolvers()),
    releaseJoins: () => joins.resolve(),
    /** Loses the connection for so long. */
    cut(ms: number) {
      shutUntil = performance.now() + ms
      socket?.close()
    },
  }
}

/**
 * A tone without a pause, so that every gap is noticed. Firefox runs no audio context on a machine without speakers,
 * but its fake microphone has a tone too.
 */
async function tone(): Promise<MediaStreamTrack> {
  if (navigator.userAgent.includes('Firefox'))
    return (await navigator.mediaDevices.getUserMedia({ audio: true })).getAudioTracks()[0] as MediaStreamTrack
  const context = new AudioContext()
  const [oscillator, out] = [context.createOscillator(), context.createMediaStreamDestination()]
  oscillator.connect(out)
  oscillator.start()
  return out.stream.getAudioTracks()[0] as MediaStreamTrack
}

/** Music, as a microphone takes it up in music mode: a loud noise on the left, and a quiet one on the right. */
function music(): MediaStreamTrack {
  const context = new AudioContext()
  const samples = context.createBuffer(2, context.sampleRate, context.sampleRate)
  for (const [channel, loudness] of [0.4, 0.05].entries())
    samples.copyToChannel(
      Float32Array.from({ length: samples.length }, () => loudness * (2 * Math.random() - 1)),
      channel,
    )
  const source = new AudioBufferSourceNode(context, { buffer: samples, loop: true })
  const out = new MediaStreamAudioDestinationNode(context, { channelCount: 2 })
  source.connect(out)
  source.start()
  const track = out.stream.getAudioTracks()[0] as MediaStreamTrack
  track.contentHint = 'music'
  return track
}

/** How loud the left and the right of a track are: the mean square of their samples. */
async function sidesOf(track: MediaStreamTrack): Promise<number[]> {
  const context = new AudioContext()
  const splitter = context.createChannelSplitter(2)
  const sides = [0, 1].map((channel) => {
    const analyser = context.createAnalyser()
    splitter.connect(analyser, channel)
    return analyser
  })
  context.createMediaStreamSource(new MediaStream([track])).connect(splitter)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const powers = sides.map((analyser) => {
    const samples = new Float32Array(analyser.fftSize)
    analyser.getFloatTimeDomainData(samples)
    return samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length
  })
  await context.close()
  return powers
}

interface Heard {
  receiver: RTCRtpReceiver | undefined
  energy: number
  sounded_at: number
  quiet_ms: number
  sounded: boolean
}

/** The worker, and a new device that has verified nobody. */
function sealersOn(gateway: VoiceGateway) {
  const making = makeDeviceKey()
  const devices: DeviceStore = {
    own: () => making,
    register: async () => void (await gateway.command('voice.device_key', { key: await publicKeyOf((await making)!) })),
    verifiedKeys: async () => undefined,
    logs: { read: async () => new Map(), replace: async () => [] },
  }
  return { openWorker: openCountedWorker, devices }
}

function openCaller() {
  let call: VoiceCall
  let line: ReturnType<typeof openGateway>
  let levels = new Map<string, number>()
  const notes: { ended?: string; faults: string[]; speakers: string[] } = { faults: [], speakers: [] }
  const elements = new Map<string, HTMLMediaElement>()
  const sounds = new Map<string, Heard>()

  function play(peerId: string, source: Source, stream: MediaStream): void {
    const key = `${peerId} ${source}`
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
      const before = sounds.get(id) ?? { receiver, energy: 0, sounded_at: now, quiet_ms: 0, sounded: false }
      const hasGrown = before.receiver === receiver && energy - before.energy > 1e-4
      const sounded_at = hasGrown ? now : before.sounded_at
      sounds.set(id, {
        receiver,
        energy,
        sounded_at,
        quiet_ms: Math.max(before.quiet_ms, now - sounded_at),
        sounded: before.sounded || hasGrown,
      })
    }
    setTimeout(() => void sample(), SAMPLE_MS)
  }
  void sample()

  return {
    async connect(url: string) {
      // Pages with microphone permission get the machine's own addresses as candidates.
      const { mediaDevices } = navigator
      for (const track of (await mediaDevices.getUserMedia({ audio: true })).getTracks()) track.stop()
      line = openGateway(url)
      await line.ready
    },
    async join(options: Omit<CallOptions, 'gateway' | 'microphone'> & { listen_only?: boolean; plain?: boolean }) {
      const { listen_only, plain, ...rest } = options
      const sealers = plain ? {} : sealersOn(line.gateway)
      const began = performance.now()
      call = await VoiceCall.join(
        { gateway: line.gateway, microphone: listen_only ? undefined : await tone(), ...sealers, ...rest },
        {
          stream: play,
          streamEnded: (peerId, source) => elements.get(`${peerId} ${source}`)?.remove(),
          levels: (now) => (levels = now),
          activeSpeaker: (id) => notes.speakers.push(id),
          ended: (reason) => (notes.ended = reason),
          fault: (error) => notes.faults.push(error instanceof Error ? error.message : JSON.stringify(error)),
        },
      )
      return { id: call.id, ms: performance.now() - began }
    },
    ...steps(
      () => call,
      () => line,
    ),
    /** Resets the measured silences. */
    listen: () => sounds.clear(),
    /** By peer: the longest time without sound, and since when there has been none, ms. */
    quiet: () =>
      Object.fromEntries(
        [...sounds].map(([id, { quiet_ms, sounded, sounded_at }]) => [
          id,
          { quiet_ms, sounded, since_ms: performance.now() - sounded_at },
        ]),
      ),
    ...media(() => call),
    state: () => ({
      state: call.state,
      route: call.route,
      encryption: call.sealing.state,
      epoch: call.epoch,
      id: call.id,
      channel_id: call.channel_id,
      silenced: call.silenced,
      levels: Object.fromEntries(levels),
      speaking: [...call.peers].filter(([, peer]) => peer.speaking).map(([id]) => id),
      peers: [...call.peers].map(([id, { info }]) => ({ id, user_id: info.user.id, silenced: info.silenced })),
      ...notes,
    }),
    /** Grades of the page's connection and their reasons since the last call. */
    ownQuality: async () => (await call.qualities()).get(''),
    pairTypes: async () => [...(await call.connections()).values()].map(({ pair_type }) => pair_type),
    facts: async () => ({ ...notes, ...(await callFacts(call, line.seen)) }),
  }
}

/** Actions of a member of a call. */
function steps(callOf: () => VoiceCall, lineOf: () => ReturnType<typeof openGateway>) {
  return {
    seen: () => lineOf().seen,
    command: (op: string, d: object) =>
      lineOf()
        .gateway.command(op as never, d as never)
        .catch((error: unknown) => ({ error })),
    cut: (ms: number) => lineOf().cut(ms),
    /** The layer that the SFU was last asked for. */
    askedLayer: () => lineOf().layers.at(-1),
    mute: (isMuted: boolean) => callOf().setMute(isMuted),
    deafen: (isDeaf: boolean) => callOf().setDeaf(isDeaf),
    changeDevice: async () => callOf().setMicrophone(await tone()),
    playMusic: () => callOf().setMicrophone(music()),
    leave: () => callOf().leave(),
    /** Moves to another channel. @returns the code of the problem when that is refused */
    move: (channelId: number) =>
      callOf()
        .move(channelId)
        .catch((error: { code?: string }) => error.code ?? `${error}`),
    holdJoins: () => lineOf().holdJoins(),
    releaseJoins: () => lineOf().releaseJoins(),
    microphone: () => ({ id: callOf().microphone?.id, state: callOf().microphone?.readyState }),
  }
}

/** Video of a call on a page, and measurements of its audio. */
function media(callOf: () => VoiceCall) {
  const receiverOf = (peerId: string, source: Source) => callOf().peers.get(peerId)?.receiver(source)
  return {
    async film() {
      const [camera] = (await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480 } })).getTracks()
      await callOf().setCamera(camera)
    },
    stopFilming: () => callOf().setCamera(),
    share(kind?: ScreenKind, size?: [number, number], hasSound = false) {
      const screen = size && drawn(...size)
      // Like the audio of a screen share, not marked as music.
      if (hasSound) screen?.addTrack(Object.assign(music(), { contentHint: '' }))
      return callOf().shareScreen(kind, screen)
    },
    giveScreens,
    sentScreen: () => sentScreen(callOf().ownScreen()),
    stopSharing: () => callOf().stopSharing(),
    /** Shows the pictures of a member this large, as a page with one element for them. */
    look: (peerId: string, source: Source, height: number) => callOf().look(callOf, peerId, source, height),
    /** Audio of a member: concealed samples, and all samples, since the receiver began. */
    async samples(peerId: string) {
      const receiver = receiverOf(peerId, 'microphone')
      const of = async (name: Figure) => (receiver ? inbound(receiver, name) : 0)
      const [madeUp, silent] = [await of('concealedSamples'), await of('silentConcealedSamples')]
      return { concealed: madeUp - silent, all: await of('totalSamplesReceived') }
    },
    sentVoice,
    paths,
    /** Audio of a member: levels of the left and right channel, and bits per second. */
    async sound(peerId: string, source: Source) {
      const receiver = receiverOf(peerId, source)
      if (!receiver) return { sides: [0, 0], bits: 0 }
      const [began, before] = [performance.now(), await inbound(receiver, 'bytesReceived')]
      const sides = await sidesOf(receiver.track)
      const bits = (8000 * ((await inbound(receiver, 'bytesReceived')) - before)) / (performance.now() - began)
      return { sides, bits }
    },
    /** How much sound of a source has come from a member. */
    async energy(peerId: string, source: Source) {
      const receiver = receiverOf(peerId, source)
      return receiver ? inbound(receiver, 'totalAudioEnergy') : 0
    },
    async frames(peerId: string, source: Source) {
      const receiver = receiverOf(peerId, source)
      return receiver ? inbound(receiver, 'framesDecoded') : 0
    },
    async heightOf(peerId: string, source: Source) {
      const receiver = receiverOf(peerId, source)
      return receiver ? inbound(receiver, 'frameHeight') : 0
    },
  }
}

type Figure =
  | 'totalAudioEnergy'
  | 'framesDecoded'
  | 'frameHeight'
  | 'concealedSamples'
  | 'silentConcealedSamples'
  | 'totalSamplesReceived'
  | 'bytesReceived'

/** A figure of what arrives by a receiver. */
async function inbound(receiver: RTCRtpReceiver, name: Figure): Promise<number> {
  const stats = [...(await receiver.getStats()).values()]
  return stats.find(({ type }) => type === 'inbound-rtp')?.[name] ?? 0
}

globalThis.caller = openCaller()
