import type { Sql } from '../../database/database.ts'
import type { Reaction } from './model.ts'

/** A message, as far as its reactions are concerned. */
interface MessageReactions {
  id: number
  reactions: Reaction[]
}

/** Occurs in a message's JSON only if it has reactions, because quotes in texts are escaped. */
const HAS_REACTIONS = '"reactions":[{'

/** Marks the account's own reactions in messages. */
export async function withMine<M extends MessageReactions>(sql: Sql, userId: number, messages: M[]): Promise<M[]> {
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
  const hasReactions = bodies.map((body) => body.includes(HAS_REACTIONS))
  if (!hasReactions.includes(true)) return bodies
  const messages: MessageReactions[] = bodies.flatMap((body, at) => (hasReactions[at] ? [JSON.parse(body)] : []))
  const messagesWithMine = (await withMine(sql, userId, messages)).values()
  return bodies.map((body, at) => (hasReactions[at] ? JSON.stringify(messagesWithMine.next().value) : body))
}
