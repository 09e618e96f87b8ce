-- Custom emoji: the pictures of servers, and which messages show them.

create table emojis (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  name text not null,
  -- Unguessable: whoever knows it gets the picture.
  key text not null unique,
  creator_id bigint not null references users,
  created_at timestamptz(3) not null default now(),
  -- A deleted one is offered to nobody, and shown where it was used.
  deleted_at timestamptz(3)
);
create unique index emoji_name_taken on emojis (server_id, name) where deleted_at is null;
create index emojis_of_server on emojis (server_id, id);
create index on emojis (creator_id);

create function emoji_gone() returns trigger language plpgsql as $$
begin
  insert into object_outbox (key) values ('emoji/' || old.key) on conflict (key) do update set due_at = now();
  return null;
end $$;
create trigger emoji_gone after delete on emojis for each row execute function emoji_gone();

-- Which custom emoji a message and its reactions show: those that who used them might use there then.
create table message_emojis (
  message_id bigint not null references messages on delete cascade,
  emoji_id bigint not null references emojis on delete cascade,
  primary key (message_id, emoji_id)
);
create index on message_emojis (emoji_id);

-- Whether an account may use a custom emoji in a channel: its server's own; another's with use_external_emoji, as a
-- member there.
create function may_use_emoji(e emojis, p_channel bigint, p_user bigint) returns boolean language sql stable
  return e.deleted_at is null and (
    e.server_id = (select c.server_id from channels c where c.id = p_channel)
    or (exists (select from members mem where mem.server_id = e.server_id and mem.user_id = p_user)
      and exists (select from channel_access(p_channel, p_user) ca where holds(ca.permissions, 'use_external_emoji'))));

create function note_emojis() returns trigger language plpgsql as $$
begin
  insert into message_emojis
    select new.id, e.id from emojis e
    where e.id in (
      select (regexp_matches(new.content, '<:[a-z0-9_]{2,32}:([1-9][0-9]{0,14})>', 'g'))[1]::bigint)
      and may_use_emoji(e, new.channel_id, new.author_id)
    on conflict do nothing;
  return null;
end $$;
create trigger emojis_of_new after insert on messages
  for each row when (new.content like '%<:%') execute function note_emojis();
create trigger emojis_of_changed after update of content on messages
  for each row when (new.content like '%<:%') execute function note_emojis();
