import type { Sql, Transaction } from '../../database/database.ts'
import { found } from '../../core/errors.ts'
import { BatchJob } from '../../events/batch-job.ts'
import type { Notify } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import type { OwnStatus } from './model.ts'
import type { Choice } from './shown.ts'

const PERIOD_MS = 1_000
const BATCH_MAX = 200
const BATCHES_MAX = 20

/** A choice from the row of an account. */
const choiceColumns = (sql: Sql) => sql`own_status as status, status_text as text, status_emoji as emoji,
  iso(status_until) as until, status_set_at as set_at`

/** The same as JSON: null for an account that never chose. */
export const choiceJson = (sql: Sql, table: string) => sql`case when ${sql(table)}.own_status is not null then
  json_build_object('status', ${sql(table)}.own_status, 'text', ${sql(table)}.status_text,
    'emoji', ${sql(table)}.status_emoji, 'until', iso(${sql(table)}.status_until),
    'set_at', ${sql(table)}.status_set_at) end`

/** The choices of these accounts; those who never chose are left out. */
export const choicesOf = (sql: Sql, userIds: number[]) => sql<{ user_id: number; choice: Choice }[]>`
  select id as user_id, ${choiceJson(sql, 'u')} as choice from users u
  where id = any(${userIds}) and own_status is not null`

/** Numbers the choices of one account: their notices may arrive in another order. */
const nextNumber = (sql: Sql) =>
  sql`greatest((extract(epoch from clock_timestamp()) * 1000)::bigint, status_set_at + 1)`

/** Stores an account's choice, and leaves a notice for the processes that have its sockets. */
export async function choose(sql: Transaction, notify: Notify, userId: number, own: OwnStatus): Promise<void> {
  const [choice] = await sql<Choice[]>`
    update users set own_status = ${own.status}, status_text = ${own.text}, status_emoji = ${own.emoji},
      status_until = ${own.until}, status_set_at = ${nextNumber(sql)}
    where id = ${userId} and deleted_at is null returning ${choiceColumns(sql)}`
  notify({ kind: 'status_changed', user_id: userId, choice: found(choice, 'token_revoked') })
}

/** Ends the statuses whose time is over: the account is online again, without text and emoji. */
export class StatusEnds extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(parts, {
      name: 'status_ends',
      periodMs: PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: (sql) => sql`select from users where status_until <= now() limit 1`,
      batch: async (sql, _emit, notify) => {
        const rows = await sql<(Choice & { user_id: number })[]>`
          update users set own_status = 'online', status_text = null, status_emoji = null, status_until = null,
            status_set_at = ${nextNumber(sql)}
          where id in (select id from users where status_until <= now() order by status_until limit ${BATCH_MAX}
            for no key update skip locked)
          returning id as user_id, ${choiceColumns(sql)}`
        for (const { user_id, ...choice } of rows) notify({ kind: 'status_changed', user_id, choice })
        return rows.length === BATCH_MAX
      },
    })
  }
}
