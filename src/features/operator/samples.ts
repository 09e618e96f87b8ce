import { monitorEventLoopDelay } from 'node:perf_hooks'
import { measureVolume } from '../../core/disk-space.ts'
import { Job } from '../../core/job.ts'
import type { Sql } from '../../database/database.ts'
import { claim } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import type { Sample } from './model.ts'

const PERIOD_MS = 60_000
/** Samples per minute are merged into hours after this many hours; samples per hour are kept for this many days. */
const MINUTES_KEPT_HOURS = 26
const HOURS_KEPT_DAYS = 92
/** Figures that are expensive to count are counted once in this many minutes. */
const COUNTED_EVERY_MINUTES = 10

/** The period of each span, and the time that each of its points covers. */
const SPANS = {
  hour: { seconds: 3_600, stepS: 60 },
  day: { seconds: 86_400, stepS: 300 },
  month: { seconds: 30 * 86_400, stepS: 3 * 3_600 },
}

/** The figures over time, oldest first: at most about 300 points. */
export const samplesOf = (sql: Sql, span: keyof typeof SPANS) => {
  const { seconds, stepS } = SPANS[span]
  return sql<Sample[]>`
    select to_timestamp(floor(extract(epoch from at) / ${stepS}) * ${stepS})::timestamptz(3) as at,
      max(sockets) as sockets, sum(requests)::bigint as requests, sum(failures)::bigint as failures,
      max(lag_ms) as lag_ms, max(memory_bytes) as memory_bytes, sum(messages)::bigint as messages,
      min(free_bytes) as free_bytes, max(accounts) as accounts, max(database_bytes) as database_bytes
    from samples where at > now() - ${seconds} * interval '1 second' group by 1 order by 1`
}

/** Adds a sample each minute: this process's activity since its last sample is added to the minute's row. */
export class Samples extends Job {
  private readonly delay = monitorEventLoopDelay({ resolution: 20 })
  private requests = 0
  private failures = 0
  private messages = 0
  /** The minute to which this process has added its sockets and memory. */
  private minute = ''

  constructor(private readonly parts: Parts) {
    super(PERIOD_MS, 'samples', parts.log)
    this.delay.enable()
  }

  override stop(): void {
    super.stop()
    this.delay.disable()
  }

  protected async work(): Promise<void> {
    const { sql } = this.parts
    const { at, isNew } = await this.add()
    if (isNew && Math.floor(Date.parse(at) / 60_000) % COUNTED_EVERY_MINUTES === 0) await this.count(at)
    await sql.begin(async (tx) => {
      if (!(await claim(tx, 'samples'))) return
      await tx`with old as (delete from samples
          where seconds = 60 and at < date_trunc('hour', now() - ${MINUTES_KEPT_HOURS} * interval '1 hour') returning *)
        insert into samples (at, seconds, sockets, requests, failures, lag_ms, memory_bytes, messages, free_bytes,
          accounts, database_bytes)
        select date_trunc('hour', at), 3600, max(sockets), sum(requests), sum(failures), max(lag_ms),
          max(memory_bytes), sum(messages), min(free_bytes), max(accounts), max(database_bytes)
        from old group by 1 on conflict (seconds, at) do nothing`
      await tx`delete from samples where seconds = 3600 and at < now() - ${HOURS_KEPT_DAYS} * interval '1 day'`
    })
  }

  /** Adds this process's figures to the minute's row. @returns the minute, and whether its row is new */
  private async add(): Promise<{ at: string; isNew: boolean }> {
    const { sql, environment } = this.parts
    const counts = await this.sinceLast()
    const volume = await measureVolume(environment.DATA_DIR)
    const free_bytes = volume?.free_bytes ?? null
    const lag_ms = Math.max(0, Math.round(this.delay.max / 1e6))
    this.delay.reset()
    const [{ minute }] = await sql<[{ minute: string }]>`select date_trunc('minute', now())::timestamptz(3) as minute`
    const isFirst = minute !== this.minute
    this.minute = minute
    const sockets = isFirst ? counts.sockets : 0
    const memory_bytes = isFirst ? process.memoryUsage.rss() : 0
    const { requests, failures, messages } = counts
    const row = { at: minute, seconds: 60, sockets, requests, failures, lag_ms, memory_bytes, messages, free_bytes }
    const [storedRow] = await sql<[{ is_new: boolean }]>`insert into samples ${sql(row)}
      on conflict (seconds, at) do update set sockets = samples.sockets + excluded.sockets,
        requests = samples.requests + excluded.requests, failures = samples.failures + excluded.failures,
        lag_ms = greatest(samples.lag_ms, excluded.lag_ms), memory_bytes = samples.memory_bytes + excluded.memory_bytes,
        messages = samples.messages + excluded.messages, free_bytes = least(samples.free_bytes, excluded.free_bytes)
      returning xmax = 0 as is_new`
    return { at: minute, isNew: storedRow.is_new }
  }

  /** This process's counts since the last call. */
  private async sinceLast() {
    const { metrics } = this.parts
    const { values } = await metrics.requests.get()
    let [requests, failures, messages] = [0, 0, 0]
    for (const { metricName, labels, value } of values) {
      if (metricName !== 'parley_http_request_seconds_count') continue
      requests += value
      if (String(labels.status).startsWith('5')) failures += value
      if (isSend(labels)) messages += value
    }
    const [open] = (await metrics.sockets.get()).values
    const since = {
      requests: requests - this.requests,
      failures: failures - this.failures,
      messages: messages - this.messages,
      sockets: open?.value ?? 0,
    }
    Object.assign(this, { requests, failures, messages })
    return since
  }

  private async count(at: string): Promise<void> {
    await this.parts.sql`update samples set database_bytes = pg_database_size(current_database()),
      accounts = (select count(*) from users where deleted_at is null) where seconds = 60 and at = ${at}`
  }
}

/** True if requests with these labels sent messages. */
const isSend = ({ method, route, status }: { method?: unknown; route?: unknown; status?: unknown }): boolean =>
  method === 'POST' &&
  String(status) === '201' &&
  (route === '/api/channels/:channel_id/messages' || route === '/api/dm/messages')
