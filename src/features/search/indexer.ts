import { codeOf, Problem } from '../../core/errors.ts'
import { Job } from '../../core/job.ts'
import type { Log } from '../../core/log.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import { claim, isAny } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import { type Indexed, RULES, termsOf } from './document.ts'

const PERIOD_MS = 500
/** Events, and messages, per transaction. */
const EVENTS_MAX = 2_000
const MESSAGES_MAX = 500
/**
 * UTF-16 units of terms per transaction. Each pair of Chinese letters is a key of the index: 500 messages of only these
 * took PostgreSQL longer than a statement may, and their batch failed each time.
 */
const TERM_UNITS_MAX = 1024 * 1024
/** UTF-16 units to process before yielding to the event loop. */
const TURN_UNITS = 32 * 1024
/**
 * Rest after a batch, as a multiple of its duration, by remaining work. If newer messages remain, many are being sent,
 * and sending has priority.
 */
const RESTS = { newer: 3, older: 1 }
const REST_MS_MIN = 5
/** Attempts to lock the job, and the pause between them. */
const CLAIMS_MAX = 200
const CLAIM_MS = 50

/** PostgreSQL's error code for a lock timeout. */
const LOCK_NOT_AVAILABLE = '55P03'
/** PostgreSQL's error classes caused by a row's content: data exceptions, constraints, program limits. */
const OF_A_ROW = ['22', '23', '54']

/** The job's position. */
interface Progress {
  xid: string
  event_id: number
  /** Messages below this id still have to be indexed; null: none. */
  below_id: number | null
  /** Lower end of that range: only messages above this id; null: all. */
  above_id: number | null
  /** Version of the rules by which documents are made. */
  rules: number
}

/**
 * Indexes messages behind the event log, on one process. Older messages without events are indexed from the
 * newest to the oldest: after an upgrade, after a restored backup, and if the log no longer reaches back to the job's
 * position. If an upgrade changes the rules for terms, every document is rebuilt in this order; until then a message is
 * found by its old terms.
 */
export class SearchIndexer extends Job {
  /** True if the last batch found nothing: one cheap statement then checks for work before the next. */
  #isIdle = false

  constructor(private readonly parts: Pick<Parts, 'sql' | 'log'>) {
    super(PERIOD_MS, 'search', parts.log)
  }

