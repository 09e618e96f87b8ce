import type { Joined, VoicePeer } from '../../voice/model.ts'
import type { EventFrame } from '../client/gateway.ts'
import type { CallListener, CallOptions } from './call-options.ts'
import { startTimers } from './call-timers.ts'
import { Joins } from './joins.ts'
import { LocalTracks, type Source } from './local-tracks.ts'
import { Media } from './media.ts'
import { OwnCamera } from './own-camera.ts'
import { deafen, deafenPeers, mute, type OwnSound, tell } from './own-sound.ts'
import type { ConnectionStats } from './peer-connection.ts'
import type { Quality } from './quality.ts'
import { mayPass, Reconnector } from './reconnector.ts'
import { RemotePeer, type Route } from './remote-peer.ts'
import { CallSealing } from './sealing/call-sealing.ts'
import { type ScreenKind, ScreenShare } from './screen-share.ts'
import { listens, sendNothing, standingOf } from './stage-part.ts'
import { Views } from './views.ts'
import { codeOf } from './voice-gateway.ts'

export { type VoiceGateway, voiceGateway } from './voice-gateway.ts'
export type { CallListener, CallOptions } from './call-options.ts'
export type { RemotePeer } from './remote-peer.ts'
export type { Source } from './local-tracks.ts'

/**
 * A voice call. It joins a channel and stays in it over changes of the route, broken paths and gateway reconnects. Its
 * user plays the streams and shows the states.
 */
