import type { Joined } from '../../voice/model.ts'
import type { VoiceGateway } from './voice-gateway.ts'
import { Link, type LinkHealth } from './peer-connection.ts'
import type { Remote, Way } from './remote-peer.ts'
import { SfuSession, type Produced } from './sfu-session.ts'
import type { Source, Sources } from './local-tracks.ts'

/** The way before is kept so long after the own side has changed: others may be slower. */
const GRACE_MS = 2_500
/** Whatever has not come by the new way then, does not. */
const CHANGE_MS_MAX = 8_000
const RETRY_MS = 400

/** What comes with a change of the route. */
type Turn = Pick<Joined, 'route' | 'epoch' | 'router_rtp_capabilities' | 'producers'>
type Said = Turn & Produced & { from: string; description: RTCSessionDescriptionInit; candidate: RTCIceCandidateInit }

/** The media of a call: a mesh of links, or a session with the SFU; while the route changes, both. */
export class Media {
  way: Way = 'p2p'
  epoch = 0
  readonly #links = new Map<string, Link>()
  #session: SfuSession | undefined
  /** What the others send over the SFU. */
  readonly #produced = new Map<string, Produced>()
  #opening = 0
  #configuration: RTCConfiguration = {}
  #settling: ReturnType<typeof setTimeout> | undefined
  readonly #began_at = performance.now()
  #first_audio_told = false

  constructor(
    private readonly gateway: VoiceGateway,
    private readonly peers: Map<string, Remote>,
    private readonly sources: Sources,
    private readonly onFault: (error: unknown) => void,
  ) {}

  #own_id = ''

  /** What the server says of the connections to come. */
  configure({ voice_session_id, ice_servers, relay_only }: Joined): void {
    this.#own_id = voice_session_id
    this.#configuration = { iceServers: ice_servers, iceTransportPolicy: relay_only ? 'relay' : 'all' }
  }

