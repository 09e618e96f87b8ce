import type { VoicePeer } from '../../voice/model.ts'
import type { Source } from './local-tracks.ts'

/** How media come from a peer. */
export type Way = 'p2p' | 'sfu'

const FLOW_LOOK_MS = 40
/** What does not flow by then may not for long. */
const FLOW_SOON_MS = 5_000
const FLOW_LATE_LOOK_MS = 250
const SPEAKING_LEVEL = 0.02
const SPEAKING_MS = 400

interface Arriving {
  receiver: RTCRtpReceiver
  flows: boolean
}

const isSound = (source: Source): boolean => source === 'microphone' || source === 'screen_audio'
const other = (way: Way): Way => (way === 'p2p' ? 'sfu' : 'p2p')

/** What happens with a peer's media. */
export interface RemoteListener {
  onStream(source: Source, stream: MediaStream): void
  onStreamEnded(source: Source): void
  /** Something arrives by the way that is wanted. */
  onFlow(): void
}

/** Another member: what is known of it, and its media, by whichever way they come. */
export class Remote {
  /** A stream a source, the same for as long as that lasts: what plays it need not know how it comes. */
  readonly streams = new Map<Source, MediaStream>()
  level = 0
  #spoke_at = 0
  #way: Way
  #deaf = false
  readonly #arriving: Record<Way, Map<Source, Arriving>> = { p2p: new Map(), sfu: new Map() }

  constructor(
    public info: VoicePeer,
    way: Way,
    private readonly listener: RemoteListener,
  ) {
    this.#way = way
  }

  /** Whether it is heard to speak now. */
  get speaking(): boolean {
    return performance.now() - this.#spoke_at < SPEAKING_MS
  }

  update(info: VoicePeer): void {
    this.info = info
    this.#chooseAll()
  }

  /** From now on media are wanted by this way; what comes by the other stays until they are there. */
  want(way: Way): void {
    this.#way = way
    this.#chooseAll()
  }

  deafen(deaf: boolean): void {
    this.#deaf = deaf
    this.#chooseAll()
  }

  /** A source begins to arrive by a way, or does no more. */
  set(way: Way, source: Source, receiver: RTCRtpReceiver | undefined): void {
    const arriving = this.#arriving[way]
    if (!receiver) arriving.delete(source)
    else {
      const item = { receiver, flows: false }
      arriving.set(source, item)
      void this.#awaitFlow(way, source, item)
    }
    this.#choose(source)
  }

  /** Nothing comes by this way any more. */
  drop(way: Way): void {
    const sources = [...this.#arriving[way].keys()]
    this.#arriving[way].clear()
    for (const source of sources) this.#choose(source)
  }

  /** Whether all that comes by the other way comes by this one too. */
  get settled(): boolean {
    return [...this.#arriving[other(this.#way)].keys()].every((source) => this.#arriving[this.#way].get(source)?.flows)
  }

  /** By what a source arrives now: for statistics. */
  receiver(source: Source): RTCRtpReceiver | undefined {
    return this.#chosen(source)?.receiver
  }

  /** Reads how loud it is now. */
  listen(): number {
    const [newest] = this.receiver('microphone')?.getSynchronizationSources() ?? []
    const heard = newest && performance.timeOrigin + performance.now() - newest.timestamp < 1000
    this.level = heard ? (newest.audioLevel ?? 0) : 0
    if (this.level > SPEAKING_LEVEL) this.#spoke_at = performance.now()
    return this.level
  }

  async #awaitFlow(way: Way, source: Source, item: Arriving): Promise<void> {
    const began = performance.now()
    while (this.#arriving[way].get(source) === item) {
      const stats = [...(await item.receiver.getStats()).values()]
      if (stats.some(({ type, packetsReceived = 0 }) => type === 'inbound-rtp' && packetsReceived > 0)) break
      const pause = performance.now() - began < FLOW_SOON_MS ? FLOW_LOOK_MS : FLOW_LATE_LOOK_MS
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
    if (this.#arriving[way].get(source) !== item) return
    item.flows = true
    this.#choose(source)
    this.listener.onFlow()
  }

  /** Past the server nobody stops the sound of one who must not be heard: it is not taken. */
  #by(way: Way, source: Source): Arriving | undefined {
    return way === 'p2p' && this.info.silenced && isSound(source) ? undefined : this.#arriving[way].get(source)
  }

  #chosen(source: Source): Arriving | undefined {
    const [wanted, spare] = [this.#by(this.#way, source), this.#by(other(this.#way), source)]
    return wanted?.flows || !spare ? wanted : spare
  }

  #chooseAll(): void {
    const sources = [...this.#arriving.p2p.keys(), ...this.#arriving.sfu.keys(), ...this.streams.keys()]
    for (const source of new Set(sources)) this.#choose(source)
  }

  #choose(source: Source): void {
    const chosen = this.#chosen(source)
    const present = this.streams.get(source)
    if (!chosen) {
      if (present) this.#end(source)
      return
    }
    const { track } = chosen.receiver
    track.enabled = !(this.#deaf && isSound(source))
    const stream = present ?? new MediaStream()
    const [before] = stream.getTracks()
    if (before === track) return
    if (before) stream.removeTrack(before)
    stream.addTrack(track)
    this.streams.set(source, stream)
    this.listener.onStream(source, stream)
  }

  #end(source: Source): void {
    this.streams.delete(source)
    this.listener.onStreamEnded(source)
  }
}
