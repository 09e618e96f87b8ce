import { found, Problem } from '../../core/errors.ts'
import { topic } from '../../core/events.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { field } from '../../http/answers.ts'
import { demandPartner } from '../access/contact.ts'
import { demand } from '../access/guard.ts'
import { demandFree, lockedPlace, lockMessages, type MessageLocation, seersOf } from '../access/place.ts'

/** A row of `polls`, as far as votes need it. */
interface PollRow {
  anonymous: boolean
  multiple: boolean
  counts: number[]
  /** True once no vote counts any more, whether or not PollEnds has been there. */
  is_over: boolean
  /** The rows of the account's vote, by their answers. */
  own_answers: number[]
}

/** The part of a poll that events tell. */
export interface PollNews {
  voter_count: number
  counts: number[] | null
  ended_at: string | null
}

/** In an anonymous poll, the answer of the row which says that the account voted. */
const UNKNOWN_ANSWER = 0

/**
 * Locks a poll, so that its votes are counted, and its events get their ids, one after another. The clock is read after
 * the lock.
 * @throws Problem `not_found` for a message without a poll
 */
export async function lockPoll(sql: Transaction, messageId: number, userId?: number): Promise<PollRow> {
  found((await sql`select 1 from polls where message_id = ${messageId} for no key update`)[0])
  const [poll] = await sql<PollRow[]>`
    select anonymous, multiple, counts, ended_at is not null or ends_at <= clock_timestamp() as is_over,
      array(select answer_id::int from poll_votes
        where message_id = ${messageId} and user_id = ${userId ?? null}::bigint) as own_answers
    from polls where message_id = ${messageId}`
  return found(poll)
}

/** The columns of PollNews. */
export const newsColumns = (sql: Sql) => sql`voter_count, array_to_json(poll_counts(polls)) as counts, ended_at`

/** Publishes the votes of a locked poll as they are now, as far as everybody may know them. */
export function emitPoll(
  emit: Emit,
  id: number,
  place: MessageLocation,
  news: PollNews | undefined,
  change?: { user_id: number; added: number[]; removed: number[] },
): void {
  const { channel_id } = place
  emit(seersOf(place), 'message.poll', { id, channel_id, ...found(news), ...(change ? { change } : {}) })
}

/**
 * Replaces rows of an account's vote in a locked poll, and counts them.
 * @param rows answers of the rows to delete and to insert
 * @param changes of the counts, by answer
 * @param voters accounts more, or fewer if below 0
 */
const replaceVote = (
  sql: Transaction,
  { messageId, userId }: { messageId: number; userId: number },
  rows: { removed: number[]; added: number[] },
  changes: number[],
  voters: number,
) => sql<PollNews[]>`
  with deleted as (delete from poll_votes
    where message_id = ${messageId} and user_id = ${userId} and answer_id = any(${rows.removed}::smallint[])),
  inserted as (insert into poll_votes (message_id, answer_id, user_id)
    select ${messageId}, id, ${userId} from unnest(${rows.added}::smallint[]) id)
  update polls set voter_count = voter_count + ${voters}, counts = array(
    select old + change from unnest(counts, ${changes}::int[]) with ordinality pair (old, change, at) order by at)
  where message_id = ${messageId} returning ${newsColumns(sql)}`

/** For each of a poll's answers: 1 if it is among the ids, else 0. */
const marks = ({ counts }: PollRow, ids: number[]): number[] => counts.map((_, at) => (ids.includes(at + 1) ? 1 : 0))

/** @throws Problem `validation_failed` */
function demandAnswers({ counts, multiple, anonymous }: PollRow, ids: number[]): void {
  if (ids.some((id) => id > counts.length)) throw field('answer_ids', 'The poll has no such answer')
  if (!multiple && ids.length > 1) throw field('answer_ids', 'This poll takes one answer')
  if (anonymous && ids.length === 0) throw field('answer_ids', 'An anonymous vote cannot be taken back')
}

/**
 * Votes in a poll, in place of an earlier vote; without answers takes the vote back. In an anonymous poll a vote is
 * final, and no row says what it was for.
 * @throws Problem `not_found`, `missing_permission`, `cannot_contact` in a dm, `poll_ended`, `already_voted`,
 * `validation_failed`
 */
export async function vote(
  sql: Transaction,
  emit: Emit,
  message_id: number,
  userId: number,
  answerIds: number[],
): Promise<void> {
  const place = await lockedPlace(sql, message_id, userId)
  demand(place.permissions, 'read_history')
  if (place.locked) demand(place.permissions, 'manage_threads')
  await demandFree(sql, place, userId)
  await demandPartner(sql, userId, place)
  const poll = await lockPoll(sql, message_id, userId)
  if (poll.is_over) throw new Problem('poll_ended')
  demandAnswers(poll, answerIds)
  const before = poll.own_answers
  if (poll.anonymous && before.length > 0) throw new Problem('already_voted')
  const rowIds = poll.anonymous ? [UNKNOWN_ANSWER] : answerIds
  const rows = {
    removed: before.filter((id) => !rowIds.includes(id)),
    added: rowIds.filter((id) => !before.includes(id)),
  }
  if (rows.removed.length + rows.added.length === 0) return
  const [had, has] = [marks(poll, before), marks(poll, answerIds)]
  const changes = has.map((mark, at) => mark - (had[at] ?? 0))
  const voters = Math.sign(answerIds.length) - Math.sign(before.length)
  const [news] = await replaceVote(sql, { messageId: message_id, userId }, rows, changes, voters)
  emitPoll(emit, message_id, place, news, poll.anonymous ? undefined : { user_id: userId, ...rows })
  const [within] = seersOf(place)
  const ownTopic = topic.user(userId, { server_id: within?.server_id, channel_id: within?.channel_id })
  const voted = answerIds.length > 0
  emit(ownTopic, 'poll.mine', {
    message_id,
    voted,
    ...(poll.anonymous ? {} : { answer_ids: answerIds.toSorted((a, b) => a - b) }),
  })
}

/**
 * Removes a deleted account's votes, and publishes the remaining ones. Anonymous votes still count: nobody knows what
 * they were for.
 * @param countMax polls to lock at once
 * @returns the number of polls
 */
export async function eraseVotes(sql: Transaction, emit: Emit, userId: number, countMax: number): Promise<number> {
  const rows = await sql<{ id: number }[]>`
    select distinct message_id as id from poll_votes where user_id = ${userId} order by 1 limit ${countMax}`
  const ids = rows.map(({ id }) => id)
  for (const { id, ...place } of await lockMessages(sql, ids)) {
    const poll = await lockPoll(sql, id, userId)
    const { own_answers } = poll
    const changes = marks(poll, own_answers).map((mark) => -mark)
    const rows = { removed: own_answers, added: [] }
    const [news] = await replaceVote(sql, { messageId: id, userId }, rows, changes, poll.anonymous ? 0 : -1)
    if (!poll.anonymous) emitPoll(emit, id, place, news)
  }
  return ids.length
}