export class VoiceCall {
  state: 'joining' | 'connected' | 'reconnecting' | 'ended' = 'joining'
  channel_id: number
  /** Id of this member's voice session; empty while it has none. */
  id = ''
  /** True if others do not receive this member's audio: muted by a moderator, or without permission to speak. */
  silenced = false
  /** True if a moderator deafened this member: the server sends no sound. */
  server_deaf = false
  camera_stopped = false
  /** This member's part in a stage; undefined in another call. */
  stage: Joined['stage']
  /** Why the server has chosen the route, if it has. */
  route_reason: Joined['route_reason']
  self_mute: boolean
  self_deaf: boolean
  isMutedByDeaf = false
  readonly peers = new Map<string, RemotePeer>()
  readonly #tracks = new LocalTracks()
  /** The end-to-end encryption. */
  readonly sealing: CallSealing
  readonly #media: Media
  readonly #cleanups: (() => void)[] = []
  readonly #joins: Joins
  readonly #screenShare: ScreenShare
  readonly #ownCamera: OwnCamera
  readonly #views = new Views((from, source) => this.#media.look(from, source))
  readonly #reconnector = new Reconnector(
    () => this.#reconnect(),
    (code) => this.#onRefusal(code),
  )

  private constructor(
    private readonly options: CallOptions,
    private readonly listener: CallListener,
  ) {
    this.#joins = new Joins(options)
    this.channel_id = options.channel_id
    this.self_deaf = options.self_deaf ?? false
    this.self_mute = this.self_deaf || (options.self_mute ?? options.microphone === undefined)
    this.#tracks.mute(this.self_mute)
    this.#tracks.set('microphone', options.microphone)
    const { gateway } = options
    const [notify, fault] = [() => listener.changed?.(), (error: unknown) => listener.fault?.(error)]
    this.sealing = new CallSealing(options, this.peers, notify, fault, () => this.#joinAnew())
    this.#media = new Media(
      gateway,
      this.peers,
      this.#tracks,
      fault,
      (from, source) => (options.receives_what_is_looked_at ? this.#views.heightOf(from, source) : Infinity),
      () => options.bits?.(this.channel_id),
      this.sealing,
      () => listens(this),
    )
    this.#screenShare = new ScreenShare(gateway, this.#publish, notify)
    this.#ownCamera = new OwnCamera(gateway, (track) => this.#publish('camera', track), notify)
  }

  /** Joins a voice channel. Rejects with the problem when the server refuses. */
  static async join(options: CallOptions, listener: CallListener = {}): Promise<VoiceCall> {
    const call = new VoiceCall(options, listener)
    // Listen before joining: events may follow the answer at once.
    call.#cleanups.push(options.gateway.onEvent((frame) => call.#apply(frame)))
    call.#cleanups.push(options.gateway.onReconnected(() => call.state !== 'joining' && call.#reconnector.start()))
    try {
      await call.#join()
    } catch (error) {
      call.#end()
      call.#joins.leaveUnanswered(error)
      throw error
    }
    const refresh = () => void call.#media.refresh().catch(listener.fault)
    const report = () => void call.#media.report()
    call.#cleanups.push(startTimers(() => call.#readLevels(), report, refresh))
    return call
  }

  get sharing_screen(): boolean {
    return this.#screenShare.stream !== undefined
  }

  get route(): Route {
    return this.#media.route
  }

  get epoch(): number {
    return this.#media.epoch
  }

  /** The state of every peer connection, by voice session. */
  readonly connections = (): Promise<Map<string, ConnectionStats>> => this.#media.stats()

  /** Connection quality with its reason, by voice session; the key '' is this member's own. */
  readonly qualities = (): Promise<Map<string, Quality>> => this.#media.qualities()

  /** The microphone that is sent. */
  get microphone(): MediaStreamTrack | undefined {
    return this.#tracks.bySource.get('microphone')
  }

  /** Closes or opens the microphone, without showing the member as muted. */
  readonly gate = (isOpen: boolean): void => this.#tracks.gate(isOpen)

  readonly setMute = (isOn: boolean): Promise<void> => this.#setSound(mute(isOn || listens(this), this))
  readonly setDeaf = (isOn: boolean): Promise<void> => this.#setSound(deafen(isOn, this))

  async #setSound(sound: OwnSound): Promise<void> {
    Object.assign(this, sound)
    this.#tracks.mute(sound.self_mute)
    deafenPeers(this)
    await tell(this.options.gateway, this)
  }

  /** Replaces or ends the microphone during the call. */
  readonly setMicrophone = (track?: MediaStreamTrack) => this.#publish('microphone', track)

  /** The camera that is sent; undefined while it is off. */
  get camera(): MediaStreamTrack | undefined {
    return this.#ownCamera.track
  }

  /** Turns the camera on, changes it, or turns it off. Rejects with the problem when the server refuses. */
  readonly setCamera = (track?: MediaStreamTrack): Promise<void> =>
    track ? this.#ownCamera.start(track) : this.#ownCamera.stop()

  /**
   * Sets the size at which an element shows a member's video.
   * @param height in screen pixels; 0 while the element is hidden, undefined once it is removed
   */
  look(viewer: object, peerId: string, source: Source, height: number | undefined): void {
    this.#views.set(viewer, peerId, source, height)
  }

  /** Shares a screen, with its audio if it has any. Without a stream, the browser asks for one. */
  readonly shareScreen = (kind: ScreenKind = 'detail', screen?: MediaStream): Promise<void> =>
    this.#screenShare.start(kind, screen)
  /** This member's screen while it is shared. */
  readonly ownScreen = (): MediaStream | undefined => this.#screenShare.stream
  readonly stopSharing = (): Promise<void> => this.#screenShare.stop()

  async leave(): Promise<void> {
    this.#end()
    // Leave the call that a pending join may still open.
    await this.#joins.lastAnswer()
    await this.options.gateway.command('voice.leave', {}).catch(() => undefined)
  }

  readonly #publish = async (source: Source, track?: MediaStreamTrack): Promise<MediaStreamTrack | undefined> => {
    // A request made before the call ended turns nothing on afterwards.
    const clone = this.#tracks.set(source, this.state === 'ended' ? undefined : track)
    await this.#media.send(source, clone)
    return clone
  }

  async #join(): Promise<void> {
    this.id = ''
    this.#begin(await this.#joins.ask(this.channel_id, this.self_mute, this.self_deaf))
  }

  /**
   * Moves to another channel. The old call plays until the new one is joined, and the microphone stays open; camera and
   * screen are turned off. Rejects with the problem if the server refuses; the call then stays in its channel.
   */
  async move(channel_id: number, selfMute = this.self_mute): Promise<void> {
    const { self_mute: muted, self_deaf: deaf } = this
    if (this.#hasEnded()) return
    this.#joins.isMoving = true
    try {
      const answer = await this.#joins.ask(channel_id, selfMute, deaf)
      if (this.#hasEnded()) return
      // Keep the person's latest choice if it changed during the request.
      const isNew = this.self_mute !== muted || this.self_deaf !== deaf
      if (this.self_mute === muted) this.self_mute = selfMute
      this.#tracks.mute(this.self_mute)
      void this.stopSharing()
      void this.setCamera()
      this.#begin(answer)
      if (isNew) tell(this.options.gateway, this).catch((error: unknown) => this.listener.fault?.(error))
    } catch (error) {
      this.#notMoved(codeOf(error))
      throw error
    } finally {
      this.#joins.isMoving = false
    }
  }

  #hasEnded = (): boolean => this.state === 'ended'

  /** Stays in the old channel after a refusal; joins it again if its seat has ended, or may have. */
  #notMoved(code: string | undefined): void {
    const reason = this.id === '' ? this.#joins.endedBy() : undefined
    if (reason !== undefined) this.#end(reason)
    else if (this.id === '' || mayPass(code)) this.#reconnector.start()
  }

  /** Starts a new voice session, which replaces the old one. */
  #begin(answer: Joined): void {
    if (this.#hasEnded()) return
    this.#media.clear()
    for (const id of this.peers.keys()) this.#removePeer(id)
    this.sealing.connectionsClosed()
    this.#reconcile(answer)
    for (const frame of this.#joins.take()) this.#apply(frame)
    if (this.sharing_screen) void this.options.gateway.command('voice.update', { sharing_screen: true }).catch(() => {})
    // Not allowed here: the channel is another one.
    if (this.camera) void this.#ownCamera.repeat()
  }

  /** Applies the server's view of the call. */
  #reconcile(answer: Joined): void {
    if (this.state === 'ended') return
    const { voice_session_id: id, channel_id, peers, route_reason } = answer
    Object.assign(this, standingOf(answer), { id, channel_id, route_reason, state: 'connected' })
    if (listens(this)) sendNothing(this, this.listener.fault)
    const present = new Set(peers.map((peer) => peer.voice_session_id))
    for (const id of this.peers.keys()) if (!present.has(id)) this.#removePeer(id)
    deafenPeers(this)
    this.#media.configure(answer)
    for (const peer of peers) this.#addPeer(peer)
    this.#media.changeRoute(answer)
    this.listener.changed?.()
  }

  #addPeer(info: VoicePeer): void {
    const { voice_session_id: id } = info
    const present = this.peers.get(id)
    if (present) return this.#media.update(info)
    const peer = new RemotePeer(info, this.#media.route, {
      onStream: (source, stream) => this.listener.stream?.(id, source, stream),
      onStreamEnded: (source) => this.listener.streamEnded?.(id, source),
      onFlow: () => this.#media.closeOldRouteIfComplete(),
    })
    this.peers.set(id, peer)
    deafenPeers(this)
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
    if (this.#joins.keeps(frame, this)) return
    // The seat has ended for the one in the new room.
    if (this.#joins.isMoving && t === 'voice.peer_left' && d.voice_session_id === this.id) return void (this.id = '')
    if (t === 'voice.route') this.route_reason = d.reason
    if (t === 'voice.peer_joined') this.#addPeer(d)
    else if (t === 'voice.peer_left') this.#removePeer(d.voice_session_id)
    else if (t === 'voice.peer_updated') this.#update(d)
    else if (t === 'voice.moved') this.#begin(d)
    else if (t === 'voice.active_speaker') return this.listener.activeSpeaker?.(d.voice_session_id)
    else if (t === 'voice.disconnected') {
      if (d.voice_session_id !== this.id) return
      if (d.reason !== 'rejoin') return this.#end(d.reason)
      this.#joinAnew()
    } else if (!this.#media.apply(frame)) return
    this.listener.changed?.()
  }

  /** Takes another seat. Media between peers continue meanwhile. */
  #joinAnew(): void {
    this.id = ''
    if (!this.#joins.isMoving) this.#reconnector.start()
  }

  #update(info: VoicePeer): void {
    if (info.voice_session_id !== this.id) return this.#media.update(info)
    const { silenced, camera_stopped } = info
    const [maySpeakAgain, listened] = [this.silenced && !silenced, listens(this)]
    Object.assign(this, standingOf(info))
    deafenPeers(this)
    if (camera_stopped) void this.setCamera()
    if (listens(this) && !listened) sendNothing(this, this.listener.fault)
    else if (maySpeakAgain) this.#media.sendAll()
  }

  /** Resumes the voice session, or joins again if there is none. */
  async #reconnect(): Promise<void> {
    if (this.state === 'ended') return
    this.state = 'reconnecting'
    if (this.id === '') return this.#join()
    const { id: voice_session_id, epoch } = this
    this.#reconcile(await this.options.gateway.command('voice.resume', { voice_session_id, epoch }))
    this.#media.resume()
    await tell(this.options.gateway, this)
    if (this.camera_stopped) await this.setCamera()
    else await this.#ownCamera.repeat()
    await this.#screenShare.repeat()
  }

  #onRefusal(code: string): void {
    if (code !== 'not_found' || this.id === '') return this.#end(code)
    this.#joinAnew()
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
    this.#media.end()
    for (const id of this.peers.keys()) this.#removePeer(id)
    this.#views.stop()
    this.#tracks.stop()
    this.#screenShare.end()
    if (reason !== undefined) this.listener.ended?.(reason)
  }
}
