import { errorFields } from '../../core/log.ts'
import { claim } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import { announceProfile } from './profile.ts'

const PERIOD_MS = 1_000
/** Batches of one run; the next run goes on. */
const BATCHES_MAX = 100

/** Announces changed profiles to accounts with many conversations, in short transactions; one node at a time. */
export class ProfileAnnouncements {
  readonly #timer: Timer
  #running: Promise<void> | undefined

  constructor(private readonly parts: Pick<Parts, 'write' | 'log'>) {
    this.#timer = setInterval(() => {
      this.run().catch((error: unknown) => parts.log('warn', 'profiles', errorFields(error)))
    }, PERIOD_MS)
  }

  /** Runs once now; a second caller waits for the run that is under way. */
  run(): Promise<void> {
    return (this.#running ??= this.#announceAll().finally(() => (this.#running = undefined)))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #announceAll(): Promise<void> {
    const batch = () =>
      this.parts.write(async (sql, emit) => (await claim(sql, 'profiles')) && announceProfile(sql, emit))
    for (let n = 0; n < BATCHES_MAX; n++) if (!(await batch())) return
  }
}
