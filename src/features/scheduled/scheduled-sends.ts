import { type ErrorCode, Problem } from '../../core/errors.ts'
import { topic } from '../../core/events.ts'
import { Job } from '../../core/job.ts'
import type { Settle } from '../../core/judge.ts'
import { errorFields } from '../../core/log.ts'
import { isDatabaseAway, isLockTimeout, isRefused, type Transaction } from '../../database/database.ts'
import { isAny } from '../../database/job-lock.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { type Outgoing, scheduledEventsOf, scheduledStatement } from '../messages/send-statements.ts'
import { ScheduledChange } from './model.ts'

const PERIOD_MS = 1_000
/** Messages per claim, and sends of a process at once. */
const BATCH_MAX = 50
const AT_ONCE = 4
const BATCHES_MAX = 20
/** A claim lasts longer than a batch takes; afterwards another process may try. */
const CLAIM_SECONDS = 60
/** Pause after a failed attempt; it grows with the attempts up to the maximum. */
const PAUSE_SECONDS = 2
const PAUSE_SECONDS_MAX = 30
/** A message that the database refuses this often is returned to its author. */
const ATTEMPTS_MAX = 5

interface Claimed {
  id: number
  version: number
  attempts: number
  author_id: number
  channel_id: number | null
  content: string
  reply_to_id: number | null
  reply_mention: boolean
  file_ids: number[]
}

/**
 * Sends scheduled messages that are due. Every process does so: a claim keeps the others away for a while, and
 * `send_scheduled` sends a message and removes its schedule in one statement, so that none is sent twice or lost,
 * whichever process dies when.
 */
export class ScheduledSends extends Job {
  constructor(private readonly parts: Pick<Parts, 'sql' | 'write' | 'log' | 'space' | 'judge'>) {
    super(PERIOD_MS, 'scheduled', parts.log)
  }

  protected async work(): Promise<void> {
    const { sql, space } = this.parts
    const due: ReturnType<typeof sql> =
      sql`select from scheduled_messages where state = 'waiting' and due_at <= now() limit 1`
    if (!(await isAny(sql, due))) return
    // Without space nothing is sent, and nothing is returned.
    if (await space.isFull()) return
    for (let batch = 0; batch < BATCHES_MAX && !this.isStopped; batch++) {
      const messages = await this.#claim()
      const queue = messages.values()
      const sendAll = async () => {
        for (const message of queue) await this.#attempt(message)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, sendAll))
      if (messages.length < BATCH_MAX) return
    }
  }

  #claim(): Promise<Claimed[]> {
    return this.parts.write(
      (sql) => sql<Claimed[]>`
        update scheduled_messages s set due_at = now() + ${CLAIM_SECONDS} * interval '1 second', attempts = attempts + 1
        where id in (select id from scheduled_messages where state = 'waiting' and due_at <= now()
          order by due_at limit ${BATCH_MAX} for update skip locked)
        returning id, version, attempts, author_id, channel_id, content, reply_to_id, reply_mention,
          array(select f.id from files f where f.scheduled_id = s.id order by f.ordinal) as file_ids`,
    )
  }

  async #attempt({ id, version, attempts, channel_id, ...draft }: Claimed): Promise<void> {
    const message = {
      ...draft,
      to: { channel_id: channel_id ?? 0 },
      forward_message_id: null,
      copies: [],
      nonce: `scheduled:${id}`,
      poll: null,
      sticker_id: null,
      data: null,
    }
    try {
      const settle = await this.#judge(message)
      const statement = scheduledStatement(id, version, message)
      const [sent] = await this.parts.write.once(statement, (rows) => rows.flatMap(scheduledEventsOf))
      // Nobody has read a message that was returned to its author.
      if (sent?.outcome === 'created') await settle?.()
    } catch (error) {
      if (error instanceof Problem && error.code === 'automod_blocked') {
        await this.parts.write((sql, emit) => giveBack(sql, draft.author_id, { id, version, reason: error.code }, emit))
        return
      }
      // A commit without an answer may have succeeded: the next claim finds out.
      if (isDatabaseAway(error)) throw error
      this.parts.log('warn', 'scheduled.send', { id, ...errorFields(error) })
      const isHopeless = isRefused(error) && !isLockTimeout(error) && attempts >= ATTEMPTS_MAX
      await this.parts.write((sql, emit) =>
        isHopeless
          ? giveBack(sql, draft.author_id, { id, version, reason: 'internal' }, emit)
          : postpone(sql, id, version, attempts),
      )
    }
  }

  /** @throws Problem `automod_blocked` */
  async #judge({ author_id, to, content, file_ids, nonce }: Outgoing): Promise<Settle | undefined> {
    const { judge } = this.parts
    if (judge.isIdle() || !('channel_id' in to)) return undefined
    return judge.demand({ author_id, place: to, texts: [content], file_ids, nonce, isNew: true })
  }
}

async function postpone(sql: Transaction, id: number, version: number, attempts: number): Promise<void> {
  const seconds = Math.min(attempts * PAUSE_SECONDS, PAUSE_SECONDS_MAX)
  await sql`update scheduled_messages set due_at = now() + ${seconds} * interval '1 second'
    where id = ${id} and version = ${version} and state = 'waiting'`
}

async function giveBack(
  sql: Transaction,
  userId: number,
  { id, version, reason }: { id: number; version: number; reason: ErrorCode },
  emit: Emit,
): Promise<void> {
  const [row] = await sql`update scheduled_messages set state = 'returned', reason = ${reason}, version = version + 1
    where id = ${id} and version = ${version} and state = 'waiting' returning id, channel_id, send_at, state, reason`
  if (row) emit(topic.user(userId), 'scheduled.updated', ScheduledChange.parse(row))
}
