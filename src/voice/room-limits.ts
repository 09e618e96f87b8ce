import { Problem } from '../core/errors.ts'
import { holds } from '../core/permissions.ts'
import type { Environment } from '../environment.ts'
import type { Admission, Room, Seat } from './seat.ts'

/** How many a room takes. */
export interface RoomLimits {
  /** Members of a call; in a stage, its speakers. */
  peersMax: number
  /** Listeners of a stage. */
  listenersMax: number
}

export const roomLimits = (environment: Environment): RoomLimits => ({
  peersMax: environment.VOICE_ROOM_PEERS_MAX,
  listenersMax: environment.STAGE_LISTENERS_MAX,
})

/**
 * Demands a free seat in a room. Members who may move others pass the channel's limit, and so do moved members. In a
 * stage, everybody enters as a listener, unless a new seat replaces that of a speaker.
 * @param before the account's seat, which the new one replaces
 * @throws Problem `voice_room_full`
 */
export function demandSpace(
  room: Room | undefined,
  { channel_id, is_stage, permissions, user_limit }: Admission,
  before: Seat | undefined,
  { peersMax, listenersMax }: RoomLimits,
  isMoved: boolean,
): void {
  const isThere = before?.room.channel_id === channel_id
  if (isThere && is_stage) return
  const others = [...(room?.seats.values() ?? [])].filter((seat) => seat !== before && seat.listens === is_stage)
  const isLimited = !is_stage && !isMoved && !isThere && !holds(permissions, 'move_members')
  const limit = isLimited ? (user_limit ?? Infinity) : Infinity
  if (others.length >= Math.min(limit, is_stage ? listenersMax : peersMax)) throw new Problem('voice_room_full')
}
