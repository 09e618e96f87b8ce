import type { Handlers } from '../../core/events.ts'
import { Problem } from '../../core/errors.ts'
import { demand } from '../../features/access/guard.ts'
import type { Joined, voiceCommands } from '../model.ts'
import type { VoiceMetrics } from '../metrics.ts'
import type { DirectCalls } from '../direct-calls.ts'
import type { Rooms } from '../rooms.ts'
import type { RouteSwitcher } from '../routing/route-switcher.ts'
import type { Admission, JoinRequest, Room, Seat, VoiceClient } from '../seat.ts'
import { chargeSpeaker, demandSpeaker } from '../stages/speaker.ts'
import type { Welcome } from './welcome.ts'
import { relayedCandidate, relayedSdp, sendsPictures } from './privacy.ts'

type All = Handlers<typeof voiceCommands, VoiceClient>
type Of<K extends keyof All> = Pick<All, K>

export interface PresenceCommands extends Of<
  'voice.leave' | 'voice.resume' | 'voice.update' | 'voice.active' | 'voice.ice_servers'
> {
  /**
   * @param unwantedSignal aborted when nobody waits for the seat any more, even after the answer: the seat ends
   * @param isMoved a moderator moves the client here, past the channel's limit
   */
  'voice.join'(client: VoiceClient, d: JoinRequest, unwantedSignal?: AbortSignal, isMoved?: boolean): Promise<Joined>
}

const CAMERA_STOPPED = 'A moderator has stopped your camera'

/**
 * Commands to join, leave and change one's own state.
 * @param admit reads the account's permissions, current at the time of return
 * @param isRelayOnly gives every seat `relay_only`
 */
export function presenceCommands(
  rooms: Rooms,
  switcher: RouteSwitcher,
  admit: (userId: number, channel_id: number) => Promise<Admission>,
  welcome: Welcome,
  calls: DirectCalls,
  isRelayOnly: boolean,
): PresenceCommands {
  /** Number of times that each client has left: an earlier request for a seat is then void. */
  const leaves = new WeakMap<VoiceClient, number>()
  return {
    'voice.join': async (client, { channel_id, ...options }, unwantedSignal, isMoved) => {
      const leavesBefore = leaves.get(client)
      const take = (admission: Admission) => {
        const isUnwanted = unwantedSignal?.aborted || leaves.get(client) !== leavesBefore
        if (!rooms.isOpen(client) || isUnwanted) throw new Problem('not_found')
        const relay_only = options.relay_only || isRelayOnly || admission.among_strangers
        welcome.encryption.demand(admission, options)
        const before = rooms.ofUser(client.user_id)
        // In the same stage, a speaker stays one, and everybody learns of the new seat.
        if (before?.room.channel_id === channel_id) chargeSpeaker(before, Date.now())
        return rooms.enter(client, admission, { ...options, relay_only }, isMoved)
      }
      const admission = await admit(client.user_id, channel_id)
      const isDirect = admission.server_id === null
      // A call that is refused does not ring.
      welcome.encryption.demand(admission, options)
      const seat = isDirect
        ? await calls.enter(channel_id, client.user_id, async () => take(await admit(client.user_id, channel_id)))
        : take(admission)
      unwantedSignal?.addEventListener('abort', () => rooms.leave(seat))
      // A member who must not be heard, or must not reveal addresses, never sees route `p2p`.
      await switcher.switched(seat.room)
      // Without the answer nobody can resume the seat.
      if (!rooms.isOpen(client)) rooms.leave(seat)
      if (rooms.demandSeat(client) !== seat) throw new Problem('not_found')
      return welcome.joinAnswer(seat, client)
    },

    'voice.leave': async (client) => {
      leaves.set(client, (leaves.get(client) ?? 0) + 1)
      rooms.leave(rooms.demandSeat(client))
      return {}
    },

    'voice.resume': async (client, { voice_session_id }) => {
      const seat = rooms.resume(client, voice_session_id)
      // After the answer, because it names the peers that the signalling comes from.
      setImmediate(() => rooms.flush(seat))
      return welcome.joinAnswer(seat, client)
    },

    'voice.update': async (client, changes) => {
      const seat = rooms.demandSeat(client)
      if (changes.sharing_screen || changes.camera) {
        demandSpeaker(seat)
        demand(seat.permissions, 'share_screen')
      }
      if (changes.camera && seat.camera_stopped) throw new Problem('forbidden', CAMERA_STOPPED)
      chargeSpeaker(seat, Date.now())
      rooms.change(seat, changes)
      return {}
    },

    'voice.active': async (client) => {
      rooms.demandSeat(client).activeAt = Date.now()
      return {}
    },

    'voice.ice_servers': async (client) => {
      rooms.demandSeat(client)
      return { ice_servers: welcome.iceServers(client) }
    },
  }
}

