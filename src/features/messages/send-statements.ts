import { createHash } from 'node:crypto'
import { topic } from '../../core/events.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Database } from '../../database/database.ts'
import type { Logged } from '../../events/write.ts'
import { type AllowedMentions, allowedMentionsIn, mentionsIn } from '../../core/markup/references.ts'
import type { PollDraft } from '../polls/model.ts'

/** A message to be sent. */
export interface Outgoing {
  author_id: number
  /** The channel, or the person in whose dm it goes. */
  to: { channel_id: number } | { recipient_id: number }
  content: string
  reply_to_id: number | null
  reply_mention: boolean
  file_ids: number[]
  forward_message_id: number | null
  /** The author's copies of the forwarded message's files; new ones for each repetition of the request. */
  copies: number[]
  nonce: string | null
  poll: PollDraft | null
  sticker_id: number | null
  /** Only of bots: components, and the interaction that is answered. */
  data: object | null
  /** Only of bots: the mentions that count; undefined for all. */
  allowed_mentions?: AllowedMentions | undefined
}

/** The result of send_message. */
export interface SendResult {
  outcome:
    | 'created'
    | 'repeated'
    | 'nonce_conflict'
    | 'reply_unknown'
    | 'forward_unknown'
    | 'file_unknown'
    | 'sticker_unknown'
    | 'already_attached'
    | 'missing_permission'
    | 'slowmode'
    | 'is_category'
    | 'cannot_contact'
    | 'not_found'
  missing: Permission
  /** Remaining slowmode, seconds. */
  retry_after: number | null
  /** The channel whose members see the message. */
  audience: number | null
  body: string
  /** Ids of the events of a created message. */
  event_ids: number[] | null
  topics: string[]
  /** Null if there is one event, with `body`. */
  bodies: string[] | null
}

/** The result when locks are not waited for: `busy` means that the message would have had to wait. */
type SendAttempt = SendResult | (Omit<SendResult, 'outcome'> & { outcome: 'busy' })

/** A statement that sends messages; rows are in the messages' order. */
export type SendStatement = (sql: Database) => PromiseLike<SendAttempt[]>

const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** A message_draft for send_message. The hashes detect whether a nonce is reused for the same request. */
export function draftOf({ to, copies, allowed_mentions, ...message }: Outgoing) {
  const { content, reply_to_id, reply_mention, forward_message_id, file_ids, nonce, data, poll, sticker_id } = message
  const unusual = {
    ...(reply_mention ? {} : { reply_mention }),
    ...(forward_message_id === null ? {} : { forward_message_id }),
    ...(data === null ? {} : { data }),
    ...(poll === null ? {} : { poll }),
    ...(sticker_id === null ? {} : { sticker_id }),
    ...(allowed_mentions === undefined ? {} : { allowed_mentions }),
  }
  const request = [content, reply_to_id, file_ids, ...(Object.keys(unusual).length > 0 ? [unusual] : [])]
  return {
    ...message,
    ...to,
    ...(allowed_mentions ? allowedMentionsIn(content, allowed_mentions) : mentionsIn(content)),
    file_ids: [...file_ids, ...copies],
    hash: nonce === null ? null : sha256(request),
    // Direct messages sent before dms became channels were hashed without the reply.
    old_hash: nonce === null || reply_to_id !== null ? null : sha256([content, file_ids]),
  }
}

/**
 * Sends messages with one statement that does not wait for locks. Arrays are passed as JSON, because the driver parses
 * PostgreSQL arrays character by character.
 */
export const groupStatement = (messages: Outgoing[]): SendStatement => {
  const [first, second] = messages
  if (first && !second) return statementOf(first, true)
  return (sql) =>
    sql<SendAttempt[]>`select outcome, missing, retry_after, audience, body, array_to_json(event_ids) as event_ids,
        array_to_json(topics) as topics, array_to_json(nullif(bodies, array[body])) as bodies
      from send_messages(${JSON.stringify(messages.map(draftOf))}::text::json)`
}

/** Sends one message with its own statement, which waits for locks. */
export const singleStatement = (message: Outgoing): SendStatement => statementOf(message, false)

const statementOf =
  (message: Outgoing, isTrial: boolean): SendStatement =>
  (sql) =>
    sql<SendAttempt[]>`select outcome, missing, retry_after, audience, body, array_to_json(event_ids) as event_ids,
        array_to_json(topics) as topics, array_to_json(nullif(bodies, array[body])) as bodies
      from send_message(
        json_populate_record(null::message_draft, ${JSON.stringify(draftOf(message))}::text::json), ${isTrial})`

/** The result of send_scheduled: `outcome` is null if the message is not due any more, or another process sends it. */
type ScheduledResult = Omit<SendResult, 'outcome'> & {
  outcome: SendResult['outcome'] | 'empty' | null
  own_type: string | null
  own_event_id: number | null
  own_body: string | null
  author_id: number
}

/** Sends a scheduled message and ends its schedule, in one statement. @param version of the schedule, as it was read */
export const scheduledStatement =
  (id: number, version: number, message: Outgoing) =>
  (sql: Database): PromiseLike<ScheduledResult[]> =>
    sql<ScheduledResult[]>`
      select (s.result).outcome, (s.result).missing, (s.result).retry_after, (s.result).audience, (s.result).body,
        array_to_json((s.result).event_ids) as event_ids, array_to_json((s.result).topics) as topics,
        array_to_json(nullif((s.result).bodies, array[(s.result).body])) as bodies,
        s.own_type, s.own_event_id, s.own_body, ${message.author_id}::bigint as author_id
      from send_scheduled(${id}, ${version},
        json_populate_record(null::message_draft, ${JSON.stringify(draftOf(message))}::text::json)) s`

/** The events of send_scheduled: of the message, if it was sent, and for its author. */
export const scheduledEventsOf = (result: ScheduledResult): Logged[] => {
  const { own_type, own_event_id, own_body, author_id } = result
  if (own_type === null || own_event_id === null || own_body === null) return []
  const own = { type: own_type, event_id: own_event_id, topic: topic.user(author_id).topic, body: own_body }
  return [...eventsOf(result), own]
}

/** The events of a created message, and of a request that it made or answered. */
export const eventsOf = ({
  event_ids,
  audience,
  topics,
  body,
  bodies,
}: Pick<SendAttempt, 'event_ids' | 'audience' | 'topics' | 'body' | 'bodies'>): Logged[] =>
  (event_ids ?? []).map((event_id, at) => ({
    type: (bodies?.[at] ?? body).startsWith('{"request":') ? 'dm.request' : 'message.created',
    event_id,
    channel_id: audience ?? undefined,
    topic: topics[at] ?? '',
    body: bodies?.[at] ?? body,
  }))
