import { BatchJob } from '../../events/batch-job.ts'
import type { Parts } from '../../parts.ts'
import { announceProfile } from './profile.ts'

const PERIOD_MS = 1_000
/** Batches per run; the next run continues. */
const BATCHES_MAX = 100

/** Announces changed profiles to accounts with many conversations, in short transactions. Runs on one process. */
export class ProfileAnnouncements extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(parts, {
      name: 'profiles',
      periodMs: PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: (sql) => sql`select from profile_announcements`,
      batch: announceProfile,
    })
  }
}
