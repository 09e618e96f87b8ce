import type { types } from 'mediasoup'
import { MediaUnavailable } from './process.ts'
import type { Arrival, ProducerCrossing, ReceivingConsumer } from './receiving.ts'

/** A consumer behind a link. */
interface Follower {
  isListening: boolean
  /** Called when the producer's own score has changed. */
  onScore: () => void
}

/**
 * A producer on its way to a branch. Its packets cross the link once for all consumers there, and not at all while
 * every one of them is paused.
 */
export class Crossing implements ProducerCrossing {
  readonly #followers = new Map<ReceivingConsumer, Follower>()
  /** The last change of the pipe; the next one waits for it. */
  #changing: Promise<void> = Promise.resolve()

  constructor(
    private readonly producer: types.Producer,
    private readonly pipe: types.Consumer,
    arrival: Arrival,
  ) {
    // mediasoup's own listeners do not catch the error of a worker that has died.
    pipe.observer.removeAllListeners('pause').removeAllListeners('resume')
    pipe.observer.on('pause', () => void arrival.pause().catch(() => undefined))
    pipe.observer.on('resume', () => void arrival.resume().catch(() => undefined))
    const onScore = () => this.#followers.forEach((follower) => follower.onScore())
    producer.observer.on('score', onScore)
    pipe.observer.on('close', () => producer.observer.off('score', onScore))
  }

  /** Adds a consumer, which is paused. */
  follow(consumer: ReceivingConsumer, onScore: () => void): Promise<void> {
    if (consumer.closed) return this.#changing
    this.#followers.set(consumer, { isListening: false, onScore })
    consumer.observer.on('close', () => {
      this.#followers.delete(consumer)
      void this.#apply()
    })
    return this.#apply()
  }

  /** Call when a consumer has been paused or resumed. */
  listen(consumer: ReceivingConsumer, isListening: boolean): Promise<void> {
    const follower = this.#followers.get(consumer)
    if (follower) follower.isListening = isListening
    return this.#apply()
  }

  /** A consumer's score with that of the producer at the main router: the link itself loses nothing. */
  score(consumer: ReceivingConsumer): types.ConsumerScore {
    const { score } = consumer
    const layer = consumer.currentLayers?.spatialLayer ?? 0
    const own = this.producer.score.find(({ encodingIdx }) => encodingIdx === layer)?.score
    return own === undefined ? score : { ...score, producerScore: Math.min(own, score.producerScore) }
  }

  /** Pauses the pipe if nobody listens, and resumes it otherwise. */
  #apply(): Promise<void> {
    const change = async () => {
      const isWanted = [...this.#followers.values()].some(({ isListening }) => isListening)
      if (this.pipe.closed || isWanted !== this.pipe.paused) return
      await (isWanted ? this.pipe.resume() : this.pipe.pause())
    }
    // A pipe that cannot change has ended, and its members learn of that.
    this.#changing = this.#changing.then(change).catch(() => undefined)
    return this.#changing
  }
}

/** The crossings of a branch. Members who ask for the same producer share one. */
export class Crossings {
  readonly #byProducer = new Map<string, Promise<Crossing>>()

  /**
   * @param cross begins the crossing, unless the producer has one
   * @throws MediaUnavailable if the producer does not cross; the next call begins another crossing
   */
  async bring(producerId: string, cross: () => Promise<Crossing>): Promise<Crossing> {
    const present = this.#byProducer.get(producerId)
    const crossing = present ?? cross()
    if (!present) this.#byProducer.set(producerId, crossing)
    try {
      return await crossing
    } catch (error) {
      if (this.#byProducer.get(producerId) === crossing) this.#byProducer.delete(producerId)
      throw new MediaUnavailable(
        `The media do not reach this member: ${error instanceof Error ? error.message : error}`,
      )
    }
  }

  has(producerId: string): boolean {
    return this.#byProducer.has(producerId)
  }

  /** Call when the producer no longer crosses. */
  delete(producerId: string): void {
    this.#byProducer.delete(producerId)
  }
}