  protected async work(): Promise<void> {
    const { sql, log } = this.parts
    if (this.#isIdle && !(await isAny(sql, dueWork(sql)))) return
    while (!this.isStopped) {
      const startedAt = performance.now()
      const outcome = await sql
        .begin(async (tx) => ((await claim(tx, 'search')) ? indexBatch(tx, log) : 'nothing'))
        .catch((error: unknown) => {
          // A deletion or a search holds a lock that emptying the index needs: the next run continues.
          if (codeOf(error) === LOCK_NOT_AVAILABLE) return 'nothing' as const
          throw error
        })
      this.#isIdle = outcome === 'idle'
      if (outcome === 'nothing' || outcome === 'idle') return
      await Bun.sleep(Math.max(REST_MS_MIN, RESTS[outcome] * (performance.now() - startedAt)))
    }
  }
}

/** Selects a row if there is work. */
const dueWork = (sql: Sql): ReturnType<Sql> => sql`
  select 1 where not exists (
    select from search_progress p join event_log_origin o on o.since = p.log_since
    where p.below_id is null and p.rules = ${RULES} and exists (select from events where id <= p.event_id))
  union all (select 1 from events
    where (xid, id) > ((select xid from search_progress), (select event_id from search_progress))
      and xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid, id limit 1)`

/**
 * @returns the remaining work: `newer` messages of the log, `older` ones, or `nothing`; `idle` if there was none at all
 */
async function indexBatch(tx: Transaction, log: Log): Promise<'newer' | 'older' | 'nothing' | 'idle'> {
  // Do not make others wait for the job: give up early, and the next run continues.
  await tx`set local lock_timeout = '200ms'`
  const savedProgress = (await knownProgress(tx)) ?? (await beginAnew(tx))
  const progress = savedProgress.rules === RULES ? savedProgress : await beginRules(tx)
  const events = await eventsAfter(tx, progress)
  const newer = [...new Set(events.flatMap(({ message_id }) => message_id ?? []))]
  const isFull = newer.length > MESSAGES_MAX || events.length === EVENTS_MAX
  const { below_id, above_id } = progress
  const older = isFull || below_id === null ? [] : await olderThan(tx, below_id, above_id ?? 0)
  if (events.length === 0 && older.length === 0 && below_id === null) return 'idle'
  const batch = [...new Set([...newer.slice(0, MESSAGES_MAX), ...older])]
  const indexed = new Set(batch.slice(0, await index(tx, log, batch)))
  const isLeft = (id: number | null) => id !== null && !indexed.has(id)
  // Stop before the first event of a message that did not fit.
  const end = events.findIndex(({ message_id }) => isLeft(message_id))
  const last = (end < 0 ? events : events.slice(0, end)).at(-1)
  const olderEnd = older.findIndex(isLeft)
  const lowest = (olderEnd < 0 ? older : older.slice(0, olderEnd)).at(-1)
  const isMoreOlder = isFull || olderEnd >= 0 || older.length === MESSAGES_MAX
  const nextBelowId = isMoreOlder ? (lowest ?? below_id) : null
  await tx`update search_progress set xid = ${last?.xid ?? progress.xid}::text::xid8,
    event_id = ${last?.id ?? progress.event_id}, below_id = ${nextBelowId},
    above_id = ${nextBelowId === null ? null : above_id},
    whole_rules = case when ${nextBelowId === null} then rules else whole_rules end`
  if (isFull || end >= 0) return 'newer'
  return nextBelowId === null ? 'nothing' : 'older'
}

/**
 * The events after a position. `message_id` is the message to index: for an event of a thread, or of a thread's
 * deletion, the message at which the thread began.
 */
const eventsAfter = (tx: Transaction, { xid, event_id }: Progress) => tx<
  { id: number; xid: string; message_id: number | null }[]
>`
    select e.id, e.xid::text as xid, case
      when e.type in ('message.created', 'message.updated') then substr(e.resource, length('message:') + 1)::bigint
      when e.type in ('thread.created', 'thread.updated')
        then named_message(substr(e.resource, length('thread:') + 1)::bigint)
      when e.type in ('message.deleted', 'channel.pruned_by')
        then named_message((e.body ->> 'channel_id')::bigint) end as message_id
    from events e where (e.xid, e.id) > (${xid}::text::xid8, ${event_id}::bigint)
      and e.xid < pg_snapshot_xmin(pg_current_snapshot())
    order by e.xid, e.id limit ${EVENTS_MAX}`

/** The job's position, if it belongs to this log and the log reaches back to it. */
async function knownProgress(tx: Transaction): Promise<Progress | undefined> {
  const [progress] = await tx<Progress[]>`
    select p.xid::text as xid, p.event_id, p.below_id, p.above_id, p.rules
    from search_progress p join event_log_origin o on o.since = p.log_since
    where exists (select from events where id <= p.event_id)`
  return progress
}

/**
 * Schedules all messages to be indexed again by the present rules; existing documents stay until then. An earlier
 * version that runs as well does the same for its rules, so whole_rules may be the present ones from before.
 */
async function beginRules(tx: Transaction): Promise<Progress> {
  const [progress] = await tx<[Progress]>`
    update search_progress set rules = ${RULES}, whole_rules = null, above_id = null,
      below_id = (select max(id) + 1 from messages)
    returning xid::text as xid, event_id, below_id, above_id, rules`
  return progress
}

/** Empties the index and starts over: new messages from the log, existing ones from the newest to the oldest. */
async function beginAnew(tx: Transaction): Promise<Progress> {
  await tx`truncate search_documents, search_progress`
  const [progress] = await tx<[Progress]>`
    insert into search_progress (log_since, xid, event_id, below_id, rules, whole_rules)
    select o.since, pg_snapshot_xmin(pg_current_snapshot()), (select coalesce(min(id), 0) from events),
      (select max(id) + 1 from messages), ${RULES}, ${RULES}
    from event_log_origin o returning xid::text as xid, event_id, below_id, above_id, rules`
  return progress
}

async function olderThan(tx: Transaction, below_id: number, above_id: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select id from messages where id < ${below_id} and id > ${above_id} order by id desc limit ${MESSAGES_MAX}`
  return rows.map(({ id }) => id)
}

/**
 * Schedules the messages from `first` to `last`, which have no events, for indexing.
 * @throws Problem `unavailable` if the job does not release its lock in time
 */
export async function indexAgain(tx: Transaction, first: number, last: number): Promise<void> {
  for (let attempt = 0; !(await claim(tx, 'search')); attempt++) {
    if (attempt === CLAIMS_MAX) throw new Problem('unavailable', 'The index of messages is busy', { retry_after: 1 })
    await Bun.sleep(CLAIM_MS)
  }
  // Without a row the job starts over with all messages anyway.
  await tx`update search_progress set below_id = greatest(below_id, ${last + 1}),
    above_id = case when below_id is null then ${first - 1}
      when above_id is not null then least(above_id, ${first - 1}) end`
}

/** A row of search_documents. */
interface Document {
  id: number
  place_id: number
  created_at: string
  thread_id: number | null
  terms: string
}

/**
 * Indexes messages as they are now. One that fails is skipped, or it would block all later ones.
 * @returns how many, from the first on: fewer if their texts are long
 */
async function index(tx: Transaction, log: Log, ids: number[]): Promise<number> {
  if (ids.length === 0) return 0
  try {
    return await tx.savepoint((inner) => indexAll(inner, ids))
  } catch (error) {
    const code = codeOf(error)
    if (!code || !OF_A_ROW.includes(code.slice(0, 2))) throw error
    if (ids.length > 1) {
      const half = Math.ceil(ids.length / 2)
      const count = await index(tx, log, ids.slice(0, half))
      return count < half ? count : half + (await index(tx, log, ids.slice(half)))
    }
    // Do not log PostgreSQL's message: it may quote the text.
    log('warn', 'search.left_out', { message_id: ids[0], code })
    return 1
  }
}

/**
 * Messages being deleted are skipped, because the deletion removes their documents. So are those of a deleted thread,
 * whose place is null.
 * @returns how many, from the first on, until TERM_UNITS_MAX is reached
 */
async function indexAll(tx: Transaction, ids: number[]): Promise<number> {
  // An edit that commits meanwhile has an event, which the next batch reads.
  const rows = await tx<(Indexed & Omit<Document, 'terms'>)[]>`
    select m.id, m.created_at, m.author_id, m.mention_ids,
      concat_ws(' ', m.content, case when m.forwarded is not null then forwarded_json(m, null) ->> 'content' end,
        case when m.embeds is not null then rich_text(m) end, case when m.polled then poll_text(m) end,
        sticker_text(m))
        as content,
      c.audience_id as place_id, case when c.type = 'thread' then c.id end as thread_id,
      array(select f.content_type from files f
        where f.message_id = m.id and (f.copied_from is null or copy_stands(f))) as content_types,
      array(select f.filename from files f where f.message_id = m.id
        and (f.copied_from is null or copy_stands(f)) order by f.ordinal) as filenames,
      array(select f.alt from files f where f.message_id = m.id and f.alt is not null
        and (f.copied_from is null or copy_stands(f)) order by f.ordinal) as alts,
      (select t.name from channels t where t.type = 'thread' and t.id = case when c.type = 'thread' then c.id
        when m.began_thread then (select begun.id from channels begun where begun.message_id = m.id) end
        and named_message(t.id) = m.id) as thread_name,
      c.tag_ids is not null and named_message(c.id) = m.id as is_post,
      json_array_length(embeds_json(m)) > 0 as has_embeds, m.pinned_at is not null as is_pinned
    from messages m join channels c on c.id = m.channel_id
    where m.id = any (${ids}) and m.kind = 'default' and c.audience_id is not null`
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const documents: Document[] = []
  let [count, units, turnUnits] = [0, 0, 0]
  for (const message_id of ids) {
    count++
    const row = rowOf.get(message_id)
    if (!row) continue
    const { id, place_id, created_at, thread_id } = row
    const terms = termsOf(row)
    documents.push({ id, place_id, created_at, thread_id, terms })
    units += terms.length
    if (units >= TERM_UNITS_MAX) break
    turnUnits += row.content.length
    if (turnUnits < TURN_UNITS) continue
    turnUnits = 0
    await new Promise((resolve) => setImmediate(resolve))
  }
  await insert(tx, documents)
  return count
}

async function insert(tx: Transaction, documents: Document[]): Promise<void> {
  await tx`
    insert into search_documents (message_id, place_id, created_at, thread_id, terms)
    select d.id, d.place_id, d.created_at, d.thread_id, d.terms
    from json_to_recordset(${JSON.stringify(documents)}::text::json)
      d (id bigint, place_id bigint, created_at timestamptz, thread_id bigint, terms text)
    join messages m on m.id = d.id order by d.created_at, d.id
    for key share of m
    on conflict (message_id) do update set place_id = excluded.place_id, terms = excluded.terms
    where search_documents.terms <> excluded.terms`
}
