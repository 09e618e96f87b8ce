import { createHash } from 'node:crypto'
import type { Permission } from '../../core/permissions.ts'
import type { Database } from '../../database/database.ts'
import type { Logged } from '../../events/write.ts'
import { mentionsIn } from './model.ts'

/** A message of an account that is to be sent. */
export interface Outgoing {
  author_id: number
  /** The channel, or the person in whose dm it goes. */
  to: { channel_id: number } | { recipient_id: number }
  content: string
  reply_to_id: number | null
  file_ids: number[]
  nonce: string | null
}

/** What send_message answers. */
export interface Sent {
  outcome:
    | 'created'
    | 'repeated'
    | 'nonce_conflict'
    | 'reply_unknown'
    | 'file_unknown'
    | 'already_attached'
    | 'missing_permission'
    | 'is_category'
    | 'cannot_contact'
    | 'not_found'
  missing: Permission
  body: string
  /** Of a message that was created: the events that tell of it. */
  event_ids: number[] | null
  topics: string[]
  bodies: string[]
}

/** What it answers where no lock is waited for: a message that would wait is `busy`. */
type Tried = Sent | (Omit<Sent, 'outcome'> & { outcome: 'busy' })

/** A statement that sends messages; its rows are in their order. */
export type SendStatement = (sql: Database) => PromiseLike<Tried[]>

const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** The parameters of send_message. The hashes tell whether a nonce is used again for the same request. */
function parametersOf({ to, ...message }: Outgoing) {
  const { content, reply_to_id, file_ids, nonce } = message
  return {
    ...message,
    ...to,
    mentions: mentionsIn(content),
    hash: nonce === null ? null : sha256([content, reply_to_id, file_ids]),
    // A direct message that was sent before dms were channels was hashed without a reply.
    old_hash: nonce === null || reply_to_id !== null ? null : sha256([content, file_ids]),
  }
}

/** Sends messages by one statement, none of which waits for a lock. */
export const groupStatement =
  (messages: Outgoing[]): SendStatement =>
  (sql) =>
    sql<Tried[]>`select outcome, missing, body, event_ids, topics, bodies from send_messages(
      ${JSON.stringify(messages.map(parametersOf))}::text::json)`

/** Sends a message by a statement of its own, which waits for locks. */
export function singleStatement(message: Outgoing): SendStatement {
  const { author_id, content, mentions, reply_to_id, file_ids, nonce, hash, old_hash } = parametersOf(message)
  const { to } = message
  const target = 'channel_id' in to ? to.channel_id : to.recipient_id
  return (sql) => sql<Sent[]>`select outcome, missing, body, event_ids, topics, bodies from
    ${'channel_id' in to ? sql`send_message` : sql`send_dm`}(
      ${author_id}, ${target}, ${content}, ${mentions}, ${reply_to_id}, ${file_ids}, ${nonce}, decode(${hash}, 'hex'),
      decode(${old_hash}, 'hex'))`
}

/** The events that tell of a message. */
export const eventsOf = (message: Outgoing | undefined, { event_ids, topics, bodies }: Tried): Logged[] =>
  (event_ids ?? []).map((event_id, at) => ({
    type: 'message.created',
    event_id,
    channel_id: message && 'channel_id' in message.to ? message.to.channel_id : undefined,
    topic: topics[at] ?? '',
    body: bodies[at] ?? '',
  }))