/** True if signalling or a report belongs to an earlier epoch. */
const isStale = (room: Room, epoch: number): boolean => epoch !== room.epoch

/**
 * Refuses a member who must not be heard: its media would bypass the SFU, and only the SFU can silence it.
 * @throws Problem `missing_permission`, `forbidden` for a member muted by a moderator and for a listener of a stage
 */
export function demandVoice(seat: Seat): void {
  demandSpeaker(seat)
  demandHearable(seat)
}

/** The same, whether the member speaks or listens in a stage. */
export function demandHearable({ permissions, server_mute }: Seat): void {
  demand(permissions, 'speak')
  if (server_mute) throw new Problem('forbidden', 'A moderator has muted you')
}

/** Speakers and listeners of a stage do not learn each other's addresses. @throws Problem `forbidden` */
function demandMesh({ room }: Seat): void {
  if (room.is_stage) throw new Problem('forbidden', 'The media of a stage go through the server')
}

/** Signalling and reports of a mesh's members. */
export function meshCommands(
  rooms: Rooms,
  metrics: VoiceMetrics,
): Of<'voice.description' | 'voice.candidate' | 'voice.report'> {
  return {
    'voice.description': async (client, { to, epoch, description }) => {
      const seat = rooms.demandSeat(client)
      const peer = rooms.peer(seat, to)
      demandMesh(seat)
      if (sendsPictures(description.sdp)) demand(seat.permissions, 'share_screen')
      if (isStale(seat.room, epoch)) return {}
      const sentDescription = seat.relay_only ? { ...description, sdp: relayedSdp(description.sdp) } : description
      demandVoice(seat)
      // Without a description of its own, it gets no media from others.
      if (seat.server_deaf) throw new Problem('forbidden', 'A moderator has deafened you')
      rooms.signal(seat, peer, 'voice.description', {
        from: seat.voice_session_id,
        epoch,
        description: sentDescription,
      })
      return {}
    },

    'voice.candidate': async (client, { to, epoch, candidate }) => {
      const seat = rooms.demandSeat(client)
      const peer = rooms.peer(seat, to)
      demandMesh(seat)
      if (isStale(seat.room, epoch)) return {}
      const text = candidate && seat.relay_only ? relayedCandidate(candidate.candidate) : candidate?.candidate
      if (candidate && text === undefined) return {}
      const sentCandidate = candidate && { ...candidate, candidate: text ?? '' }
      rooms.signal(seat, peer, 'voice.candidate', { from: seat.voice_session_id, epoch, candidate: sentCandidate })
      return {}
    },

    'voice.report': async (client, { to, epoch, state, audio_packets, pair_type, rtt_ms, first_audio_ms }) => {
      const seat = rooms.demandSeat(client)
      const { voice_session_id: from, room } = seat
      rooms.peer(seat, to)
      if (isStale(room, epoch)) return {}
      const { route } = room.choice
      if (first_audio_ms !== undefined) metrics.firstAudio.observe({ route }, first_audio_ms / 1000)
      // Connections with the SFU need no reports, because the server sees its own end of them.
      if (route === 'sfu') return {}
      const now = Date.now()
      const before = room.reports.get(`${from} ${to}`)
      if (state === 'connected' && before?.connectedAt === undefined) metrics.connected.inc({ pair_type })
      if (state === 'connected' && rtt_ms !== null) metrics.rtt.observe({ pair_type }, rtt_ms / 1000)
      const connectedAt = before?.connectedAt ?? (state === 'connected' ? now : undefined)
      const isDown = connectedAt !== undefined && state !== 'connected'
      room.reports.set(`${from} ${to}`, {
        from,
        to,
        state,
        packets: audio_packets,
        connectedAt,
        downSince: isDown ? (before?.downSince ?? now) : undefined,
        grewAt: before && audio_packets <= before.packets ? before.grewAt : now,
        reportedAt: now,
      })
      return {}
    },
  }
}
