import type { Parts } from './adapters/parts.ts'
import { openSweeper } from './adapters/sweeper.ts'
import { openErasure } from './features/accounts/erasure.ts'
import { openOutbox } from './features/files/outbox.ts'

/** What is done in the background, each by one node at a time. */
export function openJobs(parts: Parts) {
  const sweeper = openSweeper(parts.sql, parts.environment.RESUME_WINDOW, parts.log)
  const jobs = [sweeper, openErasure(parts), openOutbox(parts)]
  return {
    /** Does what is due, now. */
    async run(): Promise<void> {
      for (const job of jobs) await job.run()
    },
    stop(): void {
      for (const job of jobs) job.stop()
    },
  }
}
