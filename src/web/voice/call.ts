import type { Joined, VoicePeer } from '../../voice/model.ts'
import { Again } from './reconnector.ts'
import { codeOf } from './voice-gateway.ts'
import type { LinkHealth } from './peer-connection.ts'
import { Media } from './media.ts'
import type { CallListener, CallOptions } from './call-options.ts'
import { Remote, type Way } from './remote-peer.ts'
import { Sharing } from './screen-share.ts'
import { type Source, Sources } from './local-tracks.ts'

export type { VoiceGateway } from './voice-gateway.ts'
export type { CallListener, CallOptions } from './call-options.ts'
export type { Remote } from './remote-peer.ts'
export type { Source } from './local-tracks.ts'

/** No part of a second: a sound that comes at even times is not missed each time. */
const LEVELS_MS = 70
const REPORT_MS = 500
/** The relay's credentials are good for 12 hours. */
const REFRESH_MS = 6 * 3_600_000

type Said = Record<string, never> & { voice_session_id: string; reason: string }

/**
 * A voice call: joins a channel and stays in it through changes of the route, broken paths and lost gateways. Who uses
 * it plays the streams, and shows the states.
 */
export class VoiceCall {
  state: 'joining' | 'connected' | 'reconnecting' | 'ended' = 'joining'
  channel_id: number
  /** The own voice session. */
  id = ''
  /** Whether a moderator, or the lack of a permission, keeps the own voice from being heard. */
  silenced = false
  self_mute: boolean
  self_deaf: boolean
  readonly peers = new Map<string, Remote>()
  readonly #sources = new Sources()
  readonly #media: Media
  readonly #ends: (() => void)[] = []
  readonly #options: CallOptions
  readonly #early: [type: string, d: Said][] = []
  readonly #sharing: Sharing
  readonly #again = new Again(
    () => this.#return(),
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
    this.#sources.mute(this.self_mute)
    this.#sources.set('microphone', options.microphone)
    this.#media = new Media(options.gateway, this.peers, this.#sources, (error) => listener.fault?.(error))
    this.#sharing = new Sharing(options.gateway, this.#publish, () => listener.changed?.())
  }

  /** Joins a voice channel. Rejects with the problem when the server refuses. */
  static async join(options: CallOptions, listener: CallListener = {}): Promise<VoiceCall> {
    const call = new VoiceCall(options, listener)
    const { gateway } = options
    // Before the answer comes, since what follows it must not be missed.
    call.#ends.push(gateway.onEvent((type, d) => call.#hear(type, d as Said)))
    call.#ends.push(gateway.onAgain(() => call.state !== 'joining' && call.#again.start()))
    try {
      await call.#join()
    } catch (error) {
      call.#end()
      throw error
    }
    const levels = setInterval(() => call.#listen(), LEVELS_MS)
    const reports = setInterval(() => void call.#media.report(), REPORT_MS)
    const refreshes = setInterval(() => void call.#media.refresh().catch(listener.fault), REFRESH_MS)
    call.#ends.push(() => [levels, reports, refreshes].forEach(clearInterval))
    return call
  }

  get sharing_screen(): boolean {
    return this.#sharing.active
  }

  get route(): Way {
    return this.#media.way
  }

  get epoch(): number {
    return this.#media.epoch
  }

  /** How the connections with the members of a mesh do, by voice session. */
  readonly connections = (): Promise<Map<string, LinkHealth>> => this.#media.health()

  async setMute(self_mute: boolean): Promise<void> {
    this.self_mute = self_mute
    this.#sources.mute(self_mute)
    await this.#tellState()
  }

  async setDeaf(self_deaf: boolean): Promise<void> {
    this.self_deaf = self_deaf
    for (const peer of this.peers.values()) peer.deafen(self_deaf)
    await this.#tellState()
  }

  /** Says how one is muted; while the gateway is away it is said when that is back. */
  async #tellState(): Promise<void> {
    const { self_mute, self_deaf } = this
    await this.#options.gateway.command('voice.update', { self_mute, self_deaf }).catch((error: unknown) => {
      if (codeOf(error) !== undefined) throw error
    })
  }

  /** Takes another microphone, or camera, or none; in mid-call. */
  readonly setTrack = (source: 'microphone' | 'camera', track?: MediaStreamTrack) => this.#publish(source, track)

  /** Shares a screen, with its sound if it has one; without one given, the browser asks which. */
  readonly shareScreen = (screen?: MediaStream): Promise<void> => this.#sharing.start(screen)
  readonly stopSharing = (): Promise<void> => this.#sharing.stop()

  async leave(): Promise<void> {
    this.#end()
    await this.#options.gateway.command('voice.leave', {}).catch(() => undefined)
  }

  readonly #publish = (source: Source, track?: MediaStreamTrack): Promise<void> =>
    this.#media.send(source, this.#sources.set(source, track))

  async #join(): Promise<void> {
    const { channel_id, self_mute, self_deaf } = this
    const wish = { channel_id, self_mute, self_deaf, relay_only: this.#options.relay_only ?? false }
    this.id = ''
    this.#early.length = 0
    this.#take((await this.#options.gateway.command('voice.join', wish)) as Joined)
  }

  /** A seat that is new, whatever there was. */
  #take(joined: Joined): void {
    this.#media.clear()
    for (const id of this.peers.keys()) this.#part(id)
    this.#reconcile(joined)
    for (const [type, d] of this.#early.splice(0)) this.#hear(type, d)
    if (this.sharing_screen)
      void this.#options.gateway.command('voice.update', { sharing_screen: true }).catch(() => {})
  }

  /** Makes the own side what the server says. */
  #reconcile(joined: Joined): void {
    if (this.state === 'ended') return
    const { voice_session_id, channel_id, peers, silenced } = joined
    this.silenced = silenced
    this.id = voice_session_id
    this.channel_id = channel_id
    this.state = 'connected'
    const there = new Set(peers.map((peer) => peer.voice_session_id))
    for (const id of this.peers.keys()) if (!there.has(id)) this.#part(id)
    this.#media.configure(joined)
    for (const peer of peers) this.#meet(peer)
    this.#media.go(joined)
    this.listener.changed?.()
  }

  #meet(info: VoicePeer): void {
    const { voice_session_id: id } = info
    const present = this.peers.get(id)
    if (present) return present.update(info)
    const peer = new Remote(info, this.#media.way, {
      onStream: (source, stream) => this.listener.stream?.(id, source, stream),
      onStreamEnded: (source) => this.listener.streamEnded?.(id, source),
      onFlow: () => this.#media.settle(),
    })
    peer.deafen(this.self_deaf)
    this.peers.set(id, peer)
    this.#media.meet(id)
  }

  #part(id: string): void {
    const peer = this.peers.get(id)
    if (!peer) return
    this.#media.part(id)
    peer.drop('p2p')
    peer.drop('sfu')
    this.peers.delete(id)
  }

  #hear(type: string, d: Said): void {
    if (!type.startsWith('voice.') || this.state === 'ended') return
    // What is said of a seat may come before the answer that gives it.
    if (this.id === '') return void this.#early.push([type, d])
    if (type === 'voice.peer_joined') this.#meet(d as unknown as VoicePeer)
    else if (type === 'voice.peer_left') this.#part(d.voice_session_id)
    else if (type === 'voice.peer_updated') this.#updated(d as unknown as VoicePeer)
    else if (type === 'voice.moved') this.#take(d as unknown as Joined)
    else if (type === 'voice.active_speaker') return this.listener.activeSpeaker?.(d.voice_session_id)
    else if (type === 'voice.disconnected') {
      if (d.voice_session_id !== this.id) return
      if (d.reason !== 'rejoin') return this.#end(d.reason)
      // Meanwhile what goes from one to another goes on.
      this.id = ''
      this.#again.start()
    } else if (!this.#media.hear(type, d)) return
    this.listener.changed?.()
  }

  #updated(info: VoicePeer): void {
    if (info.voice_session_id !== this.id) return this.peers.get(info.voice_session_id)?.update(info)
    const freed = this.silenced && !info.silenced
    this.silenced = info.silenced
    if (freed) this.#media.sendAll()
  }

  /** Takes the own seat again, or else another one. */
  async #return(): Promise<void> {
    if (this.state === 'ended') return
    this.state = 'reconnecting'
    if (this.id === '') return this.#join()
    const seat = { voice_session_id: this.id, epoch: this.#media.epoch }
    this.#reconcile((await this.#options.gateway.command('voice.resume', seat)) as Joined)
    this.#media.resume()
    await this.#tellState()
  }

  #refused(code: string): void {
    if (code !== 'not_found' || this.id === '') return this.#end(code)
    this.id = ''
    this.#again.start()
  }

  #listen(): void {
    const levels = new Map([...this.peers].map(([id, peer]) => [id, peer.listen()] as const))
    this.listener.levels?.(levels)
  }

  /** @param reason told when it is not the own doing */
  #end(reason?: string): void {
    if (this.state === 'ended') return
    this.state = 'ended'
    this.#again.end()
    for (const end of this.#ends.splice(0)) end()
    this.#media.clear()
    for (const id of this.peers.keys()) this.#part(id)
    this.#sources.stop()
    this.#sharing.end()
    if (reason !== undefined) this.listener.ended?.(reason)
  }
}
