import { Problem } from './errors.ts'

interface Turn {
  start(): void
}

/** Whom a call is of: an account, or what else has a share. */
type Key = number | string

interface FairQueueLimits {
  at_once: number
  /** Calls of one account that run at once; as many as run at all unless given. */
  at_once_per_account?: number
  /** Calls that wait. While half of these places are taken, an account may have only one of them. */
  queued_max: number
  queued_per_account_max: number
  /** A call that has not started after this time is refused. */
  wait_ms_max: number
}

/**
 * Runs a limited number of calls at once. Waiting calls are served round-robin by account, so that an account waits
 * for at most one call of each other account, however many calls that account has made.
 */
export class FairQueue {
  /** The waiting calls by account; the account that was served least recently first. */
  readonly #waiting = new Map<Key, Turn[]>()
  #queued = 0
  /** The calls that run, by account. */
  readonly #runningOf = new Map<Key, number>()
  #running = 0
  /** The account whose call started last. */
  #served: Key | undefined

  constructor(private readonly limits: FairQueueLimits) {}

  /** @throws Problem `unavailable` when there is no place in the queue, or the wait is too long */
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

  /** Takes out the call to start next, and counts it. The account that was served last waits for the others. */
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

  /** Puts an account behind the others. @returns its waiting calls */
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
