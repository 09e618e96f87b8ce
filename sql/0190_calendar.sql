-- Events of servers, with their dates, sign-ups and calendar feeds.
create table calendar_events (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  creator_id bigint not null references users,
  title text not null,
  description text not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  time_zone text not null,
  -- A rule of RFC 5545, as src/features/calendar/recurrence.ts reads it.
  recurrence text,
  channel_id bigint references channels on delete cascade,
  place_text text,
  place_url text,
  signup json,
  sequence int not null default 0,
  cancelled_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (num_nonnulls(channel_id, place_text, place_url) = 1)
);
create index on calendar_events (server_id);
create index on calendar_events (channel_id) where channel_id is not null;
create index on calendar_events (creator_id);

-- A table of its own, so that the deletion of a file locks no event.
create table event_images (
  event_id bigint primary key references calendar_events on delete cascade,
  file_id bigint not null references files on delete cascade
);
create index on event_images (file_id);

create table event_dates (
  event_id bigint not null references calendar_events on delete cascade,
  n int not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  is_cancelled boolean not null default false,
  primary key (event_id, n)
);
create index on event_dates (event_id, starts_at);
create index on event_dates (starts_at);

create table event_signups (
  event_id bigint not null,
  n int not null,
  user_id bigint not null references users (living_id) on delete cascade,
  status text not null check (status in ('yes', 'maybe', 'waiting')),
  role int,
  -- Order of arrival in the waiting list.
  turn bigint generated always as identity,
  remind_minutes int[] not null,
  next_remind_at timestamptz(3),
  primary key (event_id, n, user_id),
  foreign key (event_id, n) references event_dates on delete cascade
);
create index on event_signups (user_id);
create index on event_signups (next_remind_at) where next_remind_at is not null;

create table calendar_feeds (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (living_id) on delete cascade,
  -- Null: all servers of the account.
  server_id bigint references servers on delete cascade,
  hash bytea not null unique,
  created_at timestamptz(3) not null default now()
);
create index on calendar_feeds (user_id);
create index on calendar_feeds (server_id) where server_id is not null;

-- Bits 33, manage_events, and 44, create_events, go with bit 5, manage_server, in roles and in overwrites.
create function with_event_bits(p_sum bigint) returns bigint language sql immutable
  return p_sum | case when p_sum & (1::bigint << 5) <> 0 then (1::bigint << 33) | (1::bigint << 44) else 0 end;
update roles set permissions = with_event_bits(permissions) where permissions <> with_event_bits(permissions);
update overwrites set allow = with_event_bits(allow), deny = with_event_bits(deny)
  where (allow, deny) <> (with_event_bits(allow), with_event_bits(deny));
drop function with_event_bits(bigint);

-- No event says so: clients fetch the permissions again, instead of resuming from an earlier event.
do $$
begin
  if exists (select from events) then
    insert into events (type, topic, resource) values ('log.started', 'nobody', 'log');
    update event_log_origin set resumable_from = (select max(id) from events);
  end if;
end $$;
