import type { PendingQuery, Row } from 'postgres'
import { codeOf, Problem } from '../../core/errors.ts'
import { FairQueue } from '../../core/fair-queue.ts'
import { json } from '../../http/answers.ts'
import type { Database, Transaction } from '../../database/database.ts'
import type { Read } from '../../database/replicas.ts'
import { bodiesWithMine } from '../reactions/mine.ts'
import { demand, membership, visibleChannel } from '../access/guard.ts'
import { mark, RULES } from './document.ts'
import { Cursor, type MessageSearch, RESULTS_MAX } from './model.ts'
import { type Question, questionOf, sequenceOfTerm, TERMS_MAX } from './query.ts'

const STATEMENT_MS_MAX = 3_000
/** Time limit for scanning the newest messages before using the index. */
const WALK_MS_MAX = 500
/** Searches per process, each on its own connection; a burst of one account waits its turn. */
const LIMITS = { atOnce: 4, atOncePerAccount: 2, queuedMax: 64, queuedPerAccountMax: 20, waitMsMax: 10_000 }
/** PostgreSQL's error code for a statement timeout. */
const QUERY_CANCELED = '57014'
/** Before the first message of any server. */
const BEGINNING = '1970-01-01T00:00:00.000Z'
/** For a prefix, this many of the newest messages are scanned before using the index. */
const WALKED_MAX = 1_000
/** Tolerated difference between the clocks of processes. */
const CLOCK_MS_MAX = 60_000

const NOTHING_ASKED = 'Ask for a word, or narrow the search by a place, an author, a time or another filter'
const refusal = (message: string) =>
  new Problem('validation_failed', message, { errors: [{ path: 'query.q', message }] })

/** @throws Problem `validation_failed` for an empty query, or too many terms */
function fullQuestion(query: MessageSearch): Question {
  const question = questionOf(query.q)
  if (!question) throw refusal(`At most ${TERMS_MAX} words and phrases`)
  const { from, mentions, has, pinned } = query
  const marks = [
    ...(from === undefined ? [] : [mark.from(from)]),
    ...(mentions === undefined ? [] : [mark.mentions(mentions)]),
    ...(has === undefined ? [] : [mark.has(has)]),
    ...(pinned === 'true' ? [mark.pinned] : []),
  ]
  const terms = [...marks, ...question.terms]
  const without = [...question.without, ...(pinned === 'false' ? [` ${mark.pinned} `] : [])]
  const isNarrowed = [query.server_id, query.channel_id, query.before, query.after].some((value) => value !== undefined)
  const isWithoutWords = query.q.trim() !== '' && question.without.length === 0
  if (terms.length + without.length === 0 && (isWithoutWords || !isNarrowed)) throw refusal(NOTHING_ASKED)
  return { ...question, terms, without }
}

/**
 * The terms to look up, with the pairs of words if every document has them: during the rebuild after an upgrade, some
 * do not. Part of the searching statement, so that both read the same state.
 */
const lookedUp = (tx: Transaction, { terms, pairs }: Question) =>
  pairs.length === 0
    ? tx`${terms}::text[]`
    : tx`(${terms}::text[] || coalesce((
        select ${pairs}::text[] from search_progress p where p.rules = ${RULES} and p.whole_rules = p.rules), '{}'))`

/** The message of a hit, and when it was sent. */
interface Hit {
  id: number
  created_at: string
}

/** Searches messages; each statement reads only what its caller may read. */
export class Searches {
  readonly #queue = new FairQueue(LIMITS)

  constructor(private readonly read: Read) {}

