import { Job } from '../../core/job.ts'
import { claim, isAny } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import { announceProfile } from './profile.ts'

const PERIOD_MS = 1_000
/** Batches per run; the next run continues. */
const BATCHES_MAX = 100

/** Announces changed profiles to accounts with many conversations, in short transactions. Runs on one process. */
export class ProfileAnnouncements extends Job {
  constructor(private readonly parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(PERIOD_MS, 'profiles', parts.log)
  }

  protected async work(): Promise<void> {
    const { sql } = this.parts
    if (!(await isAny(sql, sql`select from profile_announcements`))) return
    const batch = () =>
      this.parts.write(async (sql, emit) => (await claim(sql, 'profiles')) && announceProfile(sql, emit))
    for (let n = 0; n < BATCHES_MAX; n++) if (!(await batch())) return
  }
}
