-- Threads: channels that belong to a text or voice channel, their parent. Its permissions hold in them, and whoever
-- sees it receives their events.

alter table channels
  -- The channel whose permissions decide here and whose members receive the events.
  add column audience_id bigint generated always as (case when type = 'thread' then parent_id else id end) stored,
  -- In threads alone: when somebody wrote there last, or when it was begun or brought back.
  add column active_at timestamptz(3),
  -- The same of those in the archive alone, so that a message elsewhere changes no index.
  add column archive_active_at timestamptz(3)
    generated always as (case when archived_at is not null then active_at end) stored,
  add constraint archive_after check (archive_after_seconds in (3600, 86400, 259200, 604800)),
  add constraint thread_is_whole check (type <> 'thread'
    or (owner_id is not null and archive_after_seconds is not null and active_at is not null));
-- A server may have any number of archived threads. None of the columns changes with a message in a thread.
create index channels_besides_threads on channels (server_id, id) where type <> 'thread';
create index threads_unarchived on channels (server_id) where type = 'thread' and archived_at is null;
create index threads_of_owner on channels (owner_id) where type = 'thread';
create index threads_archived on channels (parent_id, archive_active_at, id) where type = 'thread' and archived_at is not null;

-- Who follows a thread: for whom its messages count as unread. It ends with the membership.
create table thread_followers (
  channel_id bigint not null references channels on delete cascade,
  user_id bigint not null references users (living_id) on delete cascade,
  primary key (user_id, channel_id)
);
create index on thread_followers (channel_id);

-- Threads whose state has changed and is still to be published, and those of which it has just been.
create table thread_changes (
  channel_id bigint primary key references channels on delete cascade,
  -- It came back from the archive: clients that have begun since do not know that their accounts follow it.
  is_back boolean not null default false,
  is_told boolean not null default false,
  -- Not published before.
  due_at timestamptz(3) not null default now()
);
create index on thread_changes (due_at);

create function thread_changed(p_thread bigint, p_back boolean default false) returns void language sql as $$
  insert into thread_changes as known (channel_id, is_back) values (p_thread, p_back)
    on conflict (channel_id) do update set is_told = false, is_back = known.is_back or excluded.is_back
    where known.is_told or (excluded.is_back and not known.is_back);
$$;

-- Archives the quietest threads of a server beyond 1,000. One that somebody writes in at this moment is not quiet.
create function archive_quietest(p_server bigint) returns void language plpgsql as $$
declare
  quiet_id bigint;
begin
  for quiet_id in update channels c set archived_at = now() where c.id in (
    select q.id from channels q where q.archived_at is null and q.id in (
      select t.id from channels t where t.server_id = p_server and t.type = 'thread' and t.archived_at is null
      order by t.active_at desc, t.id desc offset 1000)
    for no key update skip locked) returning c.id loop
    perform thread_changed(quiet_id);
  end loop;
end $$;

-- Lets an account write in a thread, which is locked until the message is there.
-- outcome: null · missing_permission (missing names the bit) · not_found · busy (with p_tries alone)
create or replace function enter_thread(
  home channels, held bigint, p_author bigint, p_tries boolean, out outcome text, out missing text
) language plpgsql as $$
declare
  thread channels;
begin
  if p_tries then
    select * into thread from channels c where c.id = home.id for no key update skip locked;
  else
    select * into thread from channels c where c.id = home.id for no key update;
  end if;
  if thread.id is null and p_tries then
    outcome := 'busy';
  elsif thread.parent_id is null then
    outcome := 'not_found';
  elsif thread.locked and not holds(held, 'manage_threads') then
    outcome := 'missing_permission';
    missing := 'manage_threads';
  end if;
end $$;

-- Makes accounts followers of a thread, and names the new ones.
create function follow_thread(p_thread bigint, p_users bigint[]) returns setof bigint language plpgsql as $$
begin
  -- Who cannot be locked at once is being deleted.
  return query insert into thread_followers (channel_id, user_id)
    select p_thread, free.id from (
      select u.id from users u where u.id = any (p_users) and u.deleted_at is null
        and not exists (select from thread_followers f where f.user_id = u.id and f.channel_id = p_thread)
      for key share skip locked) free
    on conflict do nothing returning user_id;
