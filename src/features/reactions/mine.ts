import type { Sql } from '../../database/database.ts'
import type { Reaction } from './model.ts'

/** A message, as far as its reactions are concerned. */
interface Reacted {
  id: number
  reactions: Reaction[]
}

/** Occurs in a message's JSON only if it has reactions, because quotes in texts are escaped. */
const REACTED = '"reactions":[{'

/** Marks the account's own reactions in messages. */
export async function withMine<M extends Reacted>(sql: Sql, user_id: number, messages: M[]): Promise<M[]> {
  const reacted = messages.filter(({ reactions }) => reactions.length > 0).map(({ id }) => id)
  if (reacted.length === 0) return messages
  const rows = await sql<{ message_id: number; emoji: string }[]>`
    select message_id, emoji from message_reactions where user_id = ${user_id} and message_id = any(${reacted})`
  const mine = new Set(rows.map(({ message_id, emoji }) => `${message_id} ${emoji}`))
  return messages.map((message) => ({
    ...message,
    reactions: message.reactions.map((one) => ({ ...one, me: mine.has(`${message.id} ${one.emoji}`) })),
  }))
}

/** withMine for messages that SQL has encoded as JSON. */
export async function bodiesWithMine(sql: Sql, user_id: number, bodies: string[]): Promise<string[]> {
  const reacted = bodies.map((body) => body.includes(REACTED))
  if (!reacted.includes(true)) return bodies
  const messages: Reacted[] = bodies.flatMap((body, at) => (reacted[at] ? [JSON.parse(body)] : []))
  const said = (await withMine(sql, user_id, messages)).values()
  return bodies.map((body, at) => (reacted[at] ? JSON.stringify(said.next().value) : body))
}
