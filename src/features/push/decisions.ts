import type { Transaction } from '../../database/database.ts'
import { isAny } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import { isUndisturbed, queueMessage, withdraw } from './outbox.ts'

const AT_ONCE = 4
/** If a device shows the place, check again after this time: the user may leave without having read it. */
const LOOK_AGAIN_SECONDS = 30
/** A notice older than this is not withdrawn any more. */
const KEPT_DAYS = 7
/** Places to keep per account, and in total: half of the bounds in log-reader.ts, newest first. */
const KEPT_PER_ACCOUNT_MAX = 200
const KEPT_MAX = 50_000

/** The gateway's knowledge of an account on all processes. */
export interface Attention {
  /** True if a focused device of the account shows the place. */
  isFocused(user_id: number, channel_id: number): boolean
  isOnline(user_id: number): boolean
}

interface DuePlace {
  user_id: number
  channel_id: number
  told_id: number
  /** True if the message of the last notice still exists. */
  is_there: boolean
}

/**
 * Decides for each place that is due whether its account gets a notice. All processes share the work; each place is
 * handled by one.
 */
export class Decisions {
  constructor(
    private readonly sql: Parts['sql'],
    private readonly attention: Attention,
  ) {}

  async run(): Promise<void> {
    const { sql } = this
    if (!(await isAny(sql, sql`select from push_places where due_at <= now() order by due_at limit 1`))) return
    const decideAll = async () => {
      while (await this.#one());
    }
    await Promise.all(Array.from({ length: AT_ONCE }, decideAll))
  }

  async forget(): Promise<void> {
    await this.sql`delete from push_places where changed_at < now() - ${KEPT_DAYS} * interval '1 day'`
    // Places that are still undecided stay.
    await this.sql`delete from push_places where due_at is null and (user_id, channel_id) in (
      select user_id, channel_id from (
        select user_id, channel_id, row_number() over (order by due_at is null, changed_at desc) as of_all,
          row_number() over (partition by user_id order by due_at is null, changed_at desc) as of_account
        from push_places) ranked
      where of_all > ${KEPT_MAX} or of_account > ${KEPT_PER_ACCOUNT_MAX})`
  }

  /** @returns false when none was due */
  #one(): Promise<boolean> {
    return this.sql.begin(async (sql) => {
      const [place] = await sql<DuePlace[]>`
        select user_id, channel_id, told_id, exists (select from messages m where m.id = told_id) as is_there
        from push_places where due_at <= now() order by due_at limit 1 for update skip locked`
      if (place) await this.#decide(sql, place)
      return place !== undefined
    })
  }

  async #decide(sql: Transaction, place: DuePlace): Promise<void> {
    const { user_id, channel_id, told_id } = place
    const { isFocused, isOnline } = this.attention
    const [notice] = await sql<{ is_unread: boolean; message_id: number | null }[]>`
      select is_unread, message_id from notice_in(${user_id}, ${channel_id}, ${told_id}, ${isOnline(user_id)})`
    if (told_id > 0 && (!notice?.is_unread || !place.is_there)) {
      await withdraw(sql, { user_id, channel_id, is_call: false })
      if (!notice || notice.message_id === null) return leave(sql, place, 0)
      // Decide again about events that arrived meanwhile.
      await sql`update push_places set due_at = now(), told_id = 0, changed_at = now()
        where user_id = ${user_id} and channel_id = ${channel_id}`
      return
    }
    if (!notice || notice.message_id === null) return leave(sql, place, told_id)
    if (isFocused(user_id, channel_id)) {
      await sql`update push_places set due_at = now() + ${LOOK_AGAIN_SECONDS} * interval '1 second'
        where user_id = ${user_id} and channel_id = ${channel_id}`
      return
    }
    if (await isUndisturbed(sql, user_id)) return leave(sql, place, told_id)
    await queueMessage(sql, place, notice.message_id)
    await leave(sql, place, notice.message_id)
  }
}

/** Remembers the last notice of a place until something new happens there. */
async function leave(sql: Transaction, { user_id, channel_id }: DuePlace, told_id: number): Promise<void> {
  if (told_id === 0) await sql`delete from push_places where user_id = ${user_id} and channel_id = ${channel_id}`
  else
    await sql`update push_places set due_at = null, told_id = ${told_id}, changed_at = now()
      where user_id = ${user_id} and channel_id = ${channel_id}`
}
