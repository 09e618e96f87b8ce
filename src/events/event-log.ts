import { type Audience, eventFrame, type Frame } from '../core/events.ts'
import type { Database, Sql, Transaction } from '../database/database.ts'

/** A durable event before it has its id. */
export interface NewEvent {
  to: Audience
  type: string
  resource: string
  /** JSON. */
  body: string
}

/**
 * Appends events to the log in one statement.
 * @returns their ids
 */
export async function appendEvents(sql: Transaction, events: NewEvent[]): Promise<number[]> {
  const column = <T>(valueOf: (event: NewEvent) => T) => events.map(valueOf)
  // Cast to json in SQL, because the driver would encode a json parameter a second time.
  const rows = await sql<{ id: number }[]>`
    insert into events (type, resource, topic, user_id, server_id, channel_id, body)
    select type, resource, topic, user_id, server_id, channel_id, body::json from unnest(
      ${column((event) => event.type)}::text[], ${column((event) => event.resource)}::text[],
      ${column((event) => event.to.topic)}::text[], ${column((event) => event.to.user_id ?? null)}::bigint[],
      ${column((event) => event.to.server_id ?? null)}::bigint[],
      ${column((event) => event.to.channel_id ?? null)}::bigint[], ${column((event) => event.body)}::text[]
    ) with ordinality as given (type, resource, topic, user_id, server_id, channel_id, body, at)
    order by at returning id`
  return rows.map((row) => row.id)
}

/** SQL for the current topic of a logged event `e`, joined with its channel `c`, which may be gone. */
export const currentTopic = (sql: Sql) =>
  sql`case when c.id is null or e.user_id is not null then e.topic else channel_topic(c) end`

/**
 * SQL for the body of a logged event `e`, as JSON. For a message that forwards another, it is the message as it is
 * now.
 */
export const loggedBody = (sql: Sql) => sql`case when e.type in ('message.created', 'message.updated')
  and position('"forwarded":{}' in e.body::text) > 0 then forward_now(e.id) else e.body::text end`

/**
 * Builds the frames of logged events in order, each for its current topic: members who can no longer see a channel do
 * not receive them.
 * @param eventQuery the statement that selects the events
 */
export async function loggedFrames(sql: Database, eventQuery: ReturnType<Sql>): Promise<Frame[]> {
  const rows = await sql<{ id: number; type: string; topic: string; channel_id: number | null; body: string }[]>`
    select e.id, e.type, ${currentTopic(sql)} as topic, e.channel_id, ${loggedBody(sql)} as body
    from (${eventQuery}) e left join channels c on c.id = e.channel_id
    where e.body is not null order by e.id`
  return rows.map(({ id, type, topic, channel_id, body }) =>
    eventFrame({ topic, channel_id: channel_id ?? undefined }, type, id, body),
  )
}
