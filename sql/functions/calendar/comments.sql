comment on table calendar_events is 'Events of servers.';
comment on column calendar_events.id is 'Primary key.';
comment on column calendar_events.server_id is 'The server.';
comment on column calendar_events.creator_id is 'Who created it.';
comment on column calendar_events.title is 'Title.';
comment on column calendar_events.description is 'What it is about.';
comment on column calendar_events.starts_at is 'When its first date begins.';
comment on column calendar_events.ends_at is 'When its first date ends.';
comment on column calendar_events.time_zone is 'The zone whose clocks its dates follow.';
comment on column calendar_events.recurrence is 'The rule of its dates, of RFC 5545; null for one date.';
comment on column calendar_events.channel_id is 'The channel where it is, whose members alone see it.';
comment on column calendar_events.place_text is 'Where it is.';
comment on column calendar_events.place_url is 'Where it is, as an address.';
comment on column calendar_events.signup is 'Who may sign up, in which roles; null: nobody does.';
comment on column calendar_events.sequence is 'Counts the changes.';
comment on column calendar_events.cancelled_at is 'When it was cancelled.';
comment on column calendar_events.created_at is 'When the row was made.';
comment on column calendar_events.updated_at is 'Last change.';

comment on table event_images is 'Pictures of events.';
comment on column event_images.event_id is 'The event.';
comment on column event_images.file_id is 'The picture.';

comment on table event_dates is 'Dates of events.';
comment on column event_dates.event_id is 'The event.';
comment on column event_dates.n is 'Names the date, also after it has been moved.';
comment on column event_dates.starts_at is 'When it begins.';
comment on column event_dates.ends_at is 'When it ends.';
comment on column event_dates.is_cancelled is 'The event no longer has this date.';

comment on table event_signups is 'Accounts that have signed up for a date of an event.';
comment on column event_signups.event_id is 'The event.';
comment on column event_signups.n is 'The date.';
comment on column event_signups.user_id is 'The account.';
comment on column event_signups.status is 'yes, maybe, or waiting for a place.';
comment on column event_signups.role is 'The position of its role among those of the event.';
comment on column event_signups.turn is 'Order of arrival in the waiting list.';
comment on column event_signups.remind_minutes is 'How long before the beginning the account is reminded.';
comment on column event_signups.next_remind_at is 'When the next reminder is due.';

comment on table calendar_feeds is 'Secret addresses from which calendars of accounts are read.';
comment on column calendar_feeds.id is 'Primary key.';
comment on column calendar_feeds.user_id is 'The account.';
comment on column calendar_feeds.server_id is 'The server; null for all servers of the account.';
comment on column calendar_feeds.hash is 'SHA-256 of the secret.';
comment on column calendar_feeds.created_at is 'When the row was made.';
