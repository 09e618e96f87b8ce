import { found, Problem } from '../core/errors.ts'
import type { VoiceCluster } from './cluster/cluster.ts'
import type { RemoteClients } from './cluster/remote-clients.ts'
import type { Links } from './links/links.ts'
import type { Rooms } from './rooms.ts'
import type { Seat, VoiceClient } from './seat.ts'
import type { MemberAudio } from './sfu/direct-audio.ts'
import type { Peer } from './sfu/peer.ts'
import type { Sfu } from './sfu/sfu.ts'

/**
 * Opens the audio of members whose media this process carries by another protocol than WebRTC: as `DirectAudio` if the
 * room is here, else as `HostedAudio`.
 */
export class MemberAudios {
  /**
   * @param cluster undefined for a server of one process
   * @param links undefined for a server of one process
   */
  constructor(
    private readonly rooms: Rooms,
    private readonly sfu: Pick<Sfu, 'state'>,
    private readonly cluster: Pick<VoiceCluster, 'forwarder'> | undefined,
    private readonly links: Links | undefined,
  ) {}

  /** True if the media of the client's call can be carried here. */
  canCarry(client: VoiceClient): boolean {
    if (this.rooms.of(client)) return true
    const node = this.#ownerOf(client)
    const isReady = ['ready', 'restarting'].includes(this.sfu.state())
    return node !== undefined && isReady && this.links?.understands(node) === true
  }

  /**
   * @throws Problem `not_found` without a seat; `media_unavailable` if the call is not on the SFU
   * @throws MediaUnavailable if the link to another process does not open
   */
  async open(client: VoiceClient): Promise<MemberAudio> {
    const node = this.#ownerOf(client)
    if (node !== undefined && this.links) return this.links.openAudio(node, client.id)
    return peerOf(this.rooms.demandSeat(client)).openDirect()
  }

  #ownerOf(client: VoiceClient): string | undefined {
    return this.rooms.of(client) ? undefined : this.cluster?.forwarder.ownerOf(client)
  }
}

/** Finds the peer of a client whose socket is on another process. @throws Problem `not_found`, `media_unavailable` */
export const remotePeers = (rooms: Rooms, remote: RemoteClients) => (node: string, client: number) =>
  peerOf(rooms.demandSeat(found(remote.clientOf(node, client))))

/** @throws Problem `media_unavailable` if the call is not on the SFU of this process */
function peerOf({ room, voice_session_id }: Seat): Peer {
  const { routed, choice } = room
  if (!routed || routed.isClosed() || choice.route !== 'sfu') throw new Problem('media_unavailable')
  return routed.peer(voice_session_id)
}
