import { errorFields } from '../../core/log.ts'
import { holds } from '../../core/permissions.ts'
import type { Parts } from '../../parts.ts'
import type { Turn } from '../../turn/thread.ts'
import type { VoiceMetrics } from '../metrics.ts'
import type { Rooms } from '../rooms.ts'
import { isReconnecting, isSilenced, mayFilm, needsSfu, type Room, routerFieldsFor, type Seat } from '../seat.ts'
import type { Source } from '../sfu/codecs.ts'
import { MediaUnavailable } from '../sfu/process.ts'
import type { Elsewhere } from '../sfu/receiving.ts'
import type { RoutedRoom } from '../sfu/room.ts'
import type { RoomEvent } from '../sfu/router-context.ts'
import type { Sfu } from '../sfu/sfu.ts'
import type { Deafness } from '../signalling/deafness.ts'
import { type Choice, chooseRoute, type Situation } from './choose-route.ts'
import { sendRoomEvent } from './room-events.ts'

/** Interval at which every room's route is reconsidered, because it can change by the passing of time. */
const CONSIDER_MS = 250
/** Time that a room stays open on the SFU after leaving it, while its members build the mesh. */
const LINGER_MS = 10_000
/** Delay before opening a room on the SFU is retried. */
const RETRY_MS = 2_000

/** The sources that the SFU must block for this member. */
const heldSources = (seat: Seat): Source[] => {
  const silenced: Source[] = isSilenced(seat) ? ['microphone', 'screen_audio'] : []
  const unseen: Source[] = mayFilm(seat) ? silenced : [...silenced, 'camera']
  return holds(seat.permissions, 'share_screen') ? unseen : [...unseen, 'screen', 'screen_audio']
}

/**
 * Switches every room to the route that `chooseRoute` returns, and makes the SFU block sources that members may not
 * send.
 */
export class RouteSwitcher {
  readonly #limits: Pick<Situation, 'p2p_peers_max' | 'calmMs'>
  /** Rooms whose route is being changed. */
  readonly #switching = new Map<Room, Promise<void>>()
  /** Until when the SFU is not tried again for these rooms, ms. */
  readonly #retryAt = new WeakMap<Room, number>()
  readonly #timer: Timer

  constructor(
    private readonly parts: Pick<Parts, 'environment' | 'log'>,
    private readonly rooms: Rooms,
    private readonly metrics: VoiceMetrics,
    private readonly sfu: Sfu,
    private readonly turn: Turn,
    private readonly deafness: Deafness,
    private readonly elsewhere?: Elsewhere,
  ) {
    const { VOICE_P2P_PEERS_MAX, VOICE_CALM_SECONDS } = parts.environment
    this.#limits = { p2p_peers_max: VOICE_P2P_PEERS_MAX, calmMs: VOICE_CALM_SECONDS * 1000 }
    sfu.onWorker(() => this.#allowSfu())
    this.#timer = setInterval(() => {
      for (const room of rooms.all()) this.consider(room)
    }, CONSIDER_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  isSfuAvailable(): boolean {
    return ['ready', 'restarting'].includes(this.sfu.state())
  }

  /** Chooses a room's route. If it changes, the change has started when this returns. */
  consider(room: Room): void {
    if (room.seats.size === 0 || room.isHanded || this.#switching.has(room)) return
    const now = Date.now()
    const sfu = this.isSfuAvailable() && now >= (this.#retryAt.get(room) ?? 0)
    const choice = chooseRoute(room.choice, { ...membersOf(room), ...this.#limits, sfu }, now)
    if (choice.route === room.choice.route) {
      room.choice = choice
      if (choice.route === 'p2p' && !sfu) this.#dismissSilenced(room)
      return
    }
    this.#switch(room, choice.route === 'sfu' ? this.#toSfu(room, choice) : this.#toMesh(room, choice))
  }

  /** Reconsiders a room, and waits until the chosen route is active. */
  async switched(room: Room): Promise<void> {
    this.consider(room)
    while (this.#switching.has(room)) await this.#switching.get(room)
  }

  /** Opens the SFU for a room that comes from another node: its members change to the new router as to a new route. */
  reopen(room: Room): void {
    if (room.choice.route === 'sfu') this.#switch(room, this.#toSfu(room, room.choice))
  }

  /** Applies a member's changed permissions. */
  async follow(seat: Seat): Promise<void> {
    await this.hold(seat)
    await this.switched(seat.room)
  }

  /**
   * Makes the SFU pass only sources that this member may send, and sound only if it may hear. In force when this
   * returns; a listener's producers are closed at once.
   */
  async hold(seat: Seat): Promise<void> {
    const { routed } = seat.room
    if (!routed || routed.isClosed()) return
    const peer = routed.peer(seat.voice_session_id)
    peer.listen(seat.listens)
    await peer.hold(heldSources(seat)).catch((error: unknown) => {
      if (!routed.isClosed()) this.parts.log('error', 'voice.hold', errorFields(error))
    })
    await this.deafness.apply(seat)
  }

  #switch(room: Room, work: Promise<void>): void {
    const switching = work.finally(() => {
      this.#switching.delete(room)
      this.consider(room)
    })
    this.#switching.set(room, switching)
  }

  /** A mesh without an SFU can neither silence nor deafen a member. Nobody hears anybody in a stage then. */
  #dismissSilenced(room: Room): void {
    for (const seat of room.seats.values())
      if (room.is_stage || needsSfu(seat)) this.rooms.leave(seat, 'media_unavailable')
  }

  /** Opens the room on the SFU. @returns undefined if that fails, or the room has ended meanwhile */
  async #open(room: Room): Promise<RoutedRoom | undefined> {
    const { channel_id } = room
    try {
      const routed = await this.sfu.room(channel_id, (event) => this.#onRoomEvent(channel_id, event), this.elsewhere)
      this.#allowSfu()
      if (this.rooms.at(channel_id) === room) return routed
      if (!this.rooms.at(channel_id)) routed.close()
    } catch (error) {
      // The old name of the log event stays for those who filter by it.
      if (!(error instanceof MediaUnavailable)) this.parts.log('error', 'voice.stage', errorFields(error))
      this.#retryAt.set(room, Date.now() + RETRY_MS)
    }
  }

  /** Lets the relay reach the workers. */
  #allowSfu(): void {
    this.turn.allowSfu(this.sfu.endpoints().map(({ address, port }) => ({ ip: address, port })))
  }

  async #toSfu(room: Room, choice: Choice): Promise<void> {
    const routed = await this.#open(room)
    if (!routed) return
    await this.#setRouted(room, routed)
    this.#announce(room, choice)
  }

  async #toMesh(room: Room, choice: Choice): Promise<void> {
    this.#announce(room, choice)
    const { routed, epoch } = room
    setTimeout(() => {
      if (room.epoch !== epoch) return
      room.routed = undefined
      routed?.close()
    }, LINGER_MS).unref()
  }

  async #setRouted(room: Room, routed: RoutedRoom): Promise<void> {
    room.routed = routed
    await Promise.all([...room.seats.values()].map((seat) => this.hold(seat)))
  }

