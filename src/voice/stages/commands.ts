import type { Handlers } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { holds } from '../../core/permissions.ts'
import { demand, membership, visibleChannel } from '../../features/access/guard.ts'
import { demandRank } from '../../features/members/membership.ts'
import { demandModerator, MODERATOR_BITS } from '../../features/stages/change.ts'
import type { Parts } from '../../parts.ts'
import type { RoomLimits } from '../room-limits.ts'
import type { Rooms } from '../rooms.ts'
import type { RouteSwitcher } from '../routing/route-switcher.ts'
import { demandStaying, type Seat, type VoiceClient } from '../seat.ts'
import { demandHearable } from '../signalling/signalling.ts'
import { Hands } from './hands.ts'
import type { stageCommands } from './model.ts'

/** Changes of a seat that is, or becomes, a listener with nothing to wait for. */
const CALM = { raised_at: null, invited_at: null }

/**
 * The commands of a stage, whose members speak or listen. Everybody enters as a listener. A change is in force on the
 * SFU before it is answered: a member who goes up can produce at once, and the producers of one who goes down are
 * closed.
 */
export function stageHandlers(
  { sql }: Pick<Parts, 'sql'>,
  rooms: Rooms,
  switcher: RouteSwitcher,
  { peersMax }: Pick<RoomLimits, 'peersMax'>,
): Handlers<typeof stageCommands, VoiceClient> {
  const hands = new Hands()

  /** The seat of the caller's account in a stage, on whichever socket. @throws Problem `not_found` */
  const seatOf = ({ user_id }: VoiceClient): Seat => {
    const seat = rooms.ofUser(user_id)
    return found(seat?.room.is_stage ? seat : undefined)
  }

  /** @throws Problem `missing_permission`, `forbidden` for a member muted by a moderator, `voice_room_full` */
  const raise = async (seat: Seat): Promise<void> => {
    if (!seat.listens) return
    demandStaying(seat)
    demandHearable(seat)
    const speakers = [...seat.room.seats.values()].filter(({ listens }) => !listens)
    if (speakers.length >= peersMax) throw new Problem('voice_room_full')
    rooms.change(seat, { ...CALM, listens: false })
    await switcher.hold(seat)
  }

  const lower = async (seat: Seat): Promise<void> => {
    rooms.change(seat, { ...CALM, listens: true, camera: false, sharing_screen: false })
    await switcher.hold(seat)
  }

  const moderates = async ({ user, room }: Seat): Promise<boolean> => {
    const { permissions } = await visibleChannel(sql, room.channel_id, user.id)
    return MODERATOR_BITS.every((bit) => holds(permissions, bit))
  }

  /** The target's seat in a stage that the caller moderates. @throws Problem `not_found`, `missing_permission` */
  const moderated = async (actorId: number, server_id: number, userId: number): Promise<Seat> => {
    const seat = rooms.ofUser(userId)
    const { channel_id } = found(seat?.room.is_stage && seat.room.server_id === server_id ? seat : undefined).room
    demandModerator(await visibleChannel(sql, channel_id, actorId))
    // The seat may have ended or moved meanwhile.
    const still = rooms.ofUser(userId)
    const seated = found(still?.room.channel_id === channel_id ? still : undefined)
    demandStaying(seated)
    return seated
  }

  return {
    'voice.raise_hand': async (client, { raised }) => {
      const seat = seatOf(client)
      if (!seat.listens) throw new Problem('forbidden', 'You speak already')
      if (raised === (seat.raised_at !== null)) return {}
      if (raised) {
        demand(seat.permissions, 'speak')
        hands.take(seat, Date.now())
      }
      rooms.change(seat, { raised_at: raised ? nextTurn(seat) : null })
      return {}
    },

    'voice.go_up': async (client) => {
      const seat = seatOf(client)
      if (seat.listens && seat.invited_at === null && !(await moderates(seat)))
        throw new Problem('forbidden', 'A moderator of the stage lets you up')
      await raise(found(rooms.ofUser(client.user_id) === seat ? seat : undefined))
      return {}
    },

    'voice.step_down': async (client) => {
      await lower(seatOf(client))
      return {}
    },

    'voice.let_up': async ({ user_id: actorId }, { server_id, user_id }) => {
      const seat = await moderated(actorId, server_id, user_id)
      if (!seat.listens) return {}
      // A raised hand is a request; others are asked first, except programs, which wait for nobody.
      if (seat.raised_at !== null || user_id === actorId || seat.user.kind === 'bot') await raise(seat)
      else {
        demandHearable(seat)
        hands.invite(seat, Date.now())
        rooms.change(seat, { invited_at: Date.now() })
      }
      return {}
    },

    'voice.send_down': async ({ user_id: actorId }, { server_id, user_id }) => {
      await moderated(actorId, server_id, user_id)
      if (user_id !== actorId) await demandRank(sql, await membership(sql, server_id, actorId), user_id)
      await lower(await moderated(actorId, server_id, user_id))
      return {}
    },
  }
}

/** The time of a hand that goes up now, later than all others: it is the place in the queue. */
function nextTurn({ room }: Seat): number {
  let latest = 0
  for (const { raised_at } of room.seats.values()) latest = Math.max(latest, raised_at ?? 0)
  return Math.max(Date.now(), latest + 1)
}
