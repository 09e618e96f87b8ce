import type { types } from 'mediasoup'
import { found } from '../../core/errors.ts'
import type { ProducerInfo } from './model.ts'
import { Peer } from './peer.ts'
import { MediaUnavailable, type SfuProcess } from './process.ts'
import { type RoomEvent, RouterContext } from './router-context.ts'

/** A room whose media go over the SFU: a router on one worker, and a peer for each member. */
export class RoutedRoom {
  readonly #peers = new Map<string, Peer>()

  private constructor(private readonly context: RouterContext) {}

  /**
   * Opens a room on a worker.
   * @param listener called with what happens in the room, until it is closed
   * @param onClosed called once, whatever closes the room
   */
  static async open(process: SfuProcess, listener: (event: RoomEvent) => void, onClosed: () => void) {
    const context = await RouterContext.open(process, listener)
    context.router.observer.on('close', () => {
      onClosed()
      if (process.died()) listener({ type: 'reset' })
    })
    return new RoutedRoom(context)
  }

  get rtp_capabilities(): types.RtpCapabilities {
    return this.context.router.rtpCapabilities
  }

  producers(): ProducerInfo[] {
    return [...this.context.producers.values()].map(({ info }) => info)
  }

  /**
   * The member's peer, made at the first call.
   * @throws MediaUnavailable when the room has ended
   */
  peer(voice_session_id: string): Peer {
    if (this.closed()) throw new MediaUnavailable('The room has ended')
    const present = this.#peers.get(voice_session_id)
    if (present) return present
    const peer = new Peer(voice_session_id, this.context, () => this.#peers.delete(voice_session_id))
    this.#peers.set(voice_session_id, peer)
    return peer
  }

  /** A peer that is there already. @throws Problem `not_found` */
  member(voice_session_id: string): Peer {
    return found(this.#peers.get(voice_session_id))
  }

  /** How many streams the room carries, in and out: the worker's processor time is proportional to them. */
  streams(): number {
    return [...this.#peers.values()].reduce((sum, peer) => sum + peer.streams(), 0)
  }

  closed(): boolean {
    return this.context.router.closed
  }

  /** Closes the room with all its peers; emits nothing. */
  close(): void {
    this.context.router.close()
  }
}
