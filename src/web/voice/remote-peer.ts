import type { Joined, VoicePeer } from '../../voice/model.ts'
import { isAudio, type Source } from './local-tracks.ts'

/** Interval at which a receiver is polled for its first packet: this for FLOW_SOON_MS, then FLOW_LATE_POLL_MS. */
const FLOW_POLL_MS = 40
const FLOW_SOON_MS = 5_000
const FLOW_LATE_POLL_MS = 250
const SPEAKING_LEVEL = 0.02
const SPEAKING_MS = 400
/** A packet's level holds for this time. */
const HEARD_MS = 1000

/** Route of the media: peer to peer, or over the SFU. */
export type Route = Joined['route']

interface Incoming {
  receiver: RTCRtpReceiver
  /** True once packets have arrived. */
  flows: boolean
  /** The one before, which is played until packets arrive. */
  before: Incoming | undefined
}

const other = (route: Route): Route => (route === 'p2p' ? 'sfu' : 'p2p')

/** Callbacks of a remote peer's media. */
export interface RemotePeerListener {
  onStream(source: Source, stream: MediaStream): void
  onStreamEnded(source: Source): void
  /** The first packet of a source has arrived. */
  onFlow(): void
}

/** Another member of the call, and its media over both routes. */
export class RemotePeer {
  /** One stream per source. It stays the same until the source ends, over changes of the route. */
  readonly streams = new Map<Source, MediaStream>()
  level = 0
  #isSpeaking = false
  #spokeAt = -SPEAKING_MS
  /** Time of the newest packet by the browser's clock of packets, ms; undefined before the first. */
  #packetTime: number | undefined
  /** Time at which a newer packet was noticed, by the page's clock, ms. */
  #packetAt = -HEARD_MS
  #route: Route
  #isDeaf = false
  readonly #incoming: Record<Route, Map<Source, Incoming>> = { p2p: new Map(), sfu: new Map() }

  constructor(
    public info: VoicePeer,
    route: Route,
    private readonly listener: RemotePeerListener,
  ) {
    this.#route = route
  }

  /**
   * True while the member is speaking, by the last reading of the level: a page that is drawn late shows what the
   * listener of the levels has compared.
   */
  get speaking(): boolean {
    return this.#isSpeaking
  }

  update(info: VoicePeer): void {
    this.info = info
    this.#chooseAll()
  }

  /** Changes the route. A source that arrives over the other route stays there until it flows over this one. */
  changeRoute(route: Route): void {
    this.#route = route
    this.#chooseAll()
  }

  deafen(isDeaf: boolean): void {
    this.#isDeaf = isDeaf
    this.#chooseAll()
  }

  /** Sets or removes the receiver of a source on a route. */
  setReceiver(route: Route, source: Source, receiver: RTCRtpReceiver | undefined): void {
    const incoming = this.#incoming[route]
    if (!receiver) incoming.delete(source)
    else {
      const present = incoming.get(source)
      const item = { receiver, flows: false, before: present?.flows ? present : present?.before }
      incoming.set(source, item)
      void this.#awaitFlow(route, source, item)
    }
    this.#choose(source)
  }

  /** Removes every receiver of a route. */
  dropRoute(route: Route): void {
    const sources = [...this.#incoming[route].keys()]
    this.#incoming[route].clear()
    for (const source of sources) this.#choose(source)
  }

  /** True if every source of the other route also flows over this one. */
  get isRouteComplete(): boolean {
    return [...this.#incoming[other(this.#route)].keys()].every(
      (source) => this.#incoming[this.#route].get(source)?.flows,
    )
  }

  /** The receiver that a source is played from. */
  receiver(source: Source): RTCRtpReceiver | undefined {
    return this.#best(source)?.receiver
  }

  /** Reads the audio level now, 0 to 1. */
  readLevel(): number {
    const [newest] = this.receiver('microphone')?.getSynchronizationSources() ?? []
    const now = performance.now()
    const { timestamp } = newest ?? {}
    // Compared with each other only: after sleep or a changed clock, packets and pages can be hours apart.
    if (timestamp !== undefined && this.#packetTime !== undefined && timestamp > this.#packetTime) this.#packetAt = now
    this.#packetTime = timestamp
    this.level = now - this.#packetAt < HEARD_MS ? (newest?.audioLevel ?? 0) : 0
    if (this.level > SPEAKING_LEVEL) this.#spokeAt = now
    this.#isSpeaking = now - this.#spokeAt < SPEAKING_MS
    return this.level
  }

  async #awaitFlow(route: Route, source: Source, item: Incoming): Promise<void> {
    const began = performance.now()
    while (this.#incoming[route].get(source) === item) {
      const stats = [...(await item.receiver.getStats()).values()]
      if (stats.some(({ type, packetsReceived = 0 }) => type === 'inbound-rtp' && packetsReceived > 0)) break
      const pause = performance.now() - began < FLOW_SOON_MS ? FLOW_POLL_MS : FLOW_LATE_POLL_MS
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
    if (this.#incoming[route].get(source) !== item) return
    item.flows = true
    item.before = undefined
    this.#choose(source)
    this.listener.onFlow()
  }

  /** Over p2p no server stops a silenced member's audio, or a camera that is off: leave them out here. */
  #usable(route: Route, source: Source): Incoming | undefined {
    const { silenced, camera } = this.info
    const isLeftOut = (silenced && isAudio(source)) || (source === 'camera' && !camera)
    return route === 'p2p' && isLeftOut ? undefined : this.#incoming[route].get(source)
  }

  #best(source: Source): Incoming | undefined {
    const [current, spare] = [this.#usable(this.#route, source), this.#usable(other(this.#route), source)]
    return current?.flows ? current : (current?.before ?? spare ?? current)
  }

  #chooseAll(): void {
    const sources = [...this.#incoming.p2p.keys(), ...this.#incoming.sfu.keys(), ...this.streams.keys()]
    for (const source of new Set(sources)) this.#choose(source)
  }

  #choose(source: Source): void {
    const incoming = this.#best(source)
    const present = this.streams.get(source)
    if (!incoming) {
      if (present) this.#end(source)
      return
    }
    const { track } = incoming.receiver
    track.enabled = !(this.#isDeaf && isAudio(source))
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
