import type { Joined, VoicePeer } from '../../voice/model.ts'
import type { EventFrame } from '../client/gateway.ts'
import { isAudio, type LocalTracks, type Source } from './local-tracks.ts'
import { type ConnectionStats, PeerConnection } from './peer-connection.ts'
import { LossMeter, qualities, type Quality } from './quality.ts'
import type { RemotePeer, Route } from './remote-peer.ts'
import type { CallSealing } from './sealing/call-sealing.ts'
import { SfuSession } from './sfu-session.ts'
import type { Produced } from './sfu-transport.ts'
import { MUSIC } from './sound-first.ts'
import type { VoiceGateway } from './voice-gateway.ts'

/** Time that the old route stays open after this member's change, because others may be slower. */
const GRACE_MS = 2_500
/** Time after a change began at which the old route is closed, even if a source does not flow over the new one. */
const CHANGE_MS_MAX = 8_000
const RETRY_MS = 400
/** Time that a session with a former router stays open; the server keeps that router for five seconds. */
const CHANGE_MS = 5_000

type RouteChange = Pick<Joined, 'route' | 'epoch' | 'router_rtp_capabilities' | 'producers'>

/** The media of a call: a mesh of peer connections, or a session with the SFU; during a change of the route, both. */
export class Media {
  route: Route = 'p2p'
  epoch = 0
  #sessionId = ''
  readonly #connections = new Map<string, PeerConnection>()
  #session: SfuSession | undefined
  /** Sessions with routers that the call has left. */
  readonly #former = new Set<SfuSession>()
  /** Media that the other members send over the SFU, by producer id. */
  readonly #producers = new Map<string, Produced>()
  #sessionsOpened = 0
  #isOpening = false
  #configuration: RTCConfiguration = {}
  #losses = new LossMeter()
  #closing: ReturnType<typeof setTimeout> | undefined
  readonly #beganAt = performance.now()
  #isFirstAudioReported = false

  constructor(
    private readonly gateway: VoiceGateway,
    private readonly peers: Map<string, RemotePeer>,
    private readonly tracks: LocalTracks,
    private readonly onFault: (error: unknown) => void,
    private readonly heightOf: (from: string, source: Source) => number,
    private readonly bits: () => number | undefined,
    private readonly sealing: CallSealing,
    private readonly listens: () => boolean = () => false,
  ) {}

  /** Sets the configuration of later peer connections. */
  configure(answer: Joined): void {
    const { voice_session_id, ice_servers, relay_only } = answer
    this.sealing.configure(answer)
    this.#sessionId = voice_session_id
    this.#configuration = { iceServers: ice_servers, iceTransportPolicy: relay_only ? 'relay' : 'all' }
  }

  /** Another process continues the call: moves the connections that use the relay of the former one. */
  async #follow(iceServers: RTCIceServer[]): Promise<void> {
    this.#useIceServers(iceServers)
    for (const connection of this.#connections.values())
      if ((await connection.stats()).pair_type === 'relay') connection.restart()
  }

  #useIceServers(iceServers: RTCIceServer[]): void {
    this.#configuration = { ...this.#configuration, iceServers }
    for (const connection of this.#connections.values()) connection.configure({ iceServers })
  }

  /** Fetches new TURN credentials, which expire during a long call. */
  async refresh(): Promise<void> {
    const { ice_servers } = await this.gateway.command('voice.ice_servers', {})
    this.#useIceServers(ice_servers)
  }

