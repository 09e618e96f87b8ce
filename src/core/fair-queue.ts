import { Problem } from './errors.ts'

interface Turn {
  start(): void
}

/** Identifies who made a call: an account, or anything else that gets a share. */
type Key = number | string

interface FairQueueLimits {
  atOnce: number
  /** Concurrent calls per account; unlimited by default, up to the total. */
  atOncePerAccount?: number
  /** Calls that may wait. Once half of these slots are taken, each account may use only one. */
  queuedMax: number
  queuedPerAccountMax: number
  /** A call that has waited this long is refused. */
  waitMsMax: number
}

/**
 * Limits concurrent calls. Waiting calls are served round-robin by account: a call of a new account waits for at most
 * one call of every other account, however many calls they queued.
 */
export class FairQueue {
  /** Waiting calls by account, least recently served account first. */
  readonly #waitingTurns = new Map<Key, Turn[]>()
  #queued = 0
  /** Running calls by account. */
  readonly #runningOf = new Map<Key, number>()
  #running = 0
  /** The account whose call started last. */
  #lastServed: Key | undefined

  constructor(private readonly limits: FairQueueLimits) {}

  /** @throws Problem `unavailable` if the queue is full or the wait is too long */
  async run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.limits.atOnce && this.#mayRun(key)) this.#count(key, 1)
    else await this.#turnOf(key)
    this.#lastServed = key
    try {
      return await work()
    } finally {
      this.#count(key, -1)
      this.#next()?.start()
    }
  }

  #mayRun(key: Key): boolean {
    return (this.#runningOf.get(key) ?? 0) < (this.limits.atOncePerAccount ?? Infinity)
  }

  #count(key: Key, change: 1 | -1): void {
    this.#running += change
    const running = (this.#runningOf.get(key) ?? 0) + change
    if (running > 0) this.#runningOf.set(key, running)
    else this.#runningOf.delete(key)
  }

  #turnOf(key: Key): Promise<void> {
    const { queuedMax, queuedPerAccountMax, waitMsMax } = this.limits
    const turns = this.#waitingTurns.get(key) ?? []
    const ownMax = this.#queued < queuedMax / 2 ? queuedPerAccountMax : 1
    if (this.#queued >= queuedMax || turns.length >= ownMax) throw busy()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        turns.splice(turns.indexOf(turn), 1)
        this.#afterRemoval(key, turns)
        reject(busy())
      }, waitMsMax)
      const turn = {
        start: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      turns.push(turn)
      this.#waitingTurns.set(key, turns)
      this.#queued++
    })
  }

  /** Dequeues the next call and counts it as running. The account served last goes behind the others. */
  #next(): Turn | undefined {
    const [first] = this.#waitingTurns.keys()
    if (first !== undefined && first === this.#lastServed) this.#toEnd(first)
    const key = this.#waitingTurns.keys().find((candidate) => this.#mayRun(candidate))
    if (key === undefined) return undefined
    const turns = this.#toEnd(key)
    const turn = turns.shift()
    this.#count(key, 1)
    this.#afterRemoval(key, turns)
    return turn
  }

  /**
   * Moves an account to the end.
   * @returns its waiting calls
   */
  #toEnd(key: Key): Turn[] {
    const turns = this.#waitingTurns.get(key) ?? []
    this.#waitingTurns.delete(key)
    this.#waitingTurns.set(key, turns)
    return turns
  }

  #afterRemoval(key: Key, turns: Turn[]): void {
    this.#queued--
    if (turns.length === 0) this.#waitingTurns.delete(key)
  }
}

const busy = () => new Problem('unavailable', 'Too many requests of this kind at once', { retry_after: 5 })
