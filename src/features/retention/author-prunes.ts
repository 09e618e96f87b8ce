import type { Transaction } from '../../database/database.ts'
import { topic } from '../../core/events.ts'
import { BatchJob } from '../../events/batch-job.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { audit } from '../audit/record.ts'
import { blankEvents } from '../messages/remove.ts'
import { releaseFiles } from './prune-messages.ts'

const PERIOD_MS = 1_000
/** Messages per transaction; bounds its locks. */
const BATCH_MAX = 500
const BATCHES_MAX = 50

interface Prune {
  id: number
  server_id: number
  user_id: number
  actor_id: number
  channel_ids: number[]
  since: string
  until_id: number
  before_id: number
}

/** A channel with messages of a batch. */
interface Place {
  id: number
  server_id: number
  restricted: boolean
  audience_id: number
  participant_ids: number[]
}

/**
 * Deletes messages of one author that a moderator has listed by pruneAuthor, newest first, with retention's locks. A
 * channel's event covers everything deleted there so far, so that the newest one is enough for clients that resume.
 */
export class AuthorPrunes extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(parts, {
      name: 'author_prunes',
      periodMs: PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: (sql) => sql`select from author_prunes`,
      batch: pruneBatch,
    })
  }
}

/** Deletes one batch of a random list: one that fails must not block the others. @returns false when none is left */
async function pruneBatch(sql: Transaction, emit: Emit): Promise<boolean> {
  const [prune] = await sql<Prune[]>`select * from author_prunes order by random() limit 1`
  if (!prune) return false
  const { id, server_id, user_id, channel_ids, since, before_id } = prune
  // Locks in the order of a message's deletion: access, channels, messages, files.
  await sql`select share_access(${server_id})`
  // Pages through the index of an author's messages. Ids grow with time, so the list ends at the first page that is
  // too old.
  const page = await sql<(PrunedMessage & { is_due: boolean; is_here: boolean })[]>`
    select m.id, m.channel_id, m.created_at, m.created_at >= ${since}::timestamptz as is_due,
      c.audience_id = any(${channel_ids}) as is_here
    from (select * from messages where author_id = ${user_id} and id < ${before_id}::bigint
      order by id desc limit ${BATCH_MAX}) m
    join channels c on c.id = m.channel_id`
  const dueMessages = page.filter(({ is_due, is_here }) => is_due && is_here)
  await removeOf(sql, emit, prune, dueMessages)
  const isLast = page.length < BATCH_MAX || page.every(({ is_due }) => !is_due)
  if (isLast) await sql`delete from author_prunes where id = ${id}`
  else await sql`update author_prunes set before_id = ${Math.min(...page.map((row) => row.id))} where id = ${id}`
  return true
}

interface PrunedMessage {
  id: number
  channel_id: number
  created_at: string
}

async function removeOf(
  sql: Transaction,
  emit: Emit,
  { server_id, user_id, actor_id, until_id }: Prune,
  messages: PrunedMessage[],
): Promise<void> {
  const ids = messages.map(({ id }) => id)
  const byChannel = Map.groupBy(messages, (message) => message.channel_id)
  const places = await sql<Place[]>`
    select c.id, c.server_id, audience_restricted(c) as restricted, c.audience_id, c.participant_ids from channels c
    where c.id = any(${[...byChannel.keys()]}) order by c.id for no key update of c`
  await sql`select count(*) from (select 1 from messages where id = any(${ids}) order by id for update) locked`
  await releaseFiles(sql, sql`f.message_id = any(${ids})`)
  const deleted = await sql<{ id: number }[]>`delete from messages where id = any(${ids}) returning id`
  const deletedIds = new Set(deleted.map((row) => row.id))
  await blankEvents(sql, [...deletedIds])
  for (const place of places) {
    const deletedMessages = (byChannel.get(place.id) ?? []).filter(({ id }) => deletedIds.has(id))
    const message_ids = deletedMessages.map(({ id }) => id)
    if (message_ids.length === 0) continue
    await sql`update channels set newest_deleted_id = greatest(newest_deleted_id, ${Math.max(...message_ids)})
      where id = ${place.id}`
    await announce(sql, emit, place, { user_id, until_id, deletedMessages })
    const entry = { server_id, actor_id, action: 'messages.deleted' as const }
    await audit(sql, entry, ['channel', place.id], { message_ids, author_ids: [user_id] }, null)
  }
}

/**
 * Publishes deletions in one channel as one event; or one by one where an event of another list would be lost, and
 * where messages of the author stay among them, as imported ones do, which are older than their ids.
 */
async function announce(
  sql: Transaction,
  emit: Emit,
  place: Place,
  { user_id, until_id, deletedMessages }: { user_id: number; until_id: number; deletedMessages: PrunedMessage[] },
): Promise<void> {
  const channel_id = place.id
  const audience = topic.seers(place)
  const resource = `pruned:${channel_id}:${user_id}`
  // A client that resumes gets only the newest event of the resource.
  const [earlier] = await sql<{ before_id: number }[]>`
    select (body::json ->> 'before_id')::bigint as before_id from events
    where resource = ${resource} and body is not null order by id desc limit 1`
  const after_id = Math.min(...deletedMessages.map(({ id }) => id)) - 1
  const [older] = await sql`select 1 from messages where author_id = ${user_id} and channel_id = ${channel_id}
    and id > ${after_id} and id < ${until_id} limit 1`
  if (older || (earlier && earlier.before_id !== until_id))
    for (const { id, created_at } of deletedMessages) emit(audience, 'message.deleted', { id, channel_id, created_at })
  else emit(audience, 'channel.pruned_by', { channel_id, author_id: user_id, after_id, before_id: until_id })
}