  /**
   * A page of search results.
   * @throws Problem `validation_failed`, `not_found` for a server or channel that the account does not see,
   * `missing_permission` where it may not read history, `unavailable` when it takes too long or too many search
   */
  async page(me: number, query: MessageSearch): Promise<Response> {
    const question = fullQuestion(query)
    return this.#run(me, async (tx) => {
      if (query.server_id !== undefined) await membership(tx, query.server_id, me)
      if (query.channel_id === undefined) return find(tx, me, query, question)
      const { permissions, type } = await visibleChannel(tx, query.channel_id, me)
      demand(permissions, 'read_history')
      const inThread = type === 'thread' ? [mark.inThread(query.channel_id)] : []
      return find(tx, me, query, { ...question, terms: [...question.terms, ...inThread] })
    })
  }

  /**
   * The messages by which posts of a forum are found, newest first. The caller may read the history there.
   * @param cursor of the page before
   * @throws Problem `validation_failed`, `unavailable` as page()
   */
  async posts(
    me: number,
    forumId: number,
    q: string,
    cursor: string | undefined,
    count: number,
  ): Promise<{ hits: { id: number; cursor: string }[]; cursor: string | undefined }> {
    const question = fullQuestion({ q, channel_id: forumId })
    question.terms.push(mark.post)
    const hits = await this.#run(me, (tx) => postHits(tx, forumId, question, cursor, count + 1))
    const page = hits.slice(0, count).map(({ id, created_at }) => ({ id, cursor: Cursor.of(created_at, id) }))
    return { hits: page, cursor: hits.length > count ? page.at(-1)?.cursor : undefined }
  }

  async #run<T>(me: number, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const search = async (sql: Database) => {
      const { value } = await sql.begin(async (tx) => ({ value: await work(tx) }))
      return value
    }
    try {
      // The read is inside: repeated elsewhere, it does not wait behind itself on a replica that is lost.
      return await this.#queue.run(me, () => this.read('search', search))
    } catch (error) {
      if (codeOf(error) !== QUERY_CANCELED) throw error
      throw new Problem('unavailable', 'This search takes too long: add a rarer word, or a channel', { retry_after: 1 })
    }
  }
}

interface FoundRow {
  id: number
  created_at: string
  body: string
  /** The bodies of the messages before and after the hit, and of the one that it replies to; or empty. */
  context: string[]
}

/** The context of a message `m`, if the account may read it. */
const context = (tx: Transaction, me: number) => {
  const bodyOf = (query: PendingQuery<Row[]>) => tx`coalesce((select wire.body::text from (${query}) beside
    join messages o on o.id = beside.id cross join lateral message_wire(o, ${me}) wire), 'null')`
  const sameChannel = tx`select o.id from messages o where o.channel_id = m.channel_id`
  return tx`array[${bodyOf(tx`${sameChannel} and o.id < m.id order by o.id desc limit 1`)},
    ${bodyOf(tx`${sameChannel} and o.id > m.id order by o.id limit 1`)},
    ${bodyOf(tx`${sameChannel} and o.id = m.reply_to_id`)}]`
}

/** The bodies of the hits, with the caller's reactions, and with context if requested. */
async function bodiesOf(tx: Transaction, me: number, rows: FoundRow[]): Promise<string[]> {
  const allBodies = rows.flatMap(({ body, context }) => [body, ...context])
  const bodies = (await bodiesWithMine(tx, me, allBodies)).values()
  const next = () => bodies.next().value ?? 'null'
  return rows.map(({ context }) => {
    const body = next()
    if (context.length === 0) return body
    return `${body.slice(0, -1)},"context":{"before":${next()},"after":${next()},"reply_to":${next()}}}`
  })
}

/** The rows found within WALK_MS_MAX; undefined if it takes longer. */
async function quickly(
  tx: Transaction,
  read: (inner: Transaction) => PromiseLike<FoundRow[]>,
): Promise<FoundRow[] | undefined> {
  try {
    return await tx.savepoint(async (inner) => {
      await limit(inner, WALK_MS_MAX)
      const rows = await read(inner)
      await limit(inner, STATEMENT_MS_MAX)
      return rows
    })
  } catch (error) {
    // Rolling back the savepoint also resets the timeout.
    if (codeOf(error) !== QUERY_CANCELED) throw error
    return undefined
  }
}

