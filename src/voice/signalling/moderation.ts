import type { Parts } from '../../parts.ts'
import type { Handlers } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import { audit } from '../../features/audit/record.ts'
import { lockedMembership, demandRank } from '../../features/members/membership.ts'
import { demand, membership, visibleChannel } from '../../features/servers/guard.ts'
import type { voiceCommands } from '../model.ts'
import type { Rooms } from '../rooms.ts'
import type { Admission, Entry, Seat, Speaker } from '../seat.ts'

type Of<K extends keyof typeof voiceCommands> = Pick<Handlers<typeof voiceCommands, Speaker>, K>

/**
 * What moderators do to members who stand below them: mute, move, put out.
 * @param onMoved called with a seat that someone else has chosen
 * @param place runs `here` where the channel's room lives on this node, else has the client join it where it does
 */
export function moderationCommands(
  { sql, write }: Parts,
  rooms: Rooms,
  admit: (user_id: number, channel_id: number) => Promise<Admission>,
  onMoved: (seat: Seat, client: Speaker) => void,
  place: (client: Speaker, wish: Entry & { channel_id: number }, here: () => Promise<void>) => Promise<void>,
): Of<'voice.mute_member' | 'voice.move_member' | 'voice.disconnect_member'> {
  /** The target's seat, in a channel of the server where the actor sees it and may move. */
  const movable = async (actor_id: number, server_id: number, user_id: number): Promise<Seat> => {
    const actor = await membership(sql, server_id, actor_id)
    await demandRank(sql, actor, user_id)
    const seat = rooms.ofUser(user_id)
    const { channel_id } = found(seat?.room.server_id === server_id ? seat : undefined).room
    demand((await visibleChannel(sql, channel_id, actor_id)).permissions, 'move_members')
    // Looked up anew: it may have gone meanwhile.
    const still = rooms.ofUser(user_id)
    return found(still?.room.channel_id === channel_id ? still : undefined)
  }

  return {
    'voice.mute_member': async ({ user_id: actor_id }, { server_id, user_id, mute }) =>
      write(async (tx, _emit, notify) => {
        await membership(tx, server_id, actor_id)
        const actor = await lockedMembership(tx, server_id, actor_id, 'mute_members')
        found(await demandRank(tx, actor, user_id))
        const changed = await tx`update members set voice_muted = ${mute}
          where server_id = ${server_id} and user_id = ${user_id} and voice_muted <> ${mute} returning 1`
        if (changed.length === 0) return {}
        const entry = { server_id, actor_id, action: 'member.voice_muted' as const }
        await audit(tx, entry, ['member', user_id], { voice_muted: !mute }, { voice_muted: mute })
        notify({ kind: 'access_changed', user_ids: [user_id] })
        return {}
      }),

    'voice.move_member': async ({ user_id: actor_id }, { server_id, user_id, channel_id }) => {
      const before = await movable(actor_id, server_id, user_id)
      const there = await visibleChannel(sql, channel_id, actor_id)
      found(there.server_id === server_id ? there : undefined)
      demand(there.permissions, 'connect')
      demand(there.permissions, 'move_members')
      const admission = await admit(user_id, channel_id)
      const seat = found(rooms.ofUser(user_id) === before ? before : undefined)
      const was = { channel_id: seat.room.channel_id }
      await write((tx) => {
        const entry = { server_id, actor_id, action: 'member.voice_moved' as const }
        return audit(tx, entry, ['member', user_id], was, { channel_id })
      })
      const { client } = seat
      if (rooms.ofUser(user_id) !== seat || was.channel_id === channel_id) return {}
      const { self_mute, self_deaf, relay_only } = seat
      const entry: Entry = { self_mute, self_deaf, relay_only }
      if (!client) rooms.leave(seat)
      else
        await place(client, { channel_id, ...entry }, async () => {
          if (rooms.ofUser(user_id) === seat) onMoved(rooms.enter(client, admission, entry), client)
        })
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
