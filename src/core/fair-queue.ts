import { Problem } from './errors.ts'

interface Turn {
  start(): void
}

interface FairQueueLimits {
  at_once: number
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
  readonly #waiting = new Map<number, Turn[]>()
  #queued = 0
  #running = 0
  /** The account whose call started last. */
  #served: number | undefined

  constructor(private readonly limits: FairQueueLimits) {}

  /** @throws Problem `unavailable` when there is no place in the queue, or the wait is too long */
  async run<T>(user_id: number, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.limits.at_once) await this.#turnOf(user_id)
    else this.#running++
    this.#served = user_id
    try {
      return await work()
    } finally {
      // The next call takes the place over, so `running` changes only when nobody waits.
      const next = this.#next()
      if (next) next.start()
      else this.#running--
    }
  }

  #turnOf(user_id: number): Promise<void> {
    const { queued_max, queued_per_account_max, wait_ms_max } = this.limits
    const own = this.#waiting.get(user_id) ?? []
    const own_max = this.#queued < queued_max / 2 ? queued_per_account_max : 1
    if (this.#queued >= queued_max || own.length >= own_max) throw busy()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        own.splice(own.indexOf(turn), 1)
        this.#removed(user_id, own)
        reject(busy())
      }, wait_ms_max)
      const turn = {
        start: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      own.push(turn)
      this.#waiting.set(user_id, own)
      this.#queued++
    })
  }

  /** Takes out the call to start next. The account that was served last waits for the others. */
  #next(): Turn | undefined {
    const [first] = this.#waiting.keys()
    if (first !== undefined && first === this.#served) this.#toEnd(first)
    const [user_id] = this.#waiting.keys()
    const own = user_id === undefined ? undefined : this.#toEnd(user_id)
    const turn = own?.shift()
    if (user_id !== undefined && own) this.#removed(user_id, own)
    return turn
  }

  /** Puts an account behind the others. @returns its waiting calls */
  #toEnd(user_id: number): Turn[] {
    const own = this.#waiting.get(user_id) ?? []
    this.#waiting.delete(user_id)
    this.#waiting.set(user_id, own)
    return own
  }

  #removed(user_id: number, own: Turn[]): void {
    this.#queued--
    if (own.length === 0) this.#waiting.delete(user_id)
  }
}

const busy = () => new Problem('unavailable', 'Too many requests of this kind at once', { retry_after: 5 })
