import type { Parts } from '../../parts.ts'
import { errorFields } from '../../core/log.ts'
import { holds } from '../../core/permissions.ts'
import type { Turn } from '../../turn/thread.ts'
import type { Media } from '../sfu/sfu.ts'
import type { VoiceMetrics } from '../metrics.ts'
import type { Rooms } from '../rooms.ts'
import { type Choice, chooseRoute, type Situation } from './choose-route.ts'
import { isReconnecting, isSilenced, type Room, type Seat, stagedFor } from '../seat.ts'
import type { Source } from '../sfu/codecs.ts'
import { MediaUnavailable } from '../sfu/process.ts'
import type { RoomEvent, Room as Stage } from '../sfu/room.ts'

/** How often the rooms of a mesh are looked at: time alone can speak for the SFU. */
const LOOK_MS = 250
/** How long the SFU's side of a room stays when the room has left it: its members build the mesh meanwhile. */
const LINGER_MS = 10_000
/** After a room could not be opened, it is not asked for again so soon. */
const RETRY_MS = 2_000

/** What must not come through from a member. */
const heldSources = (seat: Seat): Source[] => {
  const silenced: Source[] = isSilenced(seat) ? ['microphone', 'screen_audio'] : []
  return holds(seat.permissions, 'share_screen') ? silenced : [...silenced, 'camera', 'screen', 'screen_audio']
}

/** Takes every room the way that `chooseRoute` says, and sees to it that who must not be heard is not. */
export function openRouting(
  { environment, log }: Parts,
  rooms: Rooms,
  metrics: VoiceMetrics,
  media: Media,
  turn: Turn,
) {
  const { VOICE_P2P_PEERS_MAX: p2p_peers_max, VOICE_CALM_SECONDS } = environment
  const limits = { p2p_peers_max, calm_ms: VOICE_CALM_SECONDS * 1000 }
  const switching = new Map<Room, Promise<void>>()
  const refused = new WeakMap<Room, number>()

  const isAvailable = (): boolean => ['ready', 'restarting'].includes(media.state())

  /** Looks at a room; a change of its route is under way when this returns. */
  function consider(room: Room): void {
    if (room.seats.size === 0 || switching.has(room)) return
    const now = Date.now()
    const sfu = isAvailable() && now >= (refused.get(room) ?? 0)
    const situation = { ...membersOf(room), ...limits, sfu }
    const choice = chooseRoute(room.choice, situation, now)
    if (choice.route === room.choice.route) {
      room.choice = choice
      if (choice.route === 'p2p' && !situation.sfu) dismissSilenced(room)
      return
    }
    const work = (choice.route === 'sfu' ? raise(room, choice) : lower(room, choice)).finally(() => {
      switching.delete(room)
      consider(room)
    })
    switching.set(room, work)
  }

  /** Nobody can see to it that these are not heard. */
  function dismissSilenced(room: Room): void {
    for (const seat of room.seats.values()) if (isSilenced(seat)) rooms.leave(seat, 'media_unavailable')
  }

  /** The SFU's side of the room, if there is one to be had and the room still is. */
  async function stageOf(room: Room): Promise<Stage | undefined> {
    const { channel_id } = room
    try {
      const stage = await media.room(channel_id, (event) => hear(channel_id, event))
      turn.allowSfu(media.endpoints().map(({ address, port }) => ({ ip: address, port })))
      if (rooms.at(channel_id) === room) return stage
      if (!rooms.at(channel_id)) stage.close()
    } catch (error) {
      if (!(error instanceof MediaUnavailable)) log('error', 'voice.stage', errorFields(error))
      refused.set(room, Date.now() + RETRY_MS)
    }
  }

  async function raise(room: Room, choice: Choice): Promise<void> {
    const stage = await stageOf(room)
    if (!stage) return
    await setStage(room, stage)
    turnTo(room, choice)
  }

  async function setStage(room: Room, stage: Stage): Promise<void> {
    room.stage = stage
    await Promise.all([...room.seats.values()].map(hold))
  }

  async function lower(room: Room, choice: Choice): Promise<void> {
    turnTo(room, choice)
    const { stage, epoch } = room
    setTimeout(() => {
      if (room.epoch !== epoch) return
      room.stage = undefined
      stage?.close()
    }, LINGER_MS).unref()
  }

  /** From now on the room goes this way: everyone is told, and what belongs to the way before counts no more. */
  function turnTo(room: Room, choice: Choice): void {
    room.choice = choice
    renew(room)
    const { route, reason = 'calm' } = choice
    const { channel_id, epoch, seats } = room
    metrics.rerouted.inc({ route, reason })
    log('info', 'voice.route', { channel_id, route, reason, epoch, members: seats.size })
    for (const seat of seats.values()) rooms.tell(seat, 'voice.route', { route, epoch, reason, ...stagedFor(seat) })
  }

  function renew(room: Room): void {
    room.epoch++
    room.epoch_at = Date.now()
    room.reports.clear()
  }

  /** Makes the SFU let through what this member may send, and nothing else. */
  async function hold(seat: Seat): Promise<void> {
    const { stage } = seat.room
    if (!stage || stage.closed()) return
    await stage
      .peer(seat.voice_session_id)
      .hold(heldSources(seat))
      // It has ended meanwhile, and everything with it.
      .catch((error: unknown) => void (stage.closed() || log('error', 'voice.hold', errorFields(error))))
  }

  /** The worker died: a new one, and everyone begins anew there. */
  async function reset(room: Room): Promise<void> {
    await switching.get(room)
    room.stage = undefined
    if (room.choice.route !== 'sfu' || room.seats.size === 0) return
    const stage = await stageOf(room)
    if (!stage) return
    await setStage(room, stage)
    renew(room)
    const { channel_id, epoch, seats } = room
    metrics.resets.inc()
    log('warn', 'voice.reset', { channel_id, epoch, members: seats.size })
    for (const seat of seats.values()) rooms.tell(seat, 'voice.sfu.reset', { epoch, ...stagedFor(seat) })
  }

  /** Hands on what happens in the SFU's side of a room. */
  function hear(channel_id: number, event: RoomEvent): void {
    const room = rooms.at(channel_id)
    if (!room) return
    if (event.type === 'reset') {
      const work = reset(room).finally(() => {
        switching.delete(room)
        consider(room)
      })
      switching.set(room, work)
    } else pass(rooms, room, event)
  }

  /** Waits until the room is where it should be. */
  async function settled(room: Room): Promise<void> {
    consider(room)
    while (switching.has(room)) await switching.get(room)
  }

  const timer = setInterval(() => {
    for (const room of rooms.all()) consider(room)
  }, LOOK_MS)

  return {
    isAvailable,
    /** What a member may do has changed, or who is there. */
    async follow(seat: Seat): Promise<void> {
      await hold(seat)
      await settled(seat.room)
    },
    consider,
    settled,
    stop: () => clearInterval(timer),
  }
}

