-- What answers and events say besides: the kind of an account, and when somebody last wrote in a thread.

-- People register; bots and webhooks are made.
alter table users add column kind text not null default 'person'
  constraint user_kind check (kind in ('person', 'bot', 'webhook'));

create or replace function public_user(u users) returns json language sql stable begin atomic
  select row_to_json(wire) from (select u.id, u.display_name, u.avatar_file_id, u.kind) wire;
end;

create function newest_written_at(p_channel bigint) returns timestamptz language sql stable
  return (select m.created_at from messages m where m.channel_id = p_channel order by m.id desc limit 1);
-- When the newest message of a thread was written. Inlined, as a function with a query in it would not be.
create function last_message_at(c channels) returns timestamptz language sql stable
  return case when c.type = 'thread' then newest_written_at(c.id) end;

-- As in 0032, with that time.
create or replace function thread_json(m messages) returns json language sql stable
  return (select row_to_json(begun) from (
    select c.id, c.name, c.message_count, last_message_id(c) as last_message_id,
      iso(last_message_at(c)) as last_message_at, iso(c.archived_at) as archived_at
    from channels c where c.message_id = m.id) begun);

-- What the log holds has messages and accounts as they were before: clients begin afresh. Its ids go on.
do $$
begin
  if exists (select from events) then
    truncate events;
    insert into events (type, topic, resource) values ('log.started', 'nobody', 'log');
  end if;
end $$;
