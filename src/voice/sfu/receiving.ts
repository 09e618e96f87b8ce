import type { types } from 'mediasoup'

/** A member as its branch knows it. */
export interface Receiver {
  readonly voiceSessionId: string
}

/** The stream of one producer to a member: a consumer of mediasoup on this process, or on another one. */
export interface ReceivingConsumer {
  readonly id: string
  readonly closed: boolean
  readonly score: types.ConsumerScore
  readonly currentLayers: types.ConsumerLayers | undefined
  readonly rtpParameters: types.RtpParameters
  readonly observer: { on(event: 'close', listener: () => void): unknown }
  on(event: 'producerclose', listener: () => void): unknown
  on(event: 'score', listener: () => void): unknown
  on(event: 'layerschange', listener: (layers?: types.ConsumerLayers) => void): unknown
  /** Emitted only on a direct transport of this process. */
  on(event: 'rtp', listener: (packet: Buffer) => void): unknown
  pause(): Promise<void>
  resume(): Promise<void>
  setPreferredLayers(layers: types.ConsumerLayers): Promise<void>
  close(): void
}

/** The options with which members consume. */
export interface Consuming {
  producerId: string
  rtpCapabilities: types.RtpCapabilities
  paused: boolean
  enableRtx: boolean
}

/** A transport on which members consume. */
export interface ConsumingTransport {
  readonly id: string
  readonly closed: boolean
  consume(options: Consuming): Promise<ReceivingConsumer>
  close(): void
}

/** A transport that may be on another process, and says when it has ended. */
export interface LinkedTransport extends ConsumingTransport {
  readonly observer: { on(event: 'close', listener: () => void): unknown }
}

/** The transport of a client that receives, on this process or on another one. */
export interface ReceivingTransport extends LinkedTransport {
  readonly iceParameters: types.IceParameters
  readonly iceCandidates: types.IceCandidate[]
  readonly dtlsParameters: types.DtlsParameters
  on(event: 'dtlsstatechange', listener: (state: types.DtlsState) => void): unknown
  connect(options: { dtlsParameters: types.DtlsParameters }): Promise<void>
  restartIce(): Promise<types.IceParameters>
  /** Bytes of media that came from the client; a transport that only receives has none. */
  getStats(): Promise<{ rtpBytesReceived: number }[]>
}

/** The producer at the far end of a link. */
export interface Arrival {
  pause(): Promise<void>
  resume(): Promise<void>
}

/** A producer on its way to a branch, with the consumers there. */
export interface ProducerCrossing {
  /** Adds a consumer, which is paused. */
  follow(consumer: ReceivingConsumer, onScore: () => void): Promise<void>
  /** Call when a consumer has been paused or resumed. */
  listen(consumer: ReceivingConsumer, isListening: boolean): Promise<void>
  /** A consumer's score with that of the producer at the main router. */
  score(consumer: ReceivingConsumer): types.ConsumerScore
}

/** Why a branch has ended: the room closed it, its worker died, or a producer could not be brought there. */
export type BranchEnd = 'closed' | 'lost' | 'failed'

/** A further router of a room, from which some members receive: on another worker, or on another process. */
export interface ReceivingBranch {
  readonly members: Set<Receiver>
  readonly isEnded: boolean
  /** @throws Error if it cannot be opened */
  openTransport(options: object): Promise<ReceivingTransport>
  /** Makes a producer of the main router consumable there. @throws MediaUnavailable */
  bring(producer: types.Producer): Promise<ProducerCrossing>
  /** Call when the branch does not work. */
  fail(): void
  close(): void
}

/** A branch on another process. It also carries the audio of members whose media that process takes itself. */
export interface LinkedBranch extends ReceivingBranch {
  readonly id: string
  /** The id of that process. */
  readonly node: string
  /** This end of the link. @throws Error if the link does not open */
  readonly pipe: Promise<types.PipeTransport>
  /** A transport for calls within that process instead of the network. @throws Error if it cannot be opened */
  openDirect(): Promise<LinkedTransport>
  /** Ends objects on that process: those that it opened for this room, by id. */
  discard(id: string): void
}

/** The other processes, as a room finds them. */
export interface Elsewhere {
  /**
   * Chooses a process for members who find no space here.
   * @param branches those of the room that exist already
   * @returns undefined if none has space
   */
  choose(branches: readonly LinkedBranch[]): string | undefined
  /** @param onEnded called once */
  open(node: string, main: types.Router, onEnded: (branch: LinkedBranch, why: BranchEnd) => void): LinkedBranch
}
