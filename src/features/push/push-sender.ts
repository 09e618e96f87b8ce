import { errorFields } from '../../core/log.ts'
import type { Parts } from '../../parts.ts'
import { type Notice, pushMessage, topicOf } from './notice.ts'
import { hostOf, type Manner, PushHosts, SLOW_MS } from './push-hosts.ts'
import type { PushServices } from './push-services.ts'

const SENDS_AT_ONCE = 32
/** Concurrent sends per account; push-hosts.ts bounds those per host. */
const SENDS_PER_ACCOUNT = 3
/** A notice whose sending has not ended within this time is sent again, by any process. */
const LEASE_SECONDS = 60
const PAUSE_SECONDS_MIN = 15
const PAUSE_SECONDS_MAX = 3_600
/** A subscription that has failed for this long is removed. */
const FAILING_DAYS_MAX = 3

/**
 * Sends queued notices, in no particular order. All processes share the work: an attempt first postpones the notice's
 * next attempt, so that no other process takes it and a crash loses nothing.
 */
export class PushSender {
  readonly #underway = new Map<number, number>()
  readonly #hosts = new PushHosts()
  readonly #sends = new Set<Promise<void>>()
  #beginning: Promise<void> | undefined
  #isStopped = false

  constructor(
    private readonly parts: Pick<Parts, 'sql' | 'log' | 'metrics'>,
    private readonly services: PushServices,
  ) {}

  /** Starts sends while slots are free. A second caller waits for the first, because both would use the same slots. */
  begin(): Promise<void> {
    return (this.#beginning ??= this.#fill().finally(() => (this.#beginning = undefined)))
  }

  /** Waits for running sends and their follow-ups. */
  async waitForSends(): Promise<void> {
    while (this.#sends.size > 0) await Promise.all(this.#sends)
  }

  stop(): void {
    this.#isStopped = true
  }

  async #fill(): Promise<void> {
    while (!this.#isStopped && this.#sends.size < SENDS_AT_ONCE) {
      const notice = await this.#take()
      if (!notice) return
      const host = hostOf(notice.endpoint)
      this.#count(notice.user_id, 1)
      this.#hosts.begin(host)
      const send: Promise<void> = this.#send(notice)
        .catch((error: unknown): Manner => {
          this.#warn(error)
          return 'none'
        })
        .then((manner) => {
          this.#count(notice.user_id, -1)
          this.#hosts.end(host, manner, performance.now())
          this.#sends.delete(send)
          return this.begin().catch((error: unknown) => this.#warn(error))
        })
      this.#sends.add(send)
    }
  }

  #warn(error: unknown): void {
    this.parts.log('warn', 'push', errorFields(error))
  }

  #count(userId: number, more: 1 | -1): void {
    const count = (this.#underway.get(userId) ?? 0) + more
    if (count > 0) this.#underway.set(userId, count)
    else this.#underway.delete(userId)
  }

  async #take(): Promise<Notice | undefined> {
    const busy = Array.from(this.#underway).flatMap(([id, count]) => (count < SENDS_PER_ACCOUNT ? [] : id))
    const { closed, only } = this.#hosts.open(performance.now())
    const [notice] = await this.parts.sql<Notice[]>`
      with taken as (
        update push_outbox set attempts = attempts + 1, due_at = now() + ${LEASE_SECONDS} * interval '1 second'
        where id = (select o.id from push_outbox o join push_subscriptions s on s.id = o.subscription_id
          where o.due_at <= now() and s.user_id <> all(${busy}::bigint[])
            and split_part(s.endpoint, '/', 3) <> all(${closed}::text[])
            and (${only}::text[] is null or split_part(s.endpoint, '/', 3) = any(${only}::text[]))
          order by o.due_at limit 1 for update of o skip locked)
        returning *
      )
      select o.id, s.user_id, o.subscription_id, s.endpoint, s.p256dh, s.auth, o.channel_id, o.kind, o.is_call,
        o.message_id, o.remind_id, o.event_id, o.event_n, o.attempts,
        ceil(extract(epoch from o.expires_at - now()))::int as left_s
      from taken o join push_subscriptions s on s.id = o.subscription_id`
    return notice
  }

  async #send(notice: Notice): Promise<Manner> {
    const { sql } = this.parts
    const message = notice.left_s > 0 ? await pushMessage(sql, notice) : undefined
    const urgency = notice.kind === 'over' ? 'low' : 'high'
    const delivery = { ttlS: notice.left_s, urgency, topic: topicOf(notice) } as const
    const beganMs = performance.now()
    const outcome = message ? await this.services.send(notice, message, delivery) : 'untold'
    const isSlow = performance.now() - beganMs > SLOW_MS
    const isFailed = typeof outcome !== 'string' || outcome === 'unanswered'
    this.parts.metrics.pushes.inc({ outcome: isFailed ? 'failed' : outcome })
    if (outcome === 'untold' || outcome === 'taken') await sql`delete from push_outbox where id = ${notice.id}`
    if (outcome === 'taken')
      await sql`update push_subscriptions set failing_since = null
        where id = ${notice.subscription_id} and failing_since is not null`
    else if (outcome === 'gone') await sql`delete from push_subscriptions where id = ${notice.subscription_id}`
    else if (isFailed) await this.#postpone(notice, outcome === 'unanswered' ? {} : outcome)
    if (outcome === 'untold') return 'none'
    if (outcome === 'unanswered') return isSlow ? 'late' : 'none'
    return isSlow ? 'slow' : 'in time'
  }

  /** @param status of the answer, if there was one */
  async #postpone(
    { id, subscription_id, endpoint, attempts }: Notice,
    { status, retryAfterS = 0 }: { status?: number; retryAfterS?: number | undefined },
  ): Promise<void> {
    const { sql, log } = this.parts
    const growingPause = Math.min(PAUSE_SECONDS_MIN * 2 ** Math.min(attempts - 1, 10), PAUSE_SECONDS_MAX)
    // An account may name any push service, so one that asks for no pause still gets a growing one.
    const pauseS = Math.max(growingPause, retryAfterS)
    await sql`update push_outbox set due_at = now() + ${pauseS} * interval '1 second' where id = ${id}`
    const [row] = await sql`update push_subscriptions set failing_since = now()
      where id = ${subscription_id} and failing_since is null returning 1`
    if (row) log('warn', 'push.failing', { subscription_id, host: hostOf(endpoint), status })
    await sql`delete from push_subscriptions
      where id = ${subscription_id} and failing_since < now() - ${FAILING_DAYS_MAX} * interval '1 day'`
  }
}
