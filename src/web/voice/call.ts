import type { Joined, VoicePeer } from '../../voice/model.ts'
import type { EventFrame } from '../client/gateway.ts'
import type { CallListener, CallOptions } from './call-options.ts'
import { LocalTracks, type Source } from './local-tracks.ts'
import { Media } from './media.ts'
import type { ConnectionStats } from './peer-connection.ts'
import { Reconnector } from './reconnector.ts'
import { RemotePeer, type Route } from './remote-peer.ts'
import { ScreenShare } from './screen-share.ts'
import { codeOf } from './voice-gateway.ts'

export { type VoiceGateway, voiceGateway } from './voice-gateway.ts'
export type { CallListener, CallOptions } from './call-options.ts'
export type { RemotePeer } from './remote-peer.ts'
export type { Source } from './local-tracks.ts'

/** Not a divisor of a second, so that a periodic sound is not missed every time. */
const LEVELS_MS = 70
const REPORT_MS = 500
/** TURN credentials are valid for 12 hours. */
const REFRESH_MS = 6 * 3_600_000

/**
 * A voice call. It joins a channel and stays in it over changes of the route, broken paths and gateway reconnects. Its
 * user plays the streams and shows the states.
 */
export class VoiceCall {
  state: 'joining' | 'connected' | 'reconnecting' | 'ended' = 'joining'
  channel_id: number
  /** The own voice session; empty while there is none. */
  id = ''
  /** Whether others do not receive the own audio: muted by a moderator, or without the permission to speak. */
  silenced = false
  self_mute: boolean
  self_deaf: boolean
  readonly peers = new Map<string, RemotePeer>()
  readonly #tracks = new LocalTracks()
  readonly #media: Media
  readonly #cleanups: (() => void)[] = []
  readonly #options: CallOptions
  /** Events that came before the answer to `voice.join`. */
  readonly #early: EventFrame[] = []
  readonly #screen_share: ScreenShare
  readonly #reconnector = new Reconnector(
    () => this.#reconnect(),
    (code) => this.#refused(code),
  )

  private constructor(
    options: CallOptions,
    private readonly listener: CallListener,
  ) {
    this.#options = options
    this.channel_id = options.channel_id
    this.self_mute = options.self_mute ?? options.microphone === undefined
    this.self_deaf = options.self_deaf ?? false
    this.#tracks.mute(this.self_mute)
    this.#tracks.set('microphone', options.microphone)
    this.#media = new Media(options.gateway, this.peers, this.#tracks, (error) => listener.fault?.(error))
    this.#screen_share = new ScreenShare(options.gateway, this.#publish, () => listener.changed?.())
  }

  /** Joins a voice channel. Rejects with the problem when the server refuses. */
  static async join(options: CallOptions, listener: CallListener = {}): Promise<VoiceCall> {
    const call = new VoiceCall(options, listener)
    const { gateway } = options
    // Listen before joining: events may follow the answer at once.
    call.#cleanups.push(gateway.onEvent((frame) => call.#apply(frame)))
    call.#cleanups.push(gateway.onReconnected(() => call.state !== 'joining' && call.#reconnector.start()))
    try {
      await call.#join()
    } catch (error) {
      call.#end()
      throw error
    }
    const levels = setInterval(() => call.#readLevels(), LEVELS_MS)
    const reports = setInterval(() => void call.#media.report(), REPORT_MS)
    const refreshes = setInterval(() => void call.#media.refresh().catch(listener.fault), REFRESH_MS)
    call.#cleanups.push(() => [levels, reports, refreshes].forEach(clearInterval))
    return call
  }

  get sharing_screen(): boolean {
    return this.#screen_share.active
  }

  get route(): Route {
    return this.#media.route
  }

  get epoch(): number {
    return this.#media.epoch
  }

  /** The state of every peer connection, by voice session. */
  readonly connections = (): Promise<Map<string, ConnectionStats>> => this.#media.stats()

  /** The microphone that is sent. */
  get microphone(): MediaStreamTrack | undefined {
    return this.#tracks.bySource.get('microphone')
  }

  /** Closes the microphone for a while, or opens it again; others do not see that as being muted. */
  readonly gate = (open: boolean): void => this.#tracks.gate(open)

  async setMute(self_mute: boolean): Promise<void> {
    this.self_mute = self_mute
    this.#tracks.mute(self_mute)
    await this.#sendState()
  }

  async setDeaf(self_deaf: boolean): Promise<void> {
    this.self_deaf = self_deaf
    for (const peer of this.peers.values()) peer.deafen(self_deaf)
    await this.#sendState()
  }

  /** Sends the own mute state. While the gateway is offline, reconnecting sends it. */
  async #sendState(): Promise<void> {
    const { self_mute, self_deaf } = this
    await this.#options.gateway.command('voice.update', { self_mute, self_deaf }).catch((error: unknown) => {
      if (codeOf(error) !== undefined) throw error
    })
  }

  /** Replaces or ends the microphone or camera during the call. */
  readonly setTrack = (source: 'microphone' | 'camera', track?: MediaStreamTrack) => this.#publish(source, track)

  /** Shares a screen, with its sound if it has any. Without a stream, the browser asks for one. */
  readonly shareScreen = (screen?: MediaStream): Promise<void> => this.#screen_share.start(screen)
  readonly stopSharing = (): Promise<void> => this.#screen_share.stop()

  async leave(): Promise<void> {
    this.#end()
    await this.#options.gateway.command('voice.leave', {}).catch(() => undefined)
  }

  readonly #publish = (source: Source, track?: MediaStreamTrack): Promise<void> =>
    this.#media.send(source, this.#tracks.set(source, track))

  async #join(): Promise<void> {
    const { channel_id, self_mute, self_deaf } = this
    const request = { channel_id, self_mute, self_deaf, relay_only: this.#options.relay_only ?? false }
    this.id = ''
    this.#early.length = 0
    this.#begin(await this.#options.gateway.command('voice.join', request))
  }

  /** Begins a new voice session in place of any old one. */
  #begin(joined: Joined): void {
    this.#media.clear()
    for (const id of this.peers.keys()) this.#removePeer(id)
    this.#reconcile(joined)
    for (const frame of this.#early.splice(0)) this.#apply(frame)
    if (this.sharing_screen)
      void this.#options.gateway.command('voice.update', { sharing_screen: true }).catch(() => {})
  }

  /** Takes over the server's view of the call. */
  #reconcile(joined: Joined): void {
    if (this.state === 'ended') return
    const { voice_session_id, channel_id, peers, silenced } = joined
    this.silenced = silenced
    this.id = voice_session_id
    this.channel_id = channel_id
    this.state = 'connected'
    const present = new Set(peers.map((peer) => peer.voice_session_id))
    for (const id of this.peers.keys()) if (!present.has(id)) this.#removePeer(id)
    this.#media.configure(joined)
    for (const peer of peers) this.#addPeer(peer)
    this.#media.changeRoute(joined)
    this.listener.changed?.()
  }

  #addPeer(info: VoicePeer): void {
    const { voice_session_id: id } = info
    const present = this.peers.get(id)
    if (present) return present.update(info)
    const peer = new RemotePeer(info, this.#media.route, {
      onStream: (source, stream) => this.listener.stream?.(id, source, stream),
      onStreamEnded: (source) => this.listener.streamEnded?.(id, source),
      onFlow: () => this.#media.closeOldRouteIfComplete(),
    })
    peer.deafen(this.self_deaf)
    this.peers.set(id, peer)
    this.#media.addPeer(id)
  }

  #removePeer(id: string): void {
    const peer = this.peers.get(id)
    if (!peer) return
    this.#media.removePeer(id)
    peer.dropRoute('p2p')
    peer.dropRoute('sfu')
    this.peers.delete(id)
  }

  #apply(frame: EventFrame): void {
    const { t, d } = frame
    if (!t.startsWith('voice.') || this.state === 'ended') return
    if (this.id === '') return void this.#early.push(frame)
    if (t === 'voice.peer_joined') this.#addPeer(d)
    else if (t === 'voice.peer_left') this.#removePeer(d.voice_session_id)
    else if (t === 'voice.peer_updated') this.#update(d)
    else if (t === 'voice.moved') this.#begin(d)
    else if (t === 'voice.active_speaker') return this.listener.activeSpeaker?.(d.voice_session_id)
    else if (t === 'voice.disconnected') {
      if (d.voice_session_id !== this.id) return
      if (d.reason !== 'rejoin') return this.#end(d.reason)
      // Media between peers continue meanwhile.
      this.id = ''
      this.#reconnector.start()
    } else if (!this.#media.apply(frame)) return
    this.listener.changed?.()
  }

  #update(info: VoicePeer): void {
    if (info.voice_session_id !== this.id) return this.peers.get(info.voice_session_id)?.update(info)
    const may_speak_again = this.silenced && !info.silenced
    this.silenced = info.silenced
    if (may_speak_again) this.#media.sendAll()
  }

  /** Resumes the voice session, or joins again if there is none. */
  async #reconnect(): Promise<void> {
    if (this.state === 'ended') return
    this.state = 'reconnecting'
    if (this.id === '') return this.#join()
    const session = { voice_session_id: this.id, epoch: this.#media.epoch }
    this.#reconcile(await this.#options.gateway.command('voice.resume', session))
    this.#media.resume()
    await this.#sendState()
  }

  #refused(code: string): void {
    if (code !== 'not_found' || this.id === '') return this.#end(code)
    this.id = ''
    this.#reconnector.start()
  }

  #readLevels(): void {
    const levels = new Map([...this.peers].map(([id, peer]) => [id, peer.readLevel()] as const))
    this.listener.levels?.(levels)
  }

  /** @param reason passed to the listener; undefined after `leave` */
  #end(reason?: string): void {
    if (this.state === 'ended') return
    this.state = 'ended'
    this.#reconnector.end()
    for (const end of this.#cleanups.splice(0)) end()
    this.#media.clear()
    for (const id of this.peers.keys()) this.#removePeer(id)
    this.#tracks.stop()
    this.#screen_share.end()
    if (reason !== undefined) this.listener.ended?.(reason)
  }
}
