import { randomBytes } from 'node:crypto'
import { Problem } from '../core/errors.ts'
import { holds } from '../core/permissions.ts'
import type { PublicUser } from '../core/schema.ts'
import type { CallsEncryption } from '../features/access/model.ts'
import type { GroupOrder } from './encryption/group-order.ts'
import type { Joined, StageState, VoicePeer, VoiceState } from './model.ts'
import type { Choice, Report } from './routing/choose-route.ts'
import type { RoutedRoom } from './sfu/room.ts'
import { WaitingSignals } from './signalling/waiting-signals.ts'

/** A client of voice: a socket of this node, or of another one. */
export interface VoiceClient {
  readonly id: number
  readonly user_id: number
  readonly session_id: number
  /** The origin that the client used to reach its node. */
  readonly base: string
  /** When the client was last heard, ms. */
  heardAt: number
  /** The node of the socket; undefined for this one. */
  readonly node?: string
}

/** An account's permissions in a voice channel, dm or group, and the channel itself. */
export interface Admission {
  user: PublicUser
  /** Null in a dm or group. */
  server_id: number | null
  channel_id: number
  restricted: boolean
  /** True for a stage, where everybody begins as a listener. */
  is_stage: boolean
  permissions: number
  server_mute: boolean
  server_deaf: boolean
  /** True if a moderator stopped the camera. */
  camera_stopped: boolean
  /** How many people the channel takes; null: no limit. */
  user_limit: number | null
  /** The channel for idle members of the server; null: none. */
  afk_channel_id: number | null
  /** Minutes without a report of activity after which a member is idle. */
  afk_minutes: number
  calls_encryption: CallsEncryption
  /** Participants of a dm or group; empty in a server. */
  participant_ids: number[]
  /** True if another participant of the dm or group is not a friend, and so must not learn addresses. */
  among_strangers: boolean
}

/** Options that a client sets when it joins. */
export interface JoinOptions {
  self_mute: boolean
  self_deaf: boolean
  relay_only: boolean
  /** The client can encrypt media end to end. */
  encrypts?: boolean | undefined
  /** In a dm or group, a member who cannot encrypt accepts that the call is not encrypted. */
  accepts_open?: boolean | undefined
}

export interface JoinRequest extends JoinOptions {
  channel_id: number
}

/** A channel with at least one member in its call. */
export interface Room {
  readonly server_id: number | null
  readonly channel_id: number
  readonly is_stage: boolean
  restricted: boolean
  participant_ids: number[]
  /** The channel for idle members of the server; null: none. */
  afk_channel_id: number | null
  afk_minutes: number
  /** The server's setting; `preferred` in a dm or group. */
  calls_encryption: CallsEncryption
  epoch: number
  /** When this epoch began, ms. */
  epochAt: number
  choice: Choice
  /** The room on the SFU, while media go there and shortly after. */
  routed: RoutedRoom | undefined
  /** The order of the MLS group; undefined unless the call is encrypted. */
  order: GroupOrder | undefined
  readonly seats: Map<string, Seat>
  /** The room is on its way to another node, which has the same seats: they must not change here. */
  isHanded: boolean
  /** Each member's last report about each other member, by `from to`. */
  readonly reports: Map<string, Report>
}

/** A room without members, which begins as a mesh. */
export const newRoom = ({ server_id, channel_id, is_stage, ...shared }: Admission): Room => ({
  server_id,
  channel_id,
  is_stage,
  restricted: shared.restricted,
  participant_ids: shared.participant_ids,
  afk_channel_id: shared.afk_channel_id,
  afk_minutes: shared.afk_minutes,
  calls_encryption: shared.calls_encryption,
  epoch: 1,
  epochAt: Date.now(),
  choice: { route: 'p2p', broken: [] },
  routed: undefined,
  order: undefined,
  seats: new Map(),
  isHanded: false,
  reports: new Map(),
})

/** One account in a room. */
export interface Seat extends JoinOptions {
  readonly voice_session_id: string
  readonly room: Room
  /** The session that took or resumed the seat. The seat ends with it. */
  session_id: number
  readonly joined_at: number
  /** If an account has seats on several nodes, the one with the greatest rank counts. */
  readonly rank: number
  user: PublicUser
  permissions: number
  server_mute: boolean
  server_deaf: boolean
  camera_stopped: boolean
  sharing_screen: boolean
  camera: boolean
  /** True for a listener of a stage, who sends nothing. */
  listens: boolean
  /** When a listener raised its hand, ms; null: it has not. */
  raised_at: number | null
  /** When a moderator last invited a listener to speak who has not answered yet, ms; null: nobody did. */
  invited_at: number | null
  /** Undefined while the member has no socket. */
  client: VoiceClient | undefined
  /** The socket is open, but nothing arrives from it. */
  silent: boolean
  /** Since when the member has been continuously present, ms. */
  presentSince: number
  /** Since when the member has been unmuted, ms. */
  heardSince: number
  /** When the client last reported speech or input, ms; 0: never. */
  activeAt: number
  /** When the socket died, ms. */
  lostAt: number
  /**
   * For a member with a silent socket: when its media last reached the SFU, ms, and how many bytes had arrived by
   * then.
   */
  mediaAt: number
  mediaBytes: number
  readonly waiting: WaitingSignals
}

