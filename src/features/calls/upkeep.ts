import { Job } from '../../core/job.ts'
import type { Sql } from '../../database/database.ts'
import { claim } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import { endCall } from './call.ts'
import { stopRinging } from './rings.ts'

const PERIOD_MS = 2_000
/**
 * A call that no process has refreshed for this time is over. Members of a lost process rejoin through another within
 * seconds.
 */
const SILENT_SECONDS_MAX = 45
/** Rings, and calls, that one run ends; the next run continues. */
const ENDS_MAX = 200

/** Ends rings that nobody answers, and calls whose process is gone. Runs on one process. */
export class CallUpkeep extends Job {
  constructor(private readonly parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(PERIOD_MS, 'calls', parts.log)
  }

  protected async work(): Promise<void> {
    const { sql, write } = this.parts
    const [overdue] = await sql<{ rings: boolean; calls: number[] }[]>`
      select exists (select from call_rings where until <= now()) as rings, array(
        select channel_id from calls
        where ended_at is null and alive_at < now() - ${SILENT_SECONDS_MAX} * interval '1 second'
        order by alive_at limit ${ENDS_MAX}) as calls`
    if (overdue?.rings)
      await write(async (tx, emit) => {
        if (!(await claim(tx, 'calls'))) return
        const over: ReturnType<Sql> = tx`(ring.user_id, ring.channel_id) in (
          select user_id, channel_id from call_rings where until <= now() order by until limit ${ENDS_MAX}
          for update skip locked)`
        await stopRinging(tx, emit, over, 'unanswered')
      })
    for (const channelId of overdue?.calls ?? [])
      await write((tx, emit) => endCall(tx, emit, channelId, SILENT_SECONDS_MAX))
  }
}
