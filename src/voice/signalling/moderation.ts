import type { Handlers } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import { audit } from '../../features/audit/record.ts'
import { demandRank } from '../../features/members/membership.ts'
import { demand, lockedMembership, membership, visibleChannel } from '../../features/access/guard.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Parts } from '../../parts.ts'
import type { voiceCommands } from '../model.ts'
import type { Rooms } from '../rooms.ts'
import { type Admission, demandStaying, type Seat, type VoiceClient } from '../seat.ts'
import type { SeatMover } from './seat-mover.ts'

type Of<K extends keyof typeof voiceCommands> = Pick<Handlers<typeof voiceCommands, VoiceClient>, K>

/** Blocks that a moderator can set: columns of the member. */
type Restriction = 'voice_muted' | 'voice_deafened' | 'camera_stopped'

/** The permission that a moderator needs for each. */
const PERMISSION = {
  voice_muted: 'mute_members',
  voice_deafened: 'deafen_members',
  camera_stopped: 'mute_members',
} as const satisfies Record<Restriction, Permission>

/** A moderator's commands on members of lower rank: mute, deafen, stop the camera, move, disconnect. */
export function moderationCommands(
  { sql, write }: Parts,
  rooms: Rooms,
  admit: (user_id: number, channel_id: number) => Promise<Admission>,
  mover: SeatMover,
): Of<
  'voice.mute_member' | 'voice.deafen_member' | 'voice.stop_camera' | 'voice.move_member' | 'voice.disconnect_member'
> {
  /** The target's seat, in a channel of the server where the moderator may move members. */
  const movable = async (actor_id: number, server_id: number, user_id: number): Promise<Seat> => {
    const moderator = await membership(sql, server_id, actor_id)
    await demandRank(sql, moderator, user_id)
    const seat = rooms.ofUser(user_id)
    const { channel_id } = found(seat?.room.server_id === server_id ? seat : undefined).room
    demand((await visibleChannel(sql, channel_id, actor_id)).permissions, 'move_members')
    // The seat may have ended or moved meanwhile.
    const still = rooms.ofUser(user_id)
    const seated = found(still?.room.channel_id === channel_id ? still : undefined)
    demandStaying(seated)
    return seated
  }

  /** Sets what a member may not send, or hear, in a server's voice channels. */
  const hold = (
    { user_id: actor_id }: VoiceClient,
    server_id: number,
    user_id: number,
    restriction: Restriction,
    isHeld: boolean,
  ) =>
    write(async (tx, _emit, notify) => {
      await membership(tx, server_id, actor_id)
      const moderator = await lockedMembership(tx, server_id, actor_id, PERMISSION[restriction])
      found(await demandRank(tx, moderator, user_id))
      const changedRows = await tx`update members set ${tx(restriction)} = ${isHeld}
        where server_id = ${server_id} and user_id = ${user_id} and ${tx(restriction)} <> ${isHeld} returning 1`
      if (changedRows.length === 0) return
      const entry = { server_id, actor_id, action: `member.${restriction}` as const }
      await audit(tx, entry, ['member', user_id], { [restriction]: !isHeld }, { [restriction]: isHeld })
      notify({ kind: 'access_changed', user_ids: [user_id] })
    })

  return {
    'voice.mute_member': async (client, { server_id, user_id, mute }) => {
      await hold(client, server_id, user_id, 'voice_muted', mute)
      return {}
    },

    'voice.deafen_member': async (client, { server_id, user_id, deafen }) => {
      await hold(client, server_id, user_id, 'voice_deafened', deafen)
      return {}
    },

    'voice.stop_camera': async (client, { server_id, user_id, stop }) => {
      await hold(client, server_id, user_id, 'camera_stopped', stop)
      return {}
    },

    'voice.move_member': async ({ user_id: actor_id }, { server_id, user_id, channel_id }) => {
      const before = await movable(actor_id, server_id, user_id)
      const there = await visibleChannel(sql, channel_id, actor_id)
      found(there.server_id === server_id ? there : undefined)
      demand(there.permissions, 'connect')
      demand(there.permissions, 'move_members')
      const admission = await admit(user_id, channel_id)
      const seat = found(rooms.ofUser(user_id) === before ? before : undefined)
      demandStaying(seat)
      const was = { channel_id: seat.room.channel_id }
      await write((tx) => {
        const entry = { server_id, actor_id, action: 'member.voice_moved' as const }
        return audit(tx, entry, ['member', user_id], was, { channel_id })
      })
      await mover.move(seat, admission)
      return {}
    },

    'voice.disconnect_member': async ({ user_id: actor_id }, { server_id, user_id }) => {
      const seat = await movable(actor_id, server_id, user_id)
      rooms.leave(seat, 'disconnected')
      await write((tx) => {
        const entry = { server_id, actor_id, action: 'member.voice_disconnected' as const }
        return audit(tx, entry, ['member', user_id], { channel_id: seat.room.channel_id }, null)
      })
      return {}
    },
  }
}
