import type { Environment } from '../../environment.ts'
import { iceServers } from '../../turn/credentials.ts'
import type { Turn } from '../../turn/thread.ts'
import type { CallEncryption } from '../encryption/call-encryption.ts'
import { CANDIDATE_BYTES_MAX, type Joined, SDP_BYTES_MAX } from '../model.ts'
import { isSilenced, peersOf, routerFieldsFor, type Seat, stageStateOf, type VoiceClient } from '../seat.ts'

/** Data that a member receives when it joins, resumes or is moved. */
export class Welcome {
  readonly #limits: Joined['limits']

  /** @param onAnswer called in the step that makes an answer */
  constructor(
    environment: Environment,
    private readonly turn: Turn,
    readonly encryption: CallEncryption,
    private readonly onAnswer: (answer: Joined) => void = () => {},
  ) {
    this.#limits = {
      p2p_peers_max: environment.VOICE_P2P_PEERS_MAX,
      room_peers_max: environment.VOICE_ROOM_PEERS_MAX,
      sdp_bytes_max: SDP_BYTES_MAX,
      candidate_bytes_max: CANDIDATE_BYTES_MAX,
    }
  }

  /** TURN servers with fresh credentials for this client. */
  iceServers({ user_id, base }: VoiceClient): Joined['ice_servers'] {
    return iceServers(this.turn, user_id, base, Date.now() / 1000)
  }

  joinAnswer(seat: Seat, client: VoiceClient): Joined {
    const { voice_session_id, room, relay_only } = seat
    const { route, reason } = room.choice
    const answer: Joined = {
      voice_session_id,
      user_id: seat.user.id,
      channel_id: room.channel_id,
      epoch: room.epoch,
      silenced: isSilenced(seat),
      server_deaf: seat.server_deaf,
      camera_stopped: seat.camera_stopped,
      route,
      ...(reason ? { route_reason: reason } : {}),
      relay_only,
      encryption: this.encryption.of(room),
      peers: peersOf(seat),
      ...(room.is_stage && { stage: stageStateOf(seat) }),
      ...routerFieldsFor(seat),
      ice_servers: this.iceServers(client),
      limits: this.#limits,
    }
    this.onAnswer(answer)
    return answer
  }
}
