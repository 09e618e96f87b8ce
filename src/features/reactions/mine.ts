import type { Sql } from '../../database/database.ts'
import { HAS_POLL, withVotes } from '../polls/mine.ts'
import type { Poll } from '../polls/model.ts'
import type { Reaction } from './model.ts'

/** A message, as far as reactions and votes are concerned. */
interface MessageReactions {
  id: number
  reactions: Reaction[]
  poll?: Poll | undefined
}

/** Occurs in a message's JSON only if it has reactions, because quotes in texts are escaped. */
const HAS_REACTIONS = '"reactions":[{'

/** Marks the account's own reactions and votes in messages. */
export async function withMine<M extends MessageReactions>(sql: Sql, userId: number, messages: M[]): Promise<M[]> {
  return withVotes(sql, userId, await withOwnReactions(sql, userId, messages))
}

async function withOwnReactions<M extends MessageReactions>(sql: Sql, userId: number, messages: M[]): Promise<M[]> {
  const messageIds = messages.filter(({ reactions }) => reactions.length > 0).map(({ id }) => id)
  if (messageIds.length === 0) return messages
  const rows = await sql<{ message_id: number; emoji: string }[]>`
    select message_id, emoji from message_reactions where user_id = ${userId} and message_id = any(${messageIds})`
  const ownKeys = new Set(rows.map(({ message_id, emoji }) => `${message_id} ${emoji}`))
  return messages.map((message) => ({
    ...message,
    reactions: message.reactions.map((one) => ({ ...one, me: ownKeys.has(`${message.id} ${one.emoji}`) })),
  }))
}

/** withMine for messages that SQL has encoded as JSON. */
export async function bodiesWithMine(sql: Sql, userId: number, bodies: string[]): Promise<string[]> {
  const hasMine = bodies.map((body) => body.includes(HAS_REACTIONS) || body.includes(HAS_POLL))
  if (!hasMine.includes(true)) return bodies
  const messages: MessageReactions[] = bodies.flatMap((body, at) => (hasMine[at] ? [JSON.parse(body)] : []))
  const messagesWithMine = (await withMine(sql, userId, messages)).values()
  return bodies.map((body, at) => (hasMine[at] ? JSON.stringify(messagesWithMine.next().value) : body))
}