  /** Changes to the route that the server has chosen: opens the new one, then closes the old one. */
  changeRoute(change: RouteChange): void {
    const { route, epoch, producers } = change
    if (epoch < this.epoch) return
    this.#producers.clear()
    for (const producer of producers) this.#producers.set(producer.producer_id, producer)
    if (epoch === this.epoch && route === this.route) {
      if (route === 'sfu') this.#session?.reconcile(producers)
      return
    }
    const isNewMesh = route === 'p2p' && this.#connections.size > 0
    this.route = route
    this.epoch = epoch
    this.#losses = new LossMeter()
    // The server drops signals of another epoch: the old connections are of no use.
    if (isNewMesh) for (const id of this.#connections.keys()) this.removePeer(id)
    for (const peer of this.peers.values()) peer.changeRoute(route)
    if (route === 'p2p') for (const id of this.peers.keys()) this.addPeer(id)
    else void this.#openSession(change)
    clearTimeout(this.#closing)
    this.#closing = setTimeout(() => this.#closeOldRoute(), CHANGE_MS_MAX)
  }

  /** Closes the old route after a grace period, once every source flows over the new one. */
  closeOldRouteIfComplete(): void {
    if (this.route === 'sfu') void this.#reportFirstAudio()
    if (![...this.peers.values()].every((peer) => peer.isRouteComplete)) return
    clearTimeout(this.#closing)
    this.#closing = setTimeout(() => this.#closeOldRoute(), GRACE_MS)
  }

  #closeOldRoute(): void {
    if (this.route === 'sfu') for (const id of this.#connections.keys()) this.removePeer(id)
    else {
      this.#session?.close()
      this.#session = undefined
      for (const peer of this.peers.values()) peer.dropRoute('sfu')
    }
  }

  addPeer(peer_id: string): void {
    if (this.route !== 'p2p' || this.#connections.has(peer_id) || this.epoch === 0) return
    const { gateway, epoch } = this
    const connection = new PeerConnection({
      gateway,
      ownId: this.#sessionId,
      peer_id,
      epoch,
      configuration: this.#configuration,
      sealing: this.sealing,
      redundant: this.peers.size <= 1,
      bits: this.bits,
      sendsMusic: () => this.tracks.bySource.get('microphone')?.contentHint === MUSIC,
      onTrack: (source, receiver) => {
        if (this.#connections.get(peer_id) === connection) this.peers.get(peer_id)?.setReceiver('p2p', source, receiver)
      },
      onState: () => void this.#reportOn(peer_id, connection),
    })
    this.#connections.set(peer_id, connection)
    for (const [source, track] of this.tracks.bySource)
      if (this.#mayHear(peer_id, source)) void connection.send(source, track)
  }

  /**
   * Takes what the server says about a member. If a moderator has deafened it, it gets no more sound by a mesh: the
   * call changes to the SFU, but the mesh goes on for seconds.
   */
  update(info: VoicePeer): void {
    const { voice_session_id: id } = info
    const connection = this.#connections.get(id)
    if (this.peers.get(id)?.info.reconnecting && !info.reconnecting) connection?.repeatOffer()
    this.peers.get(id)?.update(info)
    for (const source of this.tracks.bySource.keys())
      if (!this.#mayHear(id, source)) void connection?.send(source, undefined).catch(this.onFault)
  }

  #mayHear(id: string, source: Source): boolean {
    return !(isAudio(source) && this.peers.get(id)?.info.server_deaf)
  }

  removePeer(peer_id: string): void {
    this.#connections.get(peer_id)?.close()
    this.#connections.delete(peer_id)
    this.peers.get(peer_id)?.dropRoute('p2p')
  }

  /** Applies an event. @returns whether the view of the call may have changed */
  apply({ t, d }: EventFrame): boolean {
    if (t === 'voice.description' || t === 'voice.candidate') {
      if (d.epoch === this.epoch && this.route === 'p2p') this.#connections.get(d.from)?.receive(d)
      return false
    }
    if (t === 'voice.handed_over') {
      void this.#follow(d.ice_servers).catch(this.onFault)
      return false
    }
    if (t === 'voice.route') this.changeRoute(d)
    else if (t === 'voice.sfu.reset') this.#reset({ ...d, route: 'sfu' }, d.direction === 'recv')
    else if (t === 'voice.sfu.consumer_score') {
      this.#session?.score(d.consumer_id, Number(d.score['producerScore']))
      return false
    } else if (t === 'voice.sfu.producer_new') this.#addProducer(d)
    else if (t === 'voice.sfu.producer_closed') this.#removeProducer(d)
    else return t === 'voice.encryption'
    return true
  }

  #addProducer(producer: Produced): void {
    this.#producers.set(producer.producer_id, producer)
    this.#session?.receive(producer)
  }

  #removeProducer({ producer_id }: Produced): void {
    this.#producers.delete(producer_id)
    this.#session?.end(producer_id)
  }

  /** The SFU has lost every transport, or only the receiving one: opens another session, or another transport. */
  #reset(change: RouteChange, isReceivingOnly: boolean): void {
    if (isReceivingOnly) return this.#receiveAnew(change)
    this.#session?.close()
    this.#session = undefined
    for (const peer of this.peers.values()) peer.dropRoute('sfu')
    this.changeRoute(change)
  }

  #receiveAnew(change: RouteChange): void {
    if (this.route !== 'sfu' || change.epoch !== this.epoch) return
    this.#producers.clear()
    for (const producer of change.producers) this.#producers.set(producer.producer_id, producer)
    // A session that is being opened may have the lost transport.
    if (this.#isOpening || !this.#session) void this.#openSession(change)
    else void this.#session.receiveAnew()
  }

  async #openSession(change: RouteChange): Promise<void> {
    const turn = ++this.#sessionsOpened
    const isWanted = () => turn === this.#sessionsOpened && this.route === 'sfu' && this.epoch === change.epoch
    this.#isOpening = true
    this.#session?.supersede()
    while (isWanted() && change.router_rtp_capabilities) {
      try {
        const session = await SfuSession.open({
          bits: this.bits,
          listens: this.listens(),
          gateway: this.gateway,
          sealing: this.sealing,
          router_rtp_capabilities: change.router_rtp_capabilities,
          ice_servers: this.#configuration.iceServers ?? [],
          onTrack: (from, source, receiver) => {
            if (this.#session === session) this.peers.get(from)?.setReceiver('sfu', source, receiver)
          },
          producers: () => [...this.#producers.values()],
          heightOf: this.heightOf,
          onFault: this.onFault,
        })
        if (!isWanted()) return session.close()
        this.#replace(session)
        this.#isOpening = false
        this.sendAll()
        return session.reconcile([...this.#producers.values()])
      } catch (error) {
        this.onFault(error)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  /** Goes on over a session of another router. The former one plays and sends until others have changed too. */
  #replace(session: SfuSession): void {
    const former = this.#session
    this.#session = session
    if (!former) return
    former.supersede()
    this.#former.add(former)
    setTimeout(() => this.#former.delete(former) && former.close(), CHANGE_MS)
  }

  /** The page shows a source of a member larger, smaller or no longer. */
  look(from: string, source: Source): void {
    this.#session?.look(from, source)
  }

  /** Sends every track over every open route. */
  sendAll(): void {
    for (const [source, track] of this.tracks.bySource) void this.send(source, track)
  }

  async send(source: Source, track: MediaStreamTrack | undefined): Promise<void> {
    const connections = [...this.#connections].filter(([id]) => this.#mayHear(id, source))
    const routes = [...connections.map(([, connection]) => connection), ...(this.#session ? [this.#session] : [])]
    await Promise.all(routes.map((route) => route.send(source, track).catch(this.onFault)))
  }

  /** Repeats lost signals after the gateway has reconnected. */
  resume(): void {
    if (this.route === 'p2p') for (const connection of this.#connections.values()) connection.resume()
    else this.#session?.resume(this.tracks.bySource)
  }

  async stats(): Promise<Map<string, ConnectionStats>> {
    return new Map(
      await Promise.all(
        [...this.#connections].map(async ([id, connection]) => [id, await connection.stats()] as const),
      ),
    )
  }

  /** Connection quality by voice session; the key '' is this member's own. */
  async qualities(): Promise<Map<string, Quality>> {
    const meter = this.#losses
    const session = this.route === 'sfu' ? this.#session : undefined
    if (session) {
      const { outgoing, members } = await session.stats()
      const paths = new Map([...members].map(([id, entries]) => [id, meter.read(id, entries)]))
      return qualities(paths, meter.read('', outgoing), session.suffers)
    }
    const measure = async ([id, connection]: [string, PeerConnection]) =>
      [id, meter.read(id, await connection.entries())] as const
    return qualities(new Map(await Promise.all([...this.#connections].map(measure))), undefined, () => false)
  }

  /** Sends the state of every peer connection to the server. */
  async report(): Promise<void> {
    if (this.route === 'p2p')
      await Promise.all([...this.#connections].map(([id, connection]) => this.#reportOn(id, connection)))
  }

  async #reportOn(to: string, connection: PeerConnection): Promise<void> {
    const { epoch } = this
    const stats = await connection.stats().catch(() => undefined)
    if (!stats || this.route !== 'p2p' || this.#connections.get(to) !== connection) return
    const report = { to, epoch, ...stats, ...this.#firstAudio(stats) }
    await this.gateway.command('voice.report', report).catch(() => undefined)
  }

  #firstAudio({ audio_packets }: Pick<ConnectionStats, 'audio_packets'>): { first_audio_ms?: number } {
    if (this.#isFirstAudioReported || audio_packets === 0) return {}
    this.#isFirstAudioReported = true
    return { first_audio_ms: Math.round(performance.now() - this.#beganAt) }
  }

  /** Reports the time to the first audio over the SFU, which sends no other report. */
  async #reportFirstAudio(): Promise<void> {
    const [to] = [...this.peers].find(([, peer]) => peer.receiver('microphone')) ?? []
    if (to === undefined || this.#isFirstAudioReported) return
    const stats = { state: 'connected', pair_type: 'unknown', rtt_ms: null, audio_packets: 1 } as const
    const report = { to, epoch: this.epoch, ...stats, ...this.#firstAudio(stats) }
    await this.gateway.command('voice.report', report).catch(() => undefined)
  }

  /** Ends with the call. */
  end(): void {
    this.clear()
    this.sealing.end()
  }

  /** Closes both routes. */
  clear(): void {
    clearTimeout(this.#closing)
    this.#sessionsOpened++
    this.#isOpening = false
    this.epoch = 0
    this.route = 'p2p'
    for (const id of this.#connections.keys()) this.removePeer(id)
    for (const former of this.#former) former.close()
    this.#former.clear()
    this.#session?.close()
    this.#session = undefined
  }
}
