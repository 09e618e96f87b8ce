import type { Sql } from '../../src/database/database.ts'

/** A poll with a vote, an event with a date and a sign-up, a calendar feed and a log of devices, by SQL. */
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
  // The device is gone since, as after a restore.
  await sql`insert into device_logs (user_id, length, head, keys)
    select ${userId}, 1, sha256('\\x01'), array[sha256('\\x02')]`
  await sql`insert into device_log_entries (user_id, position, is_added, key, head)
    select user_id, length, true, keys[1], head from device_logs where user_id = ${userId}`
}