  /** Takes fresh credentials for the relay: those of a long call expire. */
  async refresh(): Promise<void> {
    const { ice_servers } = (await this.gateway.command('voice.ice_servers', {})) as Pick<Joined, 'ice_servers'>
    this.#configuration = { ...this.#configuration, iceServers: ice_servers }
    for (const link of this.#links.values()) link.configure({ iceServers: ice_servers })
  }

  /** Goes the way that the server has chosen: the new one is built before the old one is taken down. */
  go(turn: Turn): void {
    const { route, epoch, producers } = turn
    if (epoch < this.epoch) return
    this.#produced.clear()
    for (const produced of producers) this.#produced.set(produced.producer_id, produced)
    if (epoch === this.epoch && route === this.way) {
      if (route === 'sfu') this.#session?.reconcile(producers)
      return
    }
    const anew = route === 'p2p' && this.#links.size > 0
    this.way = route
    this.epoch = epoch
    // Links of another epoch are not spoken for any more.
    if (anew) for (const id of this.#links.keys()) this.#unlink(id)
    for (const peer of this.peers.values()) peer.want(route)
    if (route === 'p2p') for (const id of this.peers.keys()) this.meet(id)
    else void this.#openSession(turn)
    clearTimeout(this.#settling)
    this.#settling = setTimeout(() => this.#takeDown(), CHANGE_MS_MAX)
  }

  /** Everything that the other way carried comes by this one: it may go, when others have had the time. */
  settle(): void {
    if (this.way === 'sfu') void this.#tellFirstAudio()
    if (![...this.peers.values()].every((peer) => peer.settled)) return
    clearTimeout(this.#settling)
    this.#settling = setTimeout(() => this.#takeDown(), GRACE_MS)
  }

  #takeDown(): void {
    if (this.way === 'sfu') for (const id of this.#links.keys()) this.#unlink(id)
    else {
      this.#session?.close()
      this.#session = undefined
      for (const peer of this.peers.values()) peer.drop('sfu')
    }
  }

  meet(peer_id: string): void {
    if (this.way !== 'p2p' || this.#links.has(peer_id) || this.epoch === 0) return
    const { gateway, epoch } = this
    const link = new Link({
      gateway,
      own_id: this.#own_id,
      peer_id,
      epoch,
      configuration: this.#configuration,
      onTrack: (source, receiver) => {
        if (this.#links.get(peer_id) === link) this.peers.get(peer_id)?.set('p2p', source, receiver)
      },
      onState: () => void this.#reportOn(peer_id, link),
    })
    this.#links.set(peer_id, link)
    for (const [source, track] of this.sources.tracks) void link.send(source, track)
  }

  part(peer_id: string): void {
    this.#unlink(peer_id)
  }

  #unlink(peer_id: string): void {
    this.#links.get(peer_id)?.close()
    this.#links.delete(peer_id)
    this.peers.get(peer_id)?.drop('p2p')
  }

  /** @returns whether what is shown may have changed */
  hear(type: string, d: unknown): boolean {
    const said = d as Said
    if (type === 'voice.description' || type === 'voice.candidate') {
      if (said.epoch === this.epoch && this.way === 'p2p') this.#links.get(said.from)?.receive(said)
      return false
    }
    if (type === 'voice.route') this.go(said)
    else if (type === 'voice.sfu.reset') this.#reset(said)
    else if (type === 'voice.sfu.producer_new') this.#begins(said)
    else if (type === 'voice.sfu.producer_closed') this.#ceases(said)
    else return false
    return true
  }

  #begins(produced: Produced): void {
    this.#produced.set(produced.producer_id, produced)
    this.#session?.receive(produced)
  }

  #ceases({ producer_id }: Produced): void {
    this.#produced.delete(producer_id)
    this.#session?.end(producer_id)
  }

  /** The SFU has lost everything: what is left of the session is of no use. */
  #reset(turn: Turn): void {
    this.#session?.close()
    this.#session = undefined
    for (const peer of this.peers.values()) peer.drop('sfu')
    this.go({ ...turn, route: 'sfu' })
  }

  async #openSession(turn: Turn): Promise<void> {
    const opening = ++this.#opening
    const isWanted = () => opening === this.#opening && this.way === 'sfu' && this.epoch === turn.epoch
    while (isWanted() && turn.router_rtp_capabilities) {
      try {
        const session = await SfuSession.open({
          gateway: this.gateway,
          router_rtp_capabilities: turn.router_rtp_capabilities,
          ice_servers: this.#configuration.iceServers ?? [],
          onTrack: (from, source, receiver) => {
            if (this.#session === session) this.peers.get(from)?.set('sfu', source, receiver)
          },
          onFault: this.onFault,
        })
        if (!isWanted()) return session.close()
        this.#session?.close()
        this.#session = session
        this.sendAll()
        return session.reconcile([...this.#produced.values()])
      } catch (error) {
        this.onFault(error)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  /** Sends everything there is to send, by every way there is. */
  sendAll(): void {
    for (const [source, track] of this.sources.tracks) void this.send(source, track)
  }

  async send(source: Source, track: MediaStreamTrack | undefined): Promise<void> {
    const ways = [...this.#links.values(), ...(this.#session ? [this.#session] : [])]
    await Promise.all(ways.map((way) => way.send(source, track).catch(this.onFault)))
  }

  /** The gateway was away: what was said meanwhile was said into the void. */
  resume(): void {
    if (this.way === 'p2p') for (const link of this.#links.values()) link.resume()
    else void this.#session?.restart()
  }

  async health(): Promise<Map<string, LinkHealth>> {
    return new Map(await Promise.all([...this.#links].map(async ([id, link]) => [id, await link.health()] as const)))
  }

  async report(): Promise<void> {
    if (this.way === 'p2p') await Promise.all([...this.#links].map(([id, link]) => this.#reportOn(id, link)))
  }

  async #reportOn(to: string, link: Link): Promise<void> {
    const { epoch } = this
    const health = await link.health().catch(() => undefined)
    if (!health || this.way !== 'p2p' || this.#links.get(to) !== link) return
    const told = { to, epoch, ...health, ...this.#firstAudio(health) }
    await this.gateway.command('voice.report', told).catch(() => undefined)
  }

  #firstAudio({ audio_packets }: LinkHealth): { first_audio_ms?: number } {
    if (this.#first_audio_told || audio_packets === 0) return {}
    this.#first_audio_told = true
    return { first_audio_ms: Math.round(performance.now() - this.#began_at) }
  }

  /** Over the SFU nothing else is reported. */
  async #tellFirstAudio(): Promise<void> {
    const [to] = [...this.peers].find(([, peer]) => peer.receiver('microphone')) ?? []
    if (to === undefined || this.#first_audio_told) return
    const report = { state: 'connected', pair_type: 'unknown', rtt_ms: null, audio_packets: 1 } as const
    const told = { to, epoch: this.epoch, ...report, ...this.#firstAudio(report) }
    await this.gateway.command('voice.report', told).catch(() => undefined)
  }

  /** Ends all of it. */
  clear(): void {
    clearTimeout(this.#settling)
    this.#opening++
    this.epoch = 0
    this.way = 'p2p'
    for (const id of this.#links.keys()) this.#unlink(id)
    this.#session?.close()
    this.#session = undefined
  }
}
