import { Job } from '../../core/job.ts'
import { type Audience, topic } from '../../core/events.ts'
import { isAny } from '../../database/job-lock.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import { type Batch, runBatches } from '../../events/batch-job.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { channelOf } from '../access/model.ts'
import { channelColumns, type ChannelRow } from '../access/channel-rows.ts'

const PERIOD_MS = 500
/** Threads per transaction, and batches per run; the next run continues. */
const BATCH_MAX = 200
const BATCHES_MAX = 20
/** Search for quiet threads once in this many starts. */
const STARTS_PER_SEARCH = 20

/** Fields of a hidden post, for those who may not read it. */
const UNREAD = {
  name: '',
  message_count: 0,
  last_message_id: null,
  last_message_at: null,
  answer_message_id: null,
  votes: 0,
}

/** Publishes changes of threads, and archives quiet ones. Runs on one process. */
export class ThreadKeeper extends Job {
  #starts = 0
  #isSearchDue = false

  constructor(private readonly parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(PERIOD_MS, 'threads', parts.log)
  }

  /** Archives now, and publishes. */
  archive(): Promise<void> {
    this.#isSearchDue = true
    return this.run()
  }

  protected override begin(): void {
    if (this.#starts++ % STARTS_PER_SEARCH === 0) this.#isSearchDue = true
    super.begin()
  }

  protected async work(): Promise<void> {
    const { sql } = this.parts
    if (this.#isSearchDue) {
      this.#isSearchDue = false
      await this.#repeat(archiveQuiet)
    }
    const dueChange: ReturnType<Sql> = sql`select from thread_changes where due_at <= now() order by due_at limit 1`
    if (await isAny(sql, dueChange)) await this.#repeat(publishChanged)
  }

  #repeat(batch: Batch): Promise<void> {
    let batchesLeft = BATCHES_MAX
    return runBatches(this.parts.write, 'threads', () => batchesLeft-- > 0, batch)
  }
}

/** Archives threads that have been quiet for long enough. @returns whether the batch is full */
async function archiveQuiet(sql: Transaction): Promise<boolean> {
  // A thread with a running send is locked and skipped: it is not quiet.
  const rows = await sql`
    with quiet as (
      select c.id from channels c where c.type = 'thread' and c.archived_at is null and c.parent_id is not null
        and c.pinned is not true
        and c.active_at < now() - c.archive_after_seconds * interval '1 second'
      limit ${BATCH_MAX} for no key update skip locked
    ), archived as (
      update channels c set archived_at = now() from quiet where c.id = quiet.id returning c.id
    )
    select thread_changed(id) from archived`
  return rows.count === BATCH_MAX
}

/** Publishes the state of threads that are due. @returns whether the batch is full */
async function publishChanged(sql: Transaction, emit: Emit): Promise<boolean> {
  const candidates = await sql<{ channel_id: number; server_id: number }[]>`
    select change.channel_id, c.server_id from thread_changes change join channels c on c.id = change.channel_id
    join servers s on s.id = c.server_id
    where change.due_at <= now() and s.owner_id is not null order by change.due_at limit ${BATCH_MAX}`
  if (candidates.length === 0) return false
  // Keep access from changing until the commit. Access is locked before rows.
  await sql`select share_access(id) from (
    select distinct unnest(${candidates.map((row) => row.server_id)}::bigint[]) as id order by id) servers`
  const changes = await sql<{ channel_id: number; is_back: boolean; hides: boolean; called_ids: number[] }[]>`
    with due as (
      select channel_id, is_told, is_back, hides, called_ids from thread_changes
      where channel_id = any(${candidates.map((row) => row.channel_id)}) and due_at <= now() for update skip locked
    ), past as (
      delete from thread_changes where channel_id in (select channel_id from due where is_told)
    ), told as (
      update thread_changes change set is_told = true, is_back = false, hides = false, called_ids = '{}',
        due_at = clock_timestamp() + interval '1 second'
      from due where change.channel_id = due.channel_id and not due.is_told
    )
    select channel_id, is_back, hides, array_to_json(called_ids) as called_ids from due where not is_told`
  const threads = await sql<ChannelRow[]>`
    select ${channelColumns(sql)} from channels c
    where c.id = any(${changes.map((row) => row.channel_id)}) and c.parent_id is not null
    order by c.id for key share of c`
  const moderators = await moderatorsOf(sql, threads)
  const hiding = new Set(changes.filter(({ hides }) => hides).map(({ channel_id }) => channel_id))
  for (const thread of threads)
    if (thread.hidden) {
      // Everybody who sees the forum learns once that a post is hidden, but not its name, which may be the reason, nor
      // what moderators do there and when. These get the rest after that: a replay sends only the newest event.
      if (hiding.has(thread.id)) emit(topic.seers(thread), 'thread.updated', channelOf({ ...thread, ...UNREAD }))
      emit(moderators.get(thread.id) ?? [], 'thread.updated', channelOf(thread))
    } else emit(topic.seers(thread), 'thread.updated', channelOf(thread))
  const news = changes.filter((row) => row.is_back || row.called_ids.length > 0)
  // An account that stops following right now gets its own event.
  const followers = await sql<{ user_id: number; channel_id: number; server_id: number; parent_id: number }[]>`
    select f.user_id, f.channel_id, c.server_id, c.parent_id
    from json_to_recordset(${JSON.stringify(news)}::text::json)
      as told (channel_id bigint, is_back boolean, called_ids bigint[])
    join thread_followers f on f.channel_id = told.channel_id
      and (told.is_back or f.user_id = any (told.called_ids))
    join channels c on c.id = f.channel_id where c.parent_id is not null for key share of f skip locked`
  for (const { user_id, channel_id, server_id, parent_id } of followers)
    emit(topic.user(user_id, { server_id, channel_id: parent_id }), 'thread.followed', { channel_id, following: true })
  return candidates.length === BATCH_MAX
}

/** The topics of the accounts that see the names of hidden posts, by post. */
async function moderatorsOf(sql: Transaction, threads: ChannelRow[]): Promise<Map<number, Audience[]>> {
  const ids = threads.filter(({ hidden }) => hidden).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: number; server_id: number; audience_id: number; user_id: number }[]>`
    select c.id, c.server_id, c.audience_id, user_id
    from channels c cross join lateral thread_moderators(c) user_id where c.id = any(${ids})`
  const byPost = Map.groupBy(rows, ({ id }) => id)
  const topicOf = ({ server_id, audience_id, user_id }: (typeof rows)[number]) =>
    topic.user(user_id, { server_id, channel_id: audience_id })
  return new Map([...byPost].map(([id, each]) => [id, each.map(topicOf)]))
}