  /** Sets the route and announces it; signalling and reports of the previous route are ignored from now on. */
  #announce(room: Room, choice: Choice): void {
    room.choice = choice
    beginEpoch(room)
    const { route, reason = 'calm' } = choice
    const { channel_id, epoch, seats } = room
    this.metrics.rerouted.inc({ route, reason })
    this.parts.log('info', 'voice.route', { channel_id, route, reason, epoch, members: seats.size })
    for (const seat of seats.values())
      this.rooms.send(seat, 'voice.route', { route, epoch, reason, ...routerFieldsFor(seat) })
  }

  #onRoomEvent(channel_id: number, event: RoomEvent): void {
    const room = this.rooms.at(channel_id)
    if (!room) return
    if (event.type === 'reset') this.#switch(room, this.#reset(room))
    else sendRoomEvent(this.rooms, room, event)
  }

  /** Reopens the room on a new worker after the old one died; all members produce and consume anew. */
  async #reset(room: Room): Promise<void> {
    await this.#switching.get(room)
    room.routed = undefined
    if (room.choice.route !== 'sfu' || room.seats.size === 0) return
    const routed = await this.#open(room)
    if (!routed) return
    await this.#setRouted(room, routed)
    beginEpoch(room)
    const { channel_id, epoch, seats } = room
    this.metrics.resets.inc()
    this.parts.log('warn', 'voice.reset', { channel_id, epoch, members: seats.size })
    for (const seat of seats.values()) this.rooms.send(seat, 'voice.sfu.reset', { epoch, ...routerFieldsFor(seat) })
  }
}

function beginEpoch(room: Room): void {
  room.epoch++
  room.epochAt = Date.now()
  room.reports.clear()
}

/** The room as input of `chooseRoute`. */
const membersOf = (room: Room): Pick<Situation, 'members' | 'reports' | 'is_stage'> => ({
  is_stage: room.is_stage,
  // The route of a stage does not depend on its members, and there are many of them.
  members: [...(room.is_stage ? [] : room.seats.values())].map((seat) => ({
    id: seat.voice_session_id,
    presentSince: isReconnecting(seat) ? undefined : Math.max(seat.presentSince, room.epochAt),
    heardSince: seat.self_mute || isSilenced(seat) ? undefined : seat.heardSince,
    relay_only: seat.relay_only,
    silenced: isSilenced(seat),
    camera_stopped: seat.camera_stopped,
    server_deaf: seat.server_deaf,
    sharing_screen: seat.sharing_screen,
    camera: seat.camera,
  })),
  reports: [...room.reports.values()],
})
