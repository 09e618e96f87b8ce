import { codeOf, Problem } from '../../core/errors.ts'
import { Semaphore } from '../../core/semaphore.ts'
import { json } from '../../http/answers.ts'
import type { Database, Transaction } from '../../database/database.ts'
import { demand, membership, visibleChannel } from '../servers/guard.ts'
import { mark } from './document.ts'
import { Cursor, type MessageSearch, RESULTS_MAX } from './model.ts'
import { type Question, questionOf, TERMS_MAX } from './query.ts'

const STATEMENT_MS_MAX = 3_000
/** Searches of a process at once, each on a connection of its own; and how many wait. */
const AT_ONCE_MAX = 4
const WAITING_MAX = 50
/** PostgreSQL's code for a statement that took too long. */
const QUERY_CANCELED = '57014'
/** Before the first message of any server. */
const BEGINNING = '1970-01-01T00:00:00.000Z'
/** Clocks of nodes may differ by so much. */
const CLOCK_MS_MAX = 60_000

const refused = (message: string) =>
  new Problem('validation_failed', message, { errors: [{ path: 'query.q', message }] })

/** @throws Problem `validation_failed` where nothing is asked for, or too much */
function fullQuestion(query: MessageSearch): Question {
  const question = questionOf(query.q)
  if (!question) throw refused(`At most ${TERMS_MAX} words and phrases`)
  const { from, mentions, has, pinned } = query
  const marks = [
    ...(from === undefined ? [] : [mark.from(from)]),
    ...(mentions === undefined ? [] : [mark.mentions(mentions)]),
    ...(has === undefined ? [] : [mark.has(has)]),
    ...(pinned === 'true' ? [mark.pinned] : []),
  ]
  const terms = [...marks, ...question.terms]
  if (terms.length === 0) throw refused('Ask for a word, or for an author, a mention, has or pinned=true')
  return { ...question, terms, without: [...question.without, ...(pinned === 'false' ? [` ${mark.pinned} `] : [])] }
}

/** Searches messages; each answer is one statement, which reads only what its caller may read. */
export class Searches {
  readonly #running = new Semaphore(AT_ONCE_MAX, WAITING_MAX)

  constructor(private readonly sql: Database) {}

  /**
   * A page of what an account finds.
   * @throws Problem `validation_failed`, `not_found` for a server or channel that the account does not see,
   *   `missing_permission` where it may not read history, `unavailable` when it takes too long or too many search
   */
  async page(me: number, query: MessageSearch): Promise<Response> {
    const question = fullQuestion(query)
    if (query.server_id !== undefined) await membership(this.sql, query.server_id, me)
    if (query.channel_id !== undefined) {
      const { permissions } = await visibleChannel(this.sql, query.channel_id, me)
      demand(permissions, 'read_history')
    }
    if (this.#running.isFull()) throw new Problem('unavailable', 'Too many searches at once', { retry_after: 1 })
    try {
      return await this.#running.run(() => this.sql.begin((tx) => find(tx, me, query, question)))
    } catch (error) {
      if (codeOf(error) !== QUERY_CANCELED) throw error
      throw new Problem('unavailable', 'This search takes too long: add a rarer word, or a channel', { retry_after: 1 })
    }
  }
}

async function find(tx: Transaction, me: number, query: MessageSearch, question: Question): Promise<Response> {
  await tx`select set_config('statement_timeout', ${String(STATEMENT_MS_MAX)}, true)`
  const { server_id = null, channel_id = null, after = BEGINNING } = query
  const latest = new Date(Date.now() + CLOCK_MS_MAX).toISOString()
  const starts = [
    { before: latest, before_id: 0 },
    ...(query.before === undefined ? [] : [{ before: query.before, before_id: 0 }]),
    ...(query.cursor === undefined ? [] : [Cursor.parse(query.cursor)]),
  ]
  const start = starts.reduce((a, b) => (b.before < a.before ? b : a))
  const rows = await tx<{ id: number; created_at: string; body: string }[]>`
    select m.id, m.created_at, left(wire.body::text, -1) || ',"channel":' || json_build_object(
      'id', c.id, 'name', c.name, 'server_id', c.server_id) || '}' as body
    from (
      select array(select '#in' || t.id from channels t where t.id = ${channel_id} and t.type = 'thread') as own
    ) thread
    cross join lateral search_messages(searchable_places(${me}, ${server_id}, ${channel_id}),
      ${question.terms}::text[] || own,
      ${question.with}::text[], ${question.without}::text[],
      ${after}::timestamptz, ${start.before}::timestamptz, ${start.before_id}::bigint, ${RESULTS_MAX + 1}::int)
      with ordinality found
    join messages m on m.id = found.message_id join channels c on c.id = m.channel_id
    cross join lateral message_wire(m, ${me}) wire order by found.ordinality`
  const page = rows.slice(0, RESULTS_MAX)
  const last = rows.length > RESULTS_MAX ? page.at(-1) : undefined
  const cursor = last ? `"${Cursor.of(last.created_at, last.id)}"` : 'null'
  return json(`{"messages":[${page.map(({ body }) => body).join(',')}],"cursor":${cursor}}`)
}
