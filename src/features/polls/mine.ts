import type { Sql } from '../../database/database.ts'
import type { Poll } from './model.ts'

interface MessagePoll {
  id: number
  poll?: Poll | undefined
}

/** Occurs in a message's JSON only if it has a poll, because quotes in texts are escaped. */
export const HAS_POLL = '"poll":{'

/** Marks the account's own votes in messages. */
export async function withVotes<M extends MessagePoll>(sql: Sql, userId: number, messages: M[]): Promise<M[]> {
  const messageIds = messages.flatMap(({ id, poll }) => (poll ? [id] : []))
  if (messageIds.length === 0) return messages
  const rows = await sql<{ message_id: number; answer_ids: number[] }[]>`
    select message_id, array_agg(answer_id::int order by answer_id) as answer_ids from poll_votes
    where user_id = ${userId} and message_id = any(${messageIds}) group by message_id`
  const votes = new Map(rows.map(({ message_id, answer_ids }) => [message_id, answer_ids]))
  return messages.map((message) =>
    message.poll
      ? { ...message, poll: { ...message.poll, mine: mineOf(message.poll, votes.get(message.id)) } }
      : message,
  )
}

/** @param answerIds the ids in the rows of the vote; undefined without one */
const mineOf = ({ anonymous }: Poll, answerIds: number[] | undefined): Poll['mine'] => ({
  voted: answerIds !== undefined,
  ...(anonymous ? {} : { answer_ids: answerIds ?? [] }),
})