/** Copies to a room what is the same for all its members. */
export function updateRoom(room: Room, admission: Admission): void {
  const { restricted, participant_ids, afk_channel_id, afk_minutes, calls_encryption } = admission
  Object.assign(room, { restricted, participant_ids, afk_channel_id, afk_minutes, calls_encryption })
}

/**
 * A seat for an account.
 * @param before the account's seat that it replaces: in the same stage, a speaker stays one on another device
 */
export function newSeat(
  session_id: number,
  room: Room,
  { user, permissions, server_mute, server_deaf, camera_stopped }: Admission,
  options: JoinOptions,
  rank: number,
  client: VoiceClient | undefined,
  before?: Seat,
): Seat {
  const now = Date.now()
  const same = before?.room.channel_id === room.channel_id ? before : undefined
  return {
    ...options,
    listens: room.is_stage && (same?.listens ?? true),
    raised_at: same?.raised_at ?? null,
    invited_at: same?.invited_at ?? null,
    voice_session_id: randomBytes(16).toString('hex'),
    room,
    session_id,
    joined_at: now,
    rank,
    user,
    permissions,
    server_mute,
    server_deaf,
    camera_stopped,
    sharing_screen: false,
    camera: false,
    client,
    silent: false,
    presentSince: now,
    heardSince: now,
    activeAt: 0,
    lostAt: 0,
    mediaAt: 0,
    mediaBytes: 0,
    waiting: new WaitingSignals(),
  }
}

/**
 * Call after a command has waited, before it changes a seat.
 * @throws Problem `unavailable` while another node takes the room over, because the change would be lost
 */
export function demandStaying({ room }: Seat): void {
  if (room.isHanded) throw new Problem('unavailable')
}

/** True if the account may turn its camera on. */
export const mayFilm = ({ camera_stopped, permissions }: Pick<Seat, 'camera_stopped' | 'permissions'>): boolean =>
  !camera_stopped && holds(permissions, 'share_screen')

/** True if nobody may hear this member. */
export const isSilenced = ({
  server_mute,
  permissions,
  listens = false,
}: Pick<Seat, 'server_mute' | 'permissions'> & { listens?: boolean }): boolean =>
  server_mute || listens || !holds(permissions, 'speak')

/** True if the member must not be heard or must not hear: a mesh cannot enforce that. */
export const needsSfu = (seat: Pick<Seat, 'server_mute' | 'server_deaf' | 'permissions'> & { listens?: boolean }) =>
  isSilenced(seat) || seat.server_deaf

export const isReconnecting = ({ client, silent }: Seat): boolean => client === undefined || silent

export const stateOf = (seat: Seat): VoiceState => ({
  user: seat.user,
  server_id: seat.room.server_id,
  channel_id: seat.room.channel_id,
  self_mute: seat.self_mute,
  self_deaf: seat.self_deaf,
  server_mute: seat.server_mute,
  server_deaf: seat.server_deaf,
  sharing_screen: seat.sharing_screen,
  camera: seat.camera,
  camera_stopped: seat.camera_stopped,
  reconnecting: isReconnecting(seat),
  joined_at: new Date(seat.joined_at).toISOString(),
  ...(seat.room.is_stage && { stage: stageStateOf(seat) }),
})

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** A seat's part in a stage. */
export const stageStateOf = ({ listens, raised_at, invited_at }: Seat): StageState => ({
  speaks: !listens,
  raised_at: timeOf(raised_at),
  invited_at: timeOf(invited_at),
})

export const peerOf = (seat: Seat): VoicePeer => ({
  voice_session_id: seat.voice_session_id,
  user: seat.user,
  self_mute: seat.self_mute,
  self_deaf: seat.self_deaf,
  silenced: isSilenced(seat),
  server_deaf: seat.server_deaf,
  sharing_screen: seat.sharing_screen,
  camera: seat.camera,
  camera_stopped: seat.camera_stopped,
  reconnecting: isReconnecting(seat),
  ...(seat.room.is_stage && { stage: stageStateOf(seat) }),
})

/** The other members that this one may hear: in a stage, its speakers. */
export const peersOf = (seat: Seat): VoicePeer[] =>
  [...seat.room.seats.values()].filter((other) => other !== seat && !other.listens).map(peerOf)

/** Fields of answers and events that describe the room's router to a member. */
export function routerFieldsFor({
  voice_session_id,
  room,
}: Seat): Pick<Joined, 'router_rtp_capabilities' | 'producers'> {
  const routed = room.choice.route === 'sfu' && !room.routed?.isClosed() ? room.routed : undefined
  const producers = routed?.producers().filter((producer) => producer.voice_session_id !== voice_session_id) ?? []
  return { router_rtp_capabilities: routed ? { ...routed.rtp_capabilities } : null, producers }
}
