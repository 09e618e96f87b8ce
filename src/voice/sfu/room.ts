import type { types } from 'mediasoup'
import { found } from '../../core/errors.ts'
import type { Branch } from './branch.ts'
import type { Workers } from './branches.ts'
import type { ProducerInfo } from './model.ts'
import { Peer } from './peer.ts'
import { MediaUnavailable, type SfuWorker } from './process.ts'
import type { LinkedBranch } from './receiving.ts'
import { type RoomEvent, RouterContext } from './router-context.ts'

/**
 * A room on the SFU: a main router on one worker, a peer for each member, and for rooms of many members branches on
 * further workers.
 */
export class RoutedRoom {
  readonly #peers = new Map<string, Peer>()

  private constructor(private readonly context: RouterContext) {}

  /**
   * Opens a room on a worker.
   * @param workers those of this machine, for branches
   * @param listener called with the room's events until it is closed
   * @param onClosed called once, whatever closes the room
   */
  static async open(
    worker: SfuWorker,
    workers: Workers,
    listener: (event: RoomEvent) => void,
    onClosed: () => void,
  ): Promise<RoutedRoom> {
    const context = await RouterContext.open(worker, workers, listener)
    context.router.observer.on('close', () => {
      onClosed()
      if (worker.died()) listener({ type: 'reset' })
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
   * The member's peer, created on the first call.
   * @throws MediaUnavailable if the room has ended
   */
  peer(voiceSessionId: string): Peer {
    if (this.isClosed()) throw new MediaUnavailable('The room has ended')
    const present = this.#peers.get(voiceSessionId)
    if (present) return present
    const peer = new Peer(voiceSessionId, this.context, () => this.#peers.delete(voiceSessionId))
    this.#peers.set(voiceSessionId, peer)
    return peer
  }

  /** An existing peer. @throws Problem `not_found` */
  member(voiceSessionId: string): Peer {
    return found(this.#peers.get(voiceSessionId))
  }

  /** Members who receive from the main router. */
  receivers(): number {
    return this.context.branches.onMain
  }

  /** The ones of this machine. */
  branches(): Branch[] {
    return this.context.branches.all()
  }

  /** The ones on other processes. */
  linked(): LinkedBranch[] {
    return this.context.branches.linked()
  }

  /** Number of streams in and out, without those between workers. */
  streams(): number {
    return [...this.#peers.values()].reduce((sum, peer) => sum + peer.streams(), 0)
  }

  isClosed(): boolean {
    return this.context.router.closed
  }

  /** Closes the room with all its peers; emits nothing. */
  close(): void {
    this.context.router.close()
  }
}
