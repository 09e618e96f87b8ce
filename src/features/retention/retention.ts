import { Job } from '../../core/job.ts'
import { type Batch, runBatches } from '../../events/batch-job.ts'
import type { Parts } from '../../parts.ts'
import { filesOverdue, pruneFiles } from './prune-files.ts'
import { dueChannels, type DueChannel, pruneChannel } from './prune-messages.ts'

const PERIOD_MS = 60_000
/** Batches per run; the next run continues. */
const BATCHES_MAX = 200

/** The backlog after the last run. */
export interface RetentionBacklog {
  /** Channels with expired messages. */
  places: number
  /** How overdue the oldest message or file is. */
  overdue_s: number
}

/** Deletes expired messages and files in batches. Each kind runs on one process. */
export class Retention extends Job {
  backlog: RetentionBacklog = { places: 0, overdue_s: 0 }
  /** Batches left in the current run. */
  private batchesLeft = 0

  constructor(private readonly parts: Pick<Parts, 'environment' | 'sql' | 'write' | 'log'>) {
    super(PERIOD_MS, 'retention', parts.log)
  }

  protected async work(): Promise<void> {
    const { MESSAGE_RETENTION_DAYS: days } = this.parts.environment
    this.batchesLeft = BATCHES_MAX
    for (const { id } of await this.channels()) await this.repeat((sql, emit) => pruneChannel(sql, emit, id, days))
    const { files } = this
    if (files) await this.repeat((sql, emit) => pruneFiles(sql, emit, files))
    await this.measure()
  }

  /** Runs batches until one is not full, another process has the job, or the run has reached BATCHES_MAX. */
  private repeat(batch: Batch): Promise<void> {
    return runBatches(this.parts.write, 'retention', () => this.batchesLeft-- > 0, batch)
  }

  private async measure(): Promise<void> {
    const places = await this.channels()
    const filesS = this.files ? await filesOverdue(this.parts.sql, this.files) : 0
    this.backlog = {
      places: places.length,
      overdue_s: Math.max(0, filesS, ...places.map((place) => place.overdue_s)),
    }
  }

  private channels(): Promise<DueChannel[]> {
    return dueChannels(this.parts.sql, this.parts.environment.MESSAGE_RETENTION_DAYS)
  }

  private get files() {
    const { FILE_RETENTION_DAYS: days, FILE_RETENTION_BYTES_MIN: bytesMin } = this.parts.environment
    return days === undefined ? undefined : { days, bytesMin }
  }
}
