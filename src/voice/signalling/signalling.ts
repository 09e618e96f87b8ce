import type { Handlers } from '../../core/events.ts'
import { Problem } from '../../core/errors.ts'
import { demand } from '../../features/servers/guard.ts'
import { CANDIDATE_BYTES_MAX, type Joined, SDP_BYTES_MAX, type voiceCommands } from '../model.ts'
import { relayedCandidate, relayedSdp, sendsPictures } from './privacy.ts'
import type { VoiceMetrics } from '../metrics.ts'
import type { Rooms } from '../rooms.ts'
import type { Routing } from '../routing/route-switcher.ts'
import {
  type Admission,
  type Entry,
  isSilenced,
  peersOf,
  type Room,
  type Seat,
  type Speaker,
  stagedFor,
} from '../seat.ts'

type All = Handlers<typeof voiceCommands, Speaker>
type Of<K extends keyof All> = Pick<All, K>

/** What one who has a seat has to know. */
export function joined(seat: Seat, ice_servers: Joined['ice_servers'], limits: Joined['limits']): Joined {
  const { voice_session_id, room, relay_only } = seat
  return {
    voice_session_id,
    channel_id: room.channel_id,
    epoch: room.epoch,
    silenced: isSilenced(seat),
    route: room.choice.route,
    relay_only,
    peers: peersOf(seat),
    ...stagedFor(seat),
    ice_servers,
    limits,
  }
}

/**
 * Joining, leaving and what one says of oneself.
 * @param admit looks up what the account may do, as it still is when it answers
 */
export function presenceCommands(
  rooms: Rooms,
  routing: Routing,
  admit: (user_id: number, channel_id: number) => Promise<Admission>,
  iceServers: (client: Speaker) => Joined['ice_servers'],
  limits: Joined['limits'],
  always_relay: boolean,
): Of<'voice.join' | 'voice.leave' | 'voice.resume' | 'voice.update' | 'voice.ice_servers'> {
  const welcome = (seat: Seat, client: Speaker) => joined(seat, iceServers(client), limits)
  return {
    'voice.join': async (client, { channel_id, ...wish }) => {
      const admission = await admit(client.user_id, channel_id)
      if (!rooms.isOpen(client)) throw new Problem('not_found')
      const entry: Entry = { ...wish, relay_only: wish.relay_only || always_relay }
      const seat = rooms.enter(client, admission, entry)
      // Whoever must not be heard, or seen, is not told of a mesh.
      await routing.settled(seat.room)
      if (rooms.own(client) !== seat) throw new Problem('not_found')
      return welcome(seat, client)
    },

    'voice.leave': async (client) => {
      rooms.leave(rooms.own(client))
      return {}
    },

    'voice.resume': async (client, { voice_session_id }) => {
      const seat = rooms.resume(client, voice_session_id)
      // Behind the answer, which names the peers that it comes from.
      setImmediate(() => rooms.flush(seat))
      return welcome(seat, client)
    },

    'voice.update': async (client, changes) => {
      const seat = rooms.own(client)
      if (changes.sharing_screen) demand(seat.permissions, 'share_screen')
      rooms.change(seat, changes)
      return {}
    },

    'voice.ice_servers': async (client) => {
      rooms.own(client)
      return { ice_servers: iceServers(client) }
    },
  }
}

/** Whether what was said under this epoch still counts. */
const isStale = (room: Room, epoch: number): boolean => epoch !== room.epoch

/** What the members of a mesh say to each other. */
export function meshCommands(
  rooms: Rooms,
  metrics: VoiceMetrics,
): Of<'voice.description' | 'voice.candidate' | 'voice.report'> {
  return {
    'voice.description': async (client, { to, epoch, description }) => {
      const seat = rooms.own(client)
      const peer = rooms.peer(seat, to)
      if (sendsPictures(description.sdp)) demand(seat.permissions, 'share_screen')
      if (isStale(seat.room, epoch)) return {}
      const shown = seat.relay_only ? { ...description, sdp: relayedSdp(description.sdp) } : description
      rooms.relay(peer, 'voice.description', { from: seat.voice_session_id, epoch, description: shown })
      return {}
    },

    'voice.candidate': async (client, { to, epoch, candidate }) => {
      const seat = rooms.own(client)
      const peer = rooms.peer(seat, to)
      if (isStale(seat.room, epoch)) return {}
      const line = candidate && seat.relay_only ? relayedCandidate(candidate.candidate) : candidate?.candidate
      const shown = candidate && { ...candidate, candidate: line ?? '' }
      if (candidate && line === undefined) return {}
      rooms.relay(peer, 'voice.candidate', { from: seat.voice_session_id, epoch, candidate: shown })
      return {}
    },

    'voice.report': async (client, { to, epoch, state, audio_packets, pair_type, rtt_ms, first_audio_ms }) => {
      const seat = rooms.own(client)
      const { voice_session_id: from, room } = seat
      rooms.peer(seat, to)
      if (isStale(room, epoch)) return {}
      const { route } = room.choice
      if (first_audio_ms !== undefined) metrics.first_audio.observe({ route }, first_audio_ms / 1000)
      // The SFU is judged by the server itself.
      if (route === 'sfu') return {}
      const now = Date.now()
      const before = room.reports.get(`${from} ${to}`)
      if (state === 'connected' && before?.connected_at === undefined) metrics.connected.inc({ pair_type })
      if (state === 'connected' && rtt_ms !== null) metrics.rtt.observe({ pair_type }, rtt_ms / 1000)
      const connected_at = before?.connected_at ?? (state === 'connected' ? now : undefined)
      const isDown = connected_at !== undefined && state !== 'connected'
      room.reports.set(`${from} ${to}`, {
        from,
        to,
        state,
        packets: audio_packets,
        connected_at,
        down_since: isDown ? (before?.down_since ?? now) : undefined,
        grew_at: before && audio_packets <= before.packets ? before.grew_at : now,
        reported_at: now,
      })
      return {}
    },
  }
}

/** The limits as clients are told of them. */
export const limitsOf = (p2p_peers_max: number, room_peers_max: number): Joined['limits'] => ({
  p2p_peers_max,
  room_peers_max,
  sdp_bytes_max: SDP_BYTES_MAX,
  candidate_bytes_max: CANDIDATE_BYTES_MAX,
})
