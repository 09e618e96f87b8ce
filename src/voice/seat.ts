import { holds } from '../core/permissions.ts'
import type { PublicUser } from '../core/schema.ts'
import type { SocketData } from '../gateway/socket.ts'
import type { Joined, VoicePeer, VoiceState } from './model.ts'
import type { Choice, Report } from './routing/choose-route.ts'
import type { Room as Stage } from './sfu/room.ts'

/** A socket as calls know it: one of this node's or, with `front`, what stands in for one of that node's. */
export type Speaker = Readonly<Pick<SocketData, 'id' | 'user_id' | 'session_id' | 'base'>> & {
  /** When it was last heard, ms. */
  heard_at: number
  readonly front?: string
}

/** What an account may do in a voice channel, and what that channel is. */
export interface Admission {
  user: PublicUser
  server_id: number
  channel_id: number
  restricted: boolean
  permissions: number
  server_mute: boolean
}

/** What a client says of itself when it joins. */
export interface Entry {
  self_mute: boolean
  self_deaf: boolean
  relay_only: boolean
}

/** One voice channel with someone in it. */
export interface Room {
  readonly server_id: number
  readonly channel_id: number
  restricted: boolean
  epoch: number
  /** When this epoch began, ms. */
  epoch_at: number
  choice: Choice
  /** The SFU's side of it, while its media go there, and a little longer. */
  stage: Stage | undefined
  readonly seats: Map<string, Seat>
  /** What its members said last of each other, by `from to`. */
  readonly reports: Map<string, Report>
}

/** One account's place in a room. */
export interface Seat extends Entry {
  readonly voice_session_id: string
  readonly room: Room
  /** The session by which it was taken: with that it ends. */
  session_id: number
  readonly joined_at: number
  /** Of an account's seats the one with the greatest counts. */
  readonly rank: number
  user: PublicUser
  permissions: number
  server_mute: boolean
  sharing_screen: boolean
  /** Its socket, while that lives. */
  client: Speaker | undefined
  /** The socket is there and says nothing. */
  silent: boolean
  /** Since when it has been there without interruption, and without one heard, ms. */
  present_since: number
  heard_since: number
  /** When its socket died, ms. */
  lost_at: number
  /** Signalling that waits for it to come back. */
  waiting: string[]
  waiting_bytes: number
}

/** Whether nobody must hear this member. */
export const isSilenced = ({ server_mute, permissions }: Pick<Seat, 'server_mute' | 'permissions'>): boolean =>
  server_mute || !holds(permissions, 'speak')

export const isReconnecting = ({ client, silent }: Seat): boolean => client === undefined || silent

export const stateOf = (seat: Seat): VoiceState => ({
  user: seat.user,
  server_id: seat.room.server_id,
  channel_id: seat.room.channel_id,
  self_mute: seat.self_mute,
  self_deaf: seat.self_deaf,
  server_mute: seat.server_mute,
  sharing_screen: seat.sharing_screen,
  reconnecting: isReconnecting(seat),
  joined_at: new Date(seat.joined_at).toISOString(),
})

export const peerOf = (seat: Seat): VoicePeer => ({
  voice_session_id: seat.voice_session_id,
  user: seat.user,
  self_mute: seat.self_mute,
  self_deaf: seat.self_deaf,
  silenced: isSilenced(seat),
  sharing_screen: seat.sharing_screen,
  reconnecting: isReconnecting(seat),
})

export const peersOf = (seat: Seat): VoicePeer[] =>
  [...seat.room.seats.values()].filter((other) => other !== seat).map(peerOf)

/** What a member needs to know of the SFU. */
export function stagedFor({ voice_session_id, room }: Seat): Pick<Joined, 'router_rtp_capabilities' | 'producers'> {
  const stage = room.choice.route === 'sfu' && !room.stage?.closed() ? room.stage : undefined
  const producers = stage?.producers().filter((producer) => producer.voice_session_id !== voice_session_id) ?? []
  return { router_rtp_capabilities: stage ? { ...stage.rtp_capabilities } : null, producers }
}
