-- Embeds of messages; and previews of their links, which are fetched behind the event log.

-- In dms and groups, where every participant has this on, links get previews.
alter table users add column link_previews boolean not null default false;

alter table messages
  add column embeds json,
  add column embeds_suppressed boolean not null default false,
  -- The version of the message, by the time of its sending or last edit, whose links have been looked at.
  add column previewed_version timestamptz(3);

create or replace function embeds_json(m messages) returns json language sql stable
  return case when m.embeds_suppressed then '[]'::json else coalesce(m.embeds, '[]'::json) end;

-- The embeds that a message keeps with a new text: those of links that still stand there, and those that no link made.
create function kept_embeds(m messages, p_content text) returns json language sql stable
  return case when m.embeds is not null then coalesce((
    select json_agg(embed order by at) from json_array_elements(m.embeds) with ordinality as given (embed, at)
    where embed ->> 'type' = 'rich' or position(embed ->> 'url' in p_content) > 0), '[]'::json) end;

-- Pictures of pages, re-encoded; the key is that of the object, and its last part the name in URLs.
create table preview_pictures (
  id bigint generated always as identity primary key,
  key text not null unique,
  width int not null,
  height int not null,
  created_at timestamptz(3) not null default now()
);
create function preview_picture_gone() returns trigger language plpgsql as $$
begin
  insert into object_outbox (key) values (old.key) on conflict (key) do update set due_at = now();
  return null;
end $$;
create trigger preview_picture_gone after delete on preview_pictures
  for each row execute function preview_picture_gone();

-- What a page gave, for an hour; null where that was nothing. While `leased_until` is set, somebody fetches it.
create table preview_pages (
  -- SHA-256 of the URL.
  hash bytea primary key,
  asked_by bigint,
  fetched_at timestamptz(3) not null default now(),
  leased_until timestamptz(3),
  preview json,
  picture_id bigint references preview_pictures
);
create index on preview_pages (fetched_at);
create index on preview_pages (asked_by, fetched_at);
create index on preview_pages (picture_id) where picture_id is not null;

create table message_pictures (
  message_id bigint not null references messages on delete cascade,
  picture_id bigint not null references preview_pictures,
  primary key (message_id, picture_id)
);
create index on message_pictures (picture_id);

-- Pictures that may be unused. Rows are only added: deletions of messages never wait for each other here.
create table preview_picture_checks (
  id bigint generated always as identity primary key,
  picture_id bigint not null,
  due_at timestamptz(3) not null default now()
);
create index on preview_picture_checks (due_at);
create function preview_picture_released() returns trigger language plpgsql as $$
begin
  insert into preview_picture_checks (picture_id) values (old.picture_id);
  return null;
end $$;
create trigger preview_picture_released after delete on message_pictures
  for each row execute function preview_picture_released();

-- Messages whose links are to be looked at.
create table preview_jobs (
  message_id bigint primary key references messages on delete cascade,
  author_id bigint not null,
  -- Set anew when the message changes.
  queued_at timestamptz not null default clock_timestamp(),
  -- While a job runs: when another process takes it over.
  due_at timestamptz(3) not null default now(),
  attempts int not null default 0
);
create index on preview_jobs (due_at);
create index on preview_jobs (author_id);

-- How far the event log has been read for them; without a row, reading begins with what comes then.
create table preview_position (
  single boolean primary key default true check (single),
  xid text not null,
  id bigint not null
);

insert into preview_position (xid, id) select pg_snapshot_xmin(pg_current_snapshot())::text, 0;

-- Whether links of the channel get previews.
create function shows_previews(c channels) returns boolean language sql stable
  return c.server_id is not null or not exists (
    select from participants p join users u on u.id = p.user_id where p.channel_id = c.id and not u.link_previews);