const limit = (tx: Transaction, ms: number) => tx`select set_config('statement_timeout', ${String(ms)}, true)`

async function find(tx: Transaction, me: number, query: MessageSearch, question: Question): Promise<Response> {
  await limit(tx, STATEMENT_MS_MAX)
  const { server_id = null, channel_id = null, after = BEGINNING } = query
  const latest = new Date(Date.now() + CLOCK_MS_MAX).toISOString()
  const starts = [
    { before: latest, before_id: 0 },
    ...(query.before === undefined ? [] : [{ before: query.before, before_id: 0 }]),
    ...(query.cursor === undefined ? [] : [Cursor.parse(query.cursor)]),
  ]
  const start = starts.reduce((a, b) => (b.before < a.before ? b : a))
  const places = tx`searchable_places(${me}, ${server_id}, ${channel_id})`
  const bounds = tx`${after}::timestamptz, ${start.before}::timestamptz, ${start.before_id}::bigint,
    ${RESULTS_MAX + 1}::int`
  const { terms, without } = question
  /** Scans messages from the newest on. */
  const walk = (readMax: number | null) =>
    tx`newest_documents(${places}, ${[...question.with, ...terms.map(sequenceOfTerm)]}::text[], ${without}::text[],
      ${bounds}, ${readMax}::int)`
  /** Uses the index of terms. */
  const lookUp = () =>
    tx`search_messages(${places}, ${lookedUp(tx, question)}, ${question.with}::text[], ${without}::text[], ${bounds})`
  const rowsOf = (on: Transaction, hits: PendingQuery<Row[]>) => on<FoundRow[]>`
    select m.id, m.created_at, left(wire.body::text, -1) || ',"channel":' || json_build_object(
      'id', c.id, 'name', c.name, 'server_id', c.server_id) || '}' as body,
      ${query.context === 'true' ? context(tx, me) : tx`'{}'::text[]`} as context
    from ${hits} with ordinality found
    join messages m on m.id = found.message_id join channels c on c.id = m.channel_id
    cross join lateral message_wire(m, ${me}) wire order by found.ordinality`
  const allRows = async () => {
    if (terms.length === 0) return rowsOf(tx, walk(null))
    if (!terms.some((term) => term.endsWith('*'))) return rowsOf(tx, lookUp())
    // For a prefix, the index must collect all matching words before it can tell the newest messages.
    const newest = await quickly(tx, (inner) => rowsOf(inner, walk(WALKED_MAX)))
    if (newest && newest.length > RESULTS_MAX) return newest
    return rowsOf(tx, lookUp())
  }
  const rows = await allRows()
  const page = rows.slice(0, RESULTS_MAX)
  const bodies = await bodiesOf(tx, me, page)
  const last = rows.length > RESULTS_MAX ? page.at(-1) : undefined
  const cursor = last ? `"${Cursor.of(last.created_at, last.id)}"` : 'null'
  return json(`{"messages":[${bodies.join(',')}],"cursor":${cursor}}`)
}

async function postHits(
  tx: Transaction,
  forumId: number,
  question: Question,
  cursor: string | undefined,
  count: number,
): Promise<Hit[]> {
  await limit(tx, STATEMENT_MS_MAX)
  const latest = { before: new Date(Date.now() + CLOCK_MS_MAX).toISOString(), before_id: 0 }
  const start = cursor === undefined ? latest : Cursor.parse(cursor)
  return tx<Hit[]>`
    select found.message_id as id, found.created_at
    from search_messages(array[${forumId}::bigint], ${lookedUp(tx, question)},
      ${question.with}::text[], ${question.without}::text[],
      ${BEGINNING}::timestamptz, ${start.before}::timestamptz, ${start.before_id}::bigint, ${count}::int) found`
}
