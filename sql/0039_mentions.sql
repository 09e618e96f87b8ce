-- Whom messages mention, and how far accounts have read.

-- The accounts that messages mention by name, besides their authors. Roles and everyone stand in the messages.
create table mentions (
  channel_id bigint not null,
  message_id bigint not null,
  -- Without a reference to users: a send would wait for whoever locks one that it mentions.
  user_id bigint not null,
  primary key (channel_id, message_id, user_id),
  foreign key (channel_id, message_id) references messages (channel_id, id) on delete cascade
);
insert into mentions
  select m.channel_id, m.id, mentioned.id from messages m cross join lateral unnest(m.mention_ids) mentioned (id)
  where m.mention_ids <> '{}' and mentioned.id <> m.author_id
  on conflict do nothing;
create index mentions_in_channel on mentions (user_id, channel_id, message_id);
create index mentions_newest on mentions (user_id, message_id);

create function record_mentions() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from mentions
      where channel_id = new.channel_id and message_id = new.id and user_id <> all (new.mention_ids);
  end if;
  insert into mentions select new.channel_id, new.id, mentioned.id from unnest(new.mention_ids) mentioned (id)
    where mentioned.id <> new.author_id
    on conflict do nothing;
  return null;
end $$;
create trigger mentions_sent after insert on messages
  for each row when (new.mention_ids <> '{}') execute function record_mentions();
create trigger mentions_edited after update of mention_ids on messages
  for each row when (old.mention_ids <> new.mention_ids) execute function record_mentions();

-- As in 0024; whom the first message of a dm mentions sees it with that message.
create or replace function mentioned(p_channel bigint, p_candidates bigint[]) returns bigint[] language sql stable
  return case when cardinality(p_candidates) = 0 then p_candidates else array(
    select distinct id from unnest(p_candidates) id
    where exists (select from channel_access(p_channel, id) ca where can_view(ca.permissions))
      or exists (select from participants p where p.channel_id = p_channel and p.user_id = id)
    order by id) end;

-- Messages that call roles or everyone.
create index messages_calling on messages (channel_id, id)
  include (author_id, mention_everyone, mention_here, mention_role_ids)
  where mention_everyone or mention_here or mention_role_ids <> '{}';

-- Everything up to a member's floor is read: there was no more when the member joined. Earlier members have read nothing.
alter table members add column floor_id bigint not null default 0;
create function newest_message_id() returns bigint language sql stable
  return coalesce((select max(id) from messages), 0);
alter table members alter column floor_id set default newest_message_id();

-- Somebody has marked as unread what is above. In a dm the mark counts for nothing otherwise.
alter table read_marks add column moved_back boolean not null default false;
create index read_marks_moved_back on read_marks (user_id) where moved_back;

-- How far an account has read a channel: the id of the last message that is read.
create function read_until(p_user bigint, c channels) returns bigint language sql stable
  return case when c.type = 'dm' then coalesce(
    least(
      (select rm.message_id from read_marks rm
        where rm.user_id = p_user and rm.channel_id = c.id and rm.moved_back),
      (select min(m.id) - 1 from messages m
        where m.channel_id = c.id and m.recipient_id = p_user and m.read_at is null)),
    last_message_id(c), 0)
  else coalesce(
    (select rm.message_id from read_marks rm where rm.user_id = p_user and rm.channel_id = c.id),
    (select mem.floor_id from members mem where mem.server_id = c.server_id and mem.user_id = p_user), 0) end;

-- Whoever begins to follow a thread has read it, but for a message that mentions them.
create function mark_followed_thread() returns trigger language plpgsql as $$
begin
  insert into read_marks (user_id, channel_id, message_id)
    select new.user_id, new.channel_id, newest.id - exists (select from mentions mn
      where mn.channel_id = new.channel_id and mn.message_id = newest.id and mn.user_id = new.user_id)::int
    from channels c cross join lateral (select last_message_id(c) as id) newest
    where c.id = new.channel_id and newest.id is not null
    on conflict do nothing;
  return null;
end $$;
create trigger thread_followed after insert on thread_followers for each row execute function mark_followed_thread();

-- The messages that mention an account: by name, by a role that it holds now, or with everyone; where it may read the
-- history, and not by whom it blocks. Newest first, those below p_before.
create function mentions_of(p_user bigint, p_before bigint, p_limit int)
returns table (message_id bigint) language sql stable as $$
  with recursive blocked as materialized (
    select array(select r.other_id from relations_of r where r.user_id = p_user and r.blocks) as ids
  ), naming (channel_id) as (
    -- The channels of one's mentions by name, each found by the index alone.
    (select mn.channel_id from mentions mn where mn.user_id = p_user order by mn.channel_id limit 1)
    union all
    select (select mn.channel_id from mentions mn where mn.user_id = p_user and mn.channel_id > naming.channel_id
      order by mn.channel_id limit 1) from naming where naming.channel_id is not null
  ), home as materialized (
    select c.id as channel_id, array(select mr.role_id from member_roles mr
      where mr.server_id = c.server_id and mr.user_id = p_user) as role_ids
    from channels c where c.id in (
      select own.id from members mem join channels own on own.server_id = mem.server_id and own.type <> 'thread'
        where mem.user_id = p_user
      union all select f.channel_id from thread_followers f where f.user_id = p_user
      union all select naming.channel_id from naming)
  ), calling as materialized (
    -- Access is asked for where there is something alone.
    select home.* from home where exists (
        select from mentions mn where mn.user_id = p_user and mn.channel_id = home.channel_id)
      or exists (select from messages m where m.channel_id = home.channel_id
        and (m.mention_everyone or m.mention_here or m.mention_role_ids <> '{}'))
  ), readable as materialized (
    select calling.* from calling cross join lateral channel_access(calling.channel_id, p_user) ca
    where can_view(ca.permissions) and holds(ca.permissions, 'read_history')
  )
  select found.id from readable cross join blocked cross join lateral (
    (select mn.message_id as id from mentions mn join messages m on m.id = mn.message_id
      where mn.user_id = p_user and mn.channel_id = readable.channel_id and mn.message_id < p_before
        and m.author_id <> all (blocked.ids)
      order by mn.message_id desc limit p_limit)
    union
    (select m.id from messages m
      where m.channel_id = readable.channel_id and m.id < p_before
        and (m.mention_everyone or m.mention_here or m.mention_role_ids <> '{}')
        and (m.mention_everyone or m.mention_here or m.mention_role_ids && readable.role_ids)
        and m.author_id <> p_user and m.author_id <> all (blocked.ids)
      order by m.id desc limit p_limit)
  ) found order by found.id desc limit p_limit
$$;
