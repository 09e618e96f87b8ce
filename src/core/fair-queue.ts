import { Problem } from './errors.ts'

interface Turn {
  start(): void
}

/** Identifies who made a call: an account, or anything else that gets a share. */
type Key = number | string

interface FairQueueLimits {
  at_once: number
  /** Concurrent calls per account; unlimited by default, up to the total. */
  at_once_per_account?: number
  /** Calls that may wait. Once half of these slots are taken, each account may use only one. */
  queued_max: number
  queued_per_account_max: number
  /** A call that has waited this long is refused. */
  wait_ms_max: number
}

/**
 * Limits concurrent calls. Waiting calls are served round-robin by account: a call of a new account waits for at most
 * one call of every other account, however many calls they queued.
 */
export class FairQueue {
  /** Waiting calls by account, least recently served account first. */
  readonly #waiting = new Map<Key, Turn[]>()
  #queued = 0
  /** Running calls by account. */
  readonly #runningOf = new Map<Key, number>()
  #running = 0
  /** The account whose call started last. */
  #served: Key | undefined

  constructor(private readonly limits: FairQueueLimits) {}

  /** @throws Problem `unavailable` if the queue is full or the wait is too long */
  async run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.limits.at_once && this.#mayRun(key)) this.#count(key, 1)
    else await this.#turnOf(key)
    this.#served = key
    try {
      return await work()
    } finally {
      this.#count(key, -1)
      this.#next()?.start()
    }
  }

  #mayRun(key: Key): boolean {
    return (this.#runningOf.get(key) ?? 0) < (this.limits.at_once_per_account ?? Infinity)
  }

  #count(key: Key, change: 1 | -1): void {
    this.#running += change
    const own = (this.#runningOf.get(key) ?? 0) + change
    if (own > 0) this.#runningOf.set(key, own)
    else this.#runningOf.delete(key)
  }

  #turnOf(key: Key): Promise<void> {
    const { queued_max, queued_per_account_max, wait_ms_max } = this.limits
    const own = this.#waiting.get(key) ?? []
    const own_max = this.#queued < queued_max / 2 ? queued_per_account_max : 1
    if (this.#queued >= queued_max || own.length >= own_max) throw busy()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        own.splice(own.indexOf(turn), 1)
        this.#removed(key, own)
        reject(busy())
      }, wait_ms_max)
      const turn = {
        start: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      own.push(turn)
      this.#waiting.set(key, own)
      this.#queued++
    })
  }

  /** Dequeues the next call and counts it as running. The account served last goes behind the others. */
  #next(): Turn | undefined {
    const [first] = this.#waiting.keys()
    if (first !== undefined && first === this.#served) this.#toEnd(first)
    const key = this.#waiting.keys().find((waiting) => this.#mayRun(waiting))
    if (key === undefined) return undefined
    const own = this.#toEnd(key)
    const turn = own.shift()
    this.#count(key, 1)
    this.#removed(key, own)
    return turn
  }

  /**
   * Moves an account to the end.
   * @returns its waiting calls
   */
  #toEnd(key: Key): Turn[] {
    const own = this.#waiting.get(key) ?? []
    this.#waiting.delete(key)
    this.#waiting.set(key, own)
    return own
  }

  #removed(key: Key, own: Turn[]): void {
    this.#queued--
    if (own.length === 0) this.#waiting.delete(key)
  }
}

const busy = () => new Problem('unavailable', 'Too many requests of this kind at once', { retry_after: 5 })
