import { Problem } from '../../core/errors.ts'
import type { Handlers } from '../../core/events.ts'
import type { Rooms } from '../rooms.ts'
import type { Seat, VoiceClient } from '../seat.ts'
import type { sfuCommands } from '../sfu/model.ts'
import type { Peer } from '../sfu/peer.ts'

/** Pause before a change is tried again that another process could not make: while Redis is away, it is not asked. */
const RETRY_MS = 500

/** Sound that a member receives from a producer. */
interface HeardSound {
  consumer_id: string
  /** The client has resumed it, so that it plays unless a moderator has deafened the member. */
  isWanted: boolean
}

type SfuHandlers = Handlers<typeof sfuCommands, VoiceClient>

/**
 * Stops the sound that the SFU sends to members that a moderator has deafened, whatever their clients ask for. A client
 * notices nothing: it resumes its consumers as always, and they play once the member may hear again. Pictures are
 * not affected. If the SFU loses the room, its peers are new, and so are their consumers.
 */
export class Deafness {
  /** By peer and producer. */
  readonly #sounds = new WeakMap<Peer, Map<string, HeardSound>>()

  constructor(private readonly rooms: Rooms) {}

  /** The commands, changed so that no sound plays for a deafened member. */
  within(commands: SfuHandlers): SfuHandlers {
    return {
      ...commands,
      'voice.sfu.consume': async (client, d) => {
        const answer = await commands['voice.sfu.consume'](client, d)
        if (answer.kind === 'audio') this.#note(client, answer)
        return answer
      },
      'voice.sfu.resume_consumer': async (client, d) => {
        const seat = this.rooms.demandSeat(client)
        const sound = this.#soundOf(seat, d.consumer_id)
        if (sound) sound.isWanted = true
        if (sound && seat.server_deaf) return {}
        return commands['voice.sfu.resume_consumer'](client, d)
      },
      'voice.sfu.pause_consumer': async (client, d) => {
        const sound = this.#soundOf(this.rooms.demandSeat(client), d.consumer_id)
        if (sound) sound.isWanted = false
        return commands['voice.sfu.pause_consumer'](client, d)
      },
    }
  }

  /**
   * Pauses the sound of a deafened member, or resumes it. Done when this returns; if the member receives from another
   * process that does not answer, it is tried again until it does.
   */
  async apply(seat: Seat): Promise<void> {
    const peer = peerOf(seat)
    const sounds = peer && this.#sounds.get(peer)
    if (!sounds) return
    let isLeft = false
    await Promise.all(
      [...sounds].map(async ([producer_id, sound]) => {
        const { consumer_id, isWanted } = sound
        if (!isWanted && !seat.server_deaf) return
        await peer.pauseConsumer(consumer_id, seat.server_deaf).catch((error: unknown) => {
          // A consumer that has ended is not known any more.
          const hasEnded = error instanceof Problem && error.code === 'not_found'
          if (!hasEnded) isLeft = true
          else if (sounds.get(producer_id) === sound) sounds.delete(producer_id)
        })
      }),
    )
    if (isLeft) setTimeout(() => this.rooms.ofUser(seat.user.id) === seat && void this.apply(seat), RETRY_MS).unref()
  }

  #note(client: VoiceClient, { consumer_id, producer_id }: { consumer_id: string; producer_id: string }): void {
    const seat = this.rooms.of(client)
    const peer = seat && peerOf(seat)
    if (!peer) return
    const sounds = this.#sounds.get(peer) ?? new Map<string, HeardSound>()
    this.#sounds.set(peer, sounds)
    const present = new Set(seat.room.routed?.producers().map((producer) => producer.producer_id))
    for (const id of sounds.keys()) if (!present.has(id)) sounds.delete(id)
    sounds.set(producer_id, { consumer_id, isWanted: false })
  }

  #soundOf(seat: Seat, consumerId: string): HeardSound | undefined {
    const peer = peerOf(seat)
    const sounds = peer && this.#sounds.get(peer)
    return sounds && [...sounds.values()].find(({ consumer_id }) => consumer_id === consumerId)
  }
}

/** A member's media on the SFU, if its room is there. */
const peerOf = ({ room: { routed }, voice_session_id }: Seat): Peer | undefined =>
  routed && !routed.isClosed() ? routed.peer(voice_session_id) : undefined