end $$;

-- What a message does to the thread that it was written in: brings it back unless it is locked, and makes its author
-- and whom it mentions followers.
create function note_in_thread(p_thread bigint, sent messages) returns void language plpgsql as $$
declare
  thread channels;
  is_back boolean;
begin
  select * into thread from channels c where c.id = p_thread;
  is_back := sent.kind = 'default' and thread.archived_at is not null and not thread.locked;
  update channels c set message_count = c.message_count + 1,
    active_at = case when sent.kind = 'default' then now() else c.active_at end,
    archived_at = case when is_back then null else c.archived_at end
    where c.id = p_thread;
  perform thread_changed(p_thread, is_back);
  if is_back then perform archive_quietest(thread.server_id); end if;
  if sent.kind = 'default' then perform follow_thread(p_thread, sent.mention_ids || sent.author_id); end if;
end $$;

-- Logs that a message was sent; in a dm each side is told its own unread count. audience: the channel whose members see
-- the message, which is a thread's parent.
create function log_sent(
  home channels, sent messages,
  out audience bigint, out body text, out event_ids bigint[], out topics text[], out bodies text[]
) language plpgsql as $$
begin
  -- A plan of this statement is kept, one of message_json's query is not.
  select wire.body::text into log_sent.body from message_wire(sent, sent.author_id) wire;
  audience := home.audience_id;
  if home.server_id is not null then
    topics := array[channel_topic(home)];
    bodies := array[body];
    insert into events (type, topic, server_id, channel_id, resource, body)
      values ('message.created', topics[1], home.server_id, audience, 'message:' || sent.id, body::json)
      returning array[id] into event_ids;
    return;
  end if;
  with told as (
    insert into events (type, topic, user_id, channel_id, resource, body)
    select 'message.created', 'user:' || p.user_id, p.user_id, audience, 'message:' || sent.id,
      (case when sent.recipient_id is null then body
        else left(body, -1) || ',"unread_count":' || p.unread_count || '}' end)::json
    from participants p where p.channel_id = home.id order by p.user_id
    returning events.id, events.topic, events.body::text
  )
  select array_agg(told.id), array_agg(told.topic), array_agg(told.body) into event_ids, topics, bodies from told;
end $$;

-- The same of messages in channels of servers, by one statement; each array is in the order of the messages' ids.
create function log_sent(
  message_ids bigint[], out audiences bigint[], out event_ids bigint[], out topics text[], out bodies text[]
) language plpgsql as $$
begin
  with told as (
    insert into events (type, topic, server_id, channel_id, resource, body)
    select 'message.created', channel_topic(home), (home).server_id, (home).audience_id, 'message:' || given.id,
      wire.body
    from unnest(message_ids) as given (id)
    -- A limit keeps the planner from joining whole tables.
    cross join lateral (select m from messages m where m.id = given.id limit 1) its (m)
    cross join lateral (select c from channels c where c.id = (m).channel_id limit 1) place (home)
    cross join lateral message_wire(m, (m).author_id) wire
    order by given.id
    returning events.id, events.channel_id, events.topic, events.body::text
  )
  select array_agg(told.channel_id), array_agg(told.id), array_agg(told.topic), array_agg(told.body)
    into audiences, event_ids, topics, bodies from told;
end $$;

-- However messages go, the count of their thread follows.
create function uncount_thread_messages() returns trigger language plpgsql as $$
declare
  thread_id bigint;
begin
  for thread_id in update channels c set message_count = c.message_count - theirs.n from (
      select channel_id, count(*)::int as n from gone group by channel_id) theirs
    where c.id = theirs.channel_id and c.type = 'thread' and c.parent_id is not null returning c.id loop
    perform thread_changed(thread_id);
  end loop;
  return null;
end $$;
create trigger uncount_thread_messages after delete on messages
  referencing old table as gone for each statement execute function uncount_thread_messages();

-- A thread outlives the message that it began at.
create function thread_lost_message() returns trigger language plpgsql as $$
begin
  perform thread_changed(new.id);
  return null;
end $$;
create trigger thread_lost_message after update of message_id on channels for each row
  when (old.message_id is not null and new.message_id is null and new.parent_id is not null)
  execute function thread_lost_message();

