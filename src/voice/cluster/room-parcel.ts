import { z } from 'zod'
import { holds } from '../../core/permissions.ts'
import { Id } from '../../core/schema.ts'
import { GroupOrder, GroupState } from '../encryption/group-order.ts'
import { Route, RouteReason } from '../model.ts'
import { type Admission, mayFilm, newRoom, newSeat, type Room, type Seat, type VoiceClient } from '../seat.ts'
import { VoiceSessionId } from '../session-id.ts'

/**
 * A room on its way to another node, which continues it with the same voice sessions and the same MLS group. What an
 * account may do is not in it: the next owner reads that from the database, so that no change is lost on the way.
 */

/** Listeners and speakers of the largest stage. Beyond this, members join again instead. */
const SEATS_MAX = 10_500
const Ms = z.int().min(0)

const SeatParcel = z.object({
  voice_session_id: VoiceSessionId,
  user_id: Id,
  session_id: Id,
  joined_at: z.int(),
  rank: z.int().max(2 ** 52),
  self_mute: z.boolean(),
  self_deaf: z.boolean(),
  relay_only: z.boolean(),
  encrypts: z.boolean(),
  sharing_screen: z.boolean(),
  camera: z.boolean(),
  /** The part in a stage. */
  listens: z.boolean(),
  raised_at: z.int().nullable(),
  invited_at: z.int().nullable(),
  /** Time since the client last reported speech or input, ms; null: it never has. */
  active_ms: Ms.nullable(),
  /** The node of the socket, its number there, and how long it has been silent; null while there is no socket. */
  client: z.object({ node: z.string().max(64), id: z.int().min(1), base: z.url().max(2048), silent_ms: Ms }).nullable(),
  /** For how long there has been no socket, ms. */
  lost_ms: Ms,
})

export const RoomParcel = z.object({
  channel_id: Id,
  epoch: z.int().min(1),
  route: Route,
  reason: RouteReason.optional(),
  broken: z.array(z.tuple([VoiceSessionId, VoiceSessionId])).max(SEATS_MAX),
  group: GroupState.nullable(),
  seats: z.array(SeatParcel).min(1).max(SEATS_MAX),
})
export type RoomParcel = z.output<typeof RoomParcel>

/** @param ownId id of this node, whose clients have no node in their seats */
export function packed({ channel_id, epoch, choice, order, seats }: Room, ownId: string): RoomParcel {
  const now = Date.now()
  const ago = (at: number) => Math.max(0, Math.round(now - at))
  return {
    channel_id,
    epoch,
    route: choice.route,
    reason: choice.reason,
    broken: choice.broken,
    group: order?.state() ?? null,
    seats: [...seats.values()].map((seat) => {
      const { voice_session_id, session_id, joined_at, rank, self_mute, self_deaf, relay_only, client } = seat
      return {
        voice_session_id,
        user_id: seat.user.id,
        session_id,
        joined_at,
        rank,
        self_mute,
        self_deaf,
        relay_only,
        encrypts: seat.encrypts ?? false,
        sharing_screen: seat.sharing_screen,
        camera: seat.camera,
        listens: seat.listens,
        raised_at: seat.raised_at,
        invited_at: seat.invited_at,
        active_ms: seat.activeAt === 0 ? null : ago(seat.activeAt),
        client: client
          ? { node: client.node ?? ownId, id: client.id, base: client.base, silent_ms: ago(client.heardAt) }
          : null,
        lost_ms: client ? 0 : ago(seat.lostAt),
      }
    }),
  }
}

/**
 * The room as this node continues it, with those members that may still be in it.
 * @param admissions of its members, current
 * @param clientOf the client of a seat; undefined if its socket has closed
 */
export function unpacked(
  parcel: RoomParcel,
  admissions: ReadonlyMap<number, Admission>,
  clientOf: (seat: RoomParcel['seats'][number]) => VoiceClient | undefined,
): Room | undefined {
  const [first] = admissions.values()
  if (!first) return undefined
  const { epoch, route, reason, broken, group } = parcel
  const choice = { route, broken, ...(reason ? { reason } : {}) }
  const room: Room = { ...newRoom(first), epoch, choice, order: group ? new GroupOrder(group) : undefined }
  for (const each of parcel.seats) {
    const admitted = admissions.get(each.user_id)
    if (admitted) room.seats.set(each.voice_session_id, seatOf(room, each, admitted, clientOf(each)))
    else room.order?.leave(each.voice_session_id)
  }
  return room
}

function seatOf(room: Room, parcel: RoomParcel['seats'][number], admitted: Admission, client?: VoiceClient): Seat {
  const { voice_session_id, session_id, joined_at, rank, self_mute, self_deaf, encrypts, active_ms } = parcel
  const relay_only = parcel.relay_only || admitted.among_strangers
  const now = Date.now()
  // Above the rank of the former owner, so that all nodes go by this seat.
  const seat = newSeat(session_id, room, admitted, { self_mute, self_deaf, relay_only, encrypts }, rank + 1, client)
  return {
    ...seat,
    voice_session_id,
    joined_at,
    sharing_screen: parcel.sharing_screen && holds(admitted.permissions, 'share_screen'),
    camera: parcel.camera && mayFilm(admitted),
    listens: room.is_stage && parcel.listens,
    raised_at: parcel.raised_at,
    invited_at: parcel.invited_at,
    activeAt: active_ms === null ? 0 : now - active_ms,
    lostAt: client ? 0 : now - parcel.lost_ms,
  }
}