export type Routing = ReturnType<typeof openRouting>

/** A room as the choice of its route sees it. */
const membersOf = (room: Room): Pick<Situation, 'members' | 'reports'> => ({
  members: [...room.seats.values()].map((seat) => ({
    id: seat.voice_session_id,
    present_since: isReconnecting(seat) ? undefined : Math.max(seat.present_since, room.epoch_at),
    heard_since: seat.self_mute || isSilenced(seat) ? undefined : seat.heard_since,
    relay_only: seat.relay_only,
    silenced: isSilenced(seat),
    sharing_screen: seat.sharing_screen,
  })),
  reports: [...room.reports.values()],
})

/** Tells the members concerned of what happens in the SFU. */
function pass(rooms: Rooms, room: Room, event: Exclude<RoomEvent, { type: 'reset' }>): void {
  if (event.type === 'active_speaker') {
    const { voice_session_id } = event
    for (const seat of room.seats.values()) rooms.tell(seat, 'voice.active_speaker', { voice_session_id })
  } else if ('producer' in event) {
    const { type, producer } = event
    const owner = room.seats.get(producer.voice_session_id)
    // In a mesh its member says so.
    if (!owner || room.choice.route !== 'sfu') return
    const begins = type === 'producer_new'
    if (producer.source === 'screen' && (begins || type === 'producer_closed'))
      rooms.change(owner, { sharing_screen: begins })
    rooms.tellOthers(owner, `voice.sfu.${type}`, producer)
  } else {
    const seat = room.seats.get(event.to)
    const { type, to: _, ...told } = event
    if (seat) rooms.tell(seat, `voice.sfu.${type}`, told as never)
  }
}