-- The thread that began at a message, as the message carries it.
create or replace function thread_json(m messages) returns json language sql stable
  return (select row_to_json(begun) from (
    select c.id, c.name, c.message_count, last_message_id(c) as last_message_id, iso(c.archived_at) as archived_at
    from channels c where c.message_id = m.id) begun);

-- Permissions are computed once a parent: threads have neither overwrites nor rows of their own in these views.
create or replace view resolved_permissions as
  select mp.server_id, c.id as channel_id, mp.user_id, mp.is_owner, mp.position, c.type, c.parent_id,
    permissions_of(mp.is_owner, mp.base, o.everyone_allow, o.everyone_deny, o.roles_allow, o.roles_deny, mp.timed_out)
      as permissions
  from member_permissions mp
  join channels c on c.server_id = mp.server_id and c.type <> 'thread'
  cross join lateral (
    select coalesce(bit_or(ow.allow) filter (where role.is_everyone), 0) as everyone_allow,
      coalesce(bit_or(ow.deny) filter (where role.is_everyone), 0) as everyone_deny,
      coalesce(bit_or(ow.allow) filter (where not role.is_everyone), 0) as roles_allow,
      coalesce(bit_or(ow.deny) filter (where not role.is_everyone), 0) as roles_deny
    from effective_overwrites ow join roles role on role.id = ow.role_id
    where ow.channel_id = c.id and (role.is_everyone or exists (
      select from member_roles mr
      where mr.server_id = mp.server_id and mr.user_id = mp.user_id and mr.role_id = role.id))
  ) o;

-- As in 0024; in a thread that is what the account may do in its parent.
create or replace function channel_access(p_channel bigint, p_user bigint)
returns table (server_id bigint, is_owner boolean, permissions bigint) language sql stable rows 1 as $$
  select cp.server_id, cp.is_owner, cp.permissions from channel_permissions cp
    where cp.channel_id = (select c.audience_id from channels c where c.id = p_channel) and cp.user_id = p_user
  union all
  select null, false, participant_permissions() from participants p
    where p.channel_id = p_channel and p.user_id = p_user and p.is_open
$$;

create function is_restricted(p_channel bigint) returns boolean language sql stable parallel safe
  return (select c.restricted from channels c where c.id = p_channel);
-- Whether not every member sees the channel; of a thread, its parent. Inlined, as a function with a query in it would
-- not be.
create function audience_restricted(c channels) returns boolean language sql stable parallel safe
  return case when c.type <> 'thread' then c.restricted else is_restricted(c.parent_id) end;

-- As in 0016; a thread's events go where its parent's go.
create or replace function channel_topic(c channels) returns text language sql stable parallel safe
  return case when audience_restricted(c) then 'channel:' || c.audience_id else 'server:' || c.server_id end;

create or replace function refresh_restricted(p_server bigint) returns setof channels language sql as $$
  update channels c set restricted = not c.restricted
  where c.server_id = p_server and c.type <> 'thread' and c.restricted <> (
    is_hidden(p_server) or exists (
      select from effective_overwrites o where o.channel_id = c.id and holds(o.allow | o.deny, 'view_channel')))
  returning c.*;
$$;

create or replace function overwrites_changed() returns trigger language plpgsql as $$
begin
  perform refresh_overwrites(array(
    select c.id from channels c where c.id in (select channel_id from changed)
    union select c.id from channels c where c.parent_id in (select channel_id from changed) and c.type <> 'thread'),
    array(select distinct role_id from changed));
  return null;
end $$;

drop trigger channel_created on channels;
drop trigger channel_moved on channels;
create trigger channel_created after insert on channels for each row
  when (new.parent_id is not null and new.type <> 'thread') execute function parent_changed();
create trigger channel_moved after update of parent_id on channels for each row
  when (old.parent_id is distinct from new.parent_id and new.type <> 'thread') execute function parent_changed();

-- Threads are counted where one comes: to change the server's row would be to wait for it.
drop trigger count_channel on channels;
create trigger count_channel_in after insert on channels for each row
  when (new.type <> 'thread') execute function count_channel();
create trigger count_channel_out after delete on channels for each row
  when (old.type <> 'thread') execute function count_channel();
