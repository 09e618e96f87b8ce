import { found, Problem } from '../../core/errors.ts'
import { topic } from '../../core/events.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { field } from '../../http/answers.ts'
import { demandPartner } from '../access/contact.ts'
import { demand } from '../access/guard.ts'
import { demandFree, lockedPlace, lockMessages, type MessageLocation, seersOf } from '../access/place.ts'

/** A row of `polls`, as far as votes need it. */
export interface PollRow {
  anonymous: boolean
  multiple: boolean
  counts: number[]
  voter_count: number
  /** True once no vote counts any more, whether or not PollEnds has been there. */
  is_over: boolean
}

/** In an anonymous poll, the answer of the row which says that the account voted. */
const UNKNOWN_ANSWER = 0

/**
 * Locks a poll, so that its votes are counted, and its events get their ids, one after another. The clock is read after
 * the lock.
 * @throws Problem `not_found` for a message without a poll
 */
export async function lockPoll(sql: Transaction, messageId: number): Promise<PollRow> {
  found((await sql`select 1 from polls where message_id = ${messageId} for no key update`)[0])
  const [poll] = await sql<PollRow[]>`
    select anonymous, multiple, counts, voter_count, ended_at is not null or ends_at <= clock_timestamp() as is_over
    from polls where message_id = ${messageId}`
  return found(poll)
}

/** Publishes the votes of a locked poll as they are now, as far as everybody may know them. */
export async function emitPoll(sql: Sql, emit: Emit, id: number, place: MessageLocation): Promise<void> {
  const [row] = await sql<{ voter_count: number; counts: number[] | null; ended_at: string | null }[]>`
    select voter_count, array_to_json(poll_counts(p)) as counts, ended_at from polls p where message_id = ${id}`
  emit(seersOf(place), 'message.poll', { id, channel_id: place.channel_id, ...found(row) })
}

/**
 * Adds votes to a locked poll, or takes them away.
 * @param changes by answer
 * @param voters accounts more, or fewer if below 0
 */
const count = (sql: Transaction, messageId: number, changes: number[], voters: number) =>
  sql`update polls set voter_count = voter_count + ${voters}, counts = array(
    select old + change from unnest(counts, ${changes}::int[]) with ordinality pair (old, change, at) order by at)
    where message_id = ${messageId}`

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
  const poll = await lockPoll(sql, message_id)
  if (poll.is_over) throw new Problem('poll_ended')
  demandAnswers(poll, answerIds)
  const before = (
    await sql<{ answer_id: number }[]>`
      select answer_id from poll_votes where message_id = ${message_id} and user_id = ${userId}`
  ).map(({ answer_id }) => answer_id)
  if (poll.anonymous && before.length > 0) throw new Problem('already_voted')
  if (before.length === answerIds.length && before.every((id) => answerIds.includes(id))) return
  await sql`delete from poll_votes where message_id = ${message_id} and user_id = ${userId}`
  await sql`insert into poll_votes (message_id, answer_id, user_id)
    select ${message_id}, id, ${userId} from unnest(${poll.anonymous ? [UNKNOWN_ANSWER] : answerIds}::int[]) id`
  const [added, removed] = [marks(poll, answerIds), marks(poll, before)]
  const changes = added.map((more, at) => more - (removed[at] ?? 0))
  await count(sql, message_id, changes, Math.sign(answerIds.length) - Math.sign(before.length))
  await emitPoll(sql, emit, message_id, place)
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
    const poll = await lockPoll(sql, id)
    const votes = await sql<{ answer_id: number }[]>`
      delete from poll_votes where user_id = ${userId} and message_id = ${id} returning answer_id`
    if (poll.anonymous || votes.length === 0) continue
    const removed = marks(
      poll,
      votes.map(({ answer_id }) => answer_id),
    )
    await count(
      sql,
      id,
      removed.map((mark) => -mark),
      -1,
    )
    await emitPoll(sql, emit, id, place)
  }
  return ids.length
}
