import type { Sql } from '../../src/database/database.ts'

/** A poll with a vote, and an event with a date, a sign-up and a calendar feed of the account, by SQL. */
export async function fillCommunity(sql: Sql, userId: number, channelId: number): Promise<void> {
  await sql`insert into polls (message_id, question, answers, multiple, anonymous, counts, voter_count, ends_at)
    select min(id), 'Which?', '[{"text": "One"}, {"text": "Two"}]', false, false, '{1,0}', 1, now() + interval '1 day'
    from messages where channel_id = ${channelId}`
  await sql`insert into poll_votes select min(id), 1, ${userId} from messages where channel_id = ${channelId}`
  const [event] = await sql<{ id: number }[]>`insert into calendar_events
      (server_id, creator_id, title, description, starts_at, ends_at, time_zone, place_text)
    select server_id, ${userId}, 'Walk', '', now(), now() + interval '1 hour', 'UTC', 'x'
    from channels where id = ${channelId} returning id`
  const id = event?.id ?? 0
  await sql`insert into event_images select ${id}, min(id) from files having min(id) is not null`
  await sql`insert into server_files select i.file_id, e.server_id, 1
    from event_images i join calendar_events e on e.id = i.event_id where e.id = ${id}`
  await sql`insert into event_dates select id, 0, starts_at, ends_at from calendar_events where id = ${id}`
  await sql`insert into event_signups (event_id, n, user_id, status, remind_minutes)
    values (${id}, 0, ${userId}, 'yes', '{60}')`
  await sql`insert into calendar_feeds (user_id, hash) values (${userId}, '\\x00fe')`
}
