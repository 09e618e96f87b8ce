import { ephemeralText } from '../../core/events.ts'
import type { VoicePeer } from '../model.ts'
import type { Room } from '../seat.ts'

/** What follows the id of a member is left unread. */
const CHANGE = /^\{"t":"voice\.peer_(joined|left)".*?"voice_session_id":"([0-9a-f]{32})"/

const digest = (ids: Iterable<string>): string => Bun.hash([...ids].toSorted().join()).toString(36)

/** A short text that stands for who is in a room. */
export const digestOf = (room: Room): string => digest(room.seats.keys())

/** Whom a client of this node knows in its room, which another node owns. Frames are lost while Redis is away. */
export class ToldPeers {
  readonly #ids = new Set<string>()

  /** @param peers the other members, as the client got them with its own seat */
  constructor(
    private readonly seat: string,
    peers: Pick<VoicePeer, 'voice_session_id'>[],
  ) {
    for (const { voice_session_id } of peers) this.#ids.add(voice_session_id)
  }

  /** A frame is sent to the client. */
  note(frame: string): void {
    const [, change, id = ''] = CHANGE.exec(frame) ?? []
    if (change === 'joined') this.#ids.add(id)
    else if (change === 'left') this.#ids.delete(id)
  }

  /** As `digestOf`, of the room as the client knows it. */
  digest(): string {
    return digest([...this.#ids, this.seat])
  }

  /** The frames by which the client knows that these are the other members. */
  missing(peers: VoicePeer[]): string[] {
    const present = new Set(peers.map(({ voice_session_id }) => voice_session_id))
    const gone = [...this.#ids].filter((id) => !present.has(id))
    return [
      ...gone.map((voice_session_id) => ephemeralText('voice.peer_left', { voice_session_id })),
      ...peers
        .filter(({ voice_session_id }) => !this.#ids.has(voice_session_id))
        .map((peer) => ephemeralText('voice.peer_joined', peer)),
    ]
  }
}
