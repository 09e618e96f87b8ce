-- Direct messages and groups are channels without a server: one table of messages, one function that sends.

-- What is written now refers to ids that change below; nothing else of the old form is kept.
drop trigger count_dm on dm_messages;
drop function count_dm, send_dm, may_see;
drop function dm_json(dm_messages);
drop function dm_json(dm_messages, bigint);
drop function message_json(messages);
drop function author_member(messages);
drop function file_json(files);
drop function send_message;

alter table channels
  alter column server_id drop not null,
  drop constraint channels_type_check,
  add constraint channels_type_check check (type in ('text', 'voice', 'category', 'thread', 'dm', 'group')),
  add constraint channel_of_server check ((server_id is null) = (type in ('dm', 'group'))),
  add column owner_id bigint references users,
  add constraint group_has_owner check (type <> 'group' or owner_id is not null),
  add column icon_file_id bigint references files on delete set null,
  add column participant_count int not null default 0
    constraint too_many_participants check (participant_count <= 10);
create index channels_of_nobody on channels (id) where type = 'group' and participant_count = 0;
create index channels_by_icon on channels (icon_file_id) where icon_file_id is not null;

alter table users add column group_count int not null default 0
  constraint too_many_groups check (group_count <= 200);

alter table messages
  -- The following three in dms alone.
  add column recipient_id bigint references users,
  add column read_at timestamptz(3),
  -- When the sender got the receipt, where that is not `read_at`: `infinity` until there is one.
  add column receipt_at timestamptz(3);

-- Ids of channels and messages go on above those of their tables: each old id is moved by one distance.
create temporary table moved on commit drop as select
  (select greatest(last_value, coalesce((select max(id) from channels), 0)) from channels_id_seq) as channels,
  (select greatest(last_value, coalesce((select max(id) from messages), 0)) from messages_id_seq) as messages,
  (select last_value from conversations_id_seq) as conversations,
  (select last_value from dm_messages_id_seq) as dms;

insert into channels (id, server_id, name, type, position, created_at, updated_at)
overriding system value
  select c.id + moved.channels, null, '', 'dm', 0, coalesce(d.since, now()), coalesce(d.since, now())
  from moved, conversations c
  left join (select conversation_id, min(created_at) as since from dm_messages group by conversation_id) d
    on d.conversation_id = c.id
  order by c.id;

drop index participants_of_conversation, participants_by_newest;
alter table participants
  drop constraint participants_conversation_id_fkey,
  drop constraint participants_pkey;
alter table participants rename column conversation_id to channel_id;
update participants p set channel_id = p.channel_id + moved.channels,
  last_message_id = p.last_message_id + moved.messages,
  hidden_id = case when p.hidden_id = 0 then 0 else p.hidden_id + moved.messages end
  from moved;
alter table participants
  -- Null in a group.
  alter column other_id drop not null,
  add primary key (channel_id, user_id),
  add constraint one_dm_a_pair unique (user_id, other_id),
  add foreign key (channel_id) references channels on delete cascade,
  -- A dm that holds no message yet is open to who made it alone.
  add column is_open boolean not null default true,
  add column joined_at timestamptz(3) not null default now();
create index participants_by_newest on participants (user_id, last_message_id) where last_message_id > hidden_id;
create index participants_of_groups on participants (user_id, channel_id) where other_id is null;

insert into messages (id, channel_id, author_id, recipient_id, content, nonce, created_at, edited_at, read_at, receipt_at)
overriding system value
  select d.id + moved.messages, d.conversation_id + moved.channels, d.sender_id, d.recipient_id, d.content, d.nonce,
    d.created_at, d.edited_at, d.read_at, d.receipt_at
  from moved, dm_messages d order by d.id;
insert into message_nonces (author_id, channel_id, nonce, request_hash, message_id, created_at)
  select n.author_id, n.conversation_id + moved.channels, n.nonce, n.request_hash, n.message_id + moved.messages,
    n.created_at
  from moved, dm_nonces n;
alter table files drop constraint files_of_dm_message;
update files f set message_id = f.dm_message_id + moved.messages from moved where f.dm_message_id is not null;
select setval('channels_id_seq', greatest(last_value, channels + conversations)) from channels_id_seq, moved;
select setval('messages_id_seq', greatest(last_value, messages + dms)) from messages_id_seq, moved;

drop table dm_nonces, dm_messages, conversations;
alter table files drop column dm_message_id;
create index files_unattached on files (created_at) where message_id is null;
create index messages_unread on messages (channel_id, recipient_id, id) where recipient_id is not null and read_at is null;
create index messages_read_quietly on messages (channel_id, recipient_id, id) where receipt_at = 'infinity';

-- Clients begin afresh: the log tells of ids that have moved. Its own ids go on.
truncate events;
insert into events (type, topic, resource) values ('log.started', 'nobody', 'log');

-- Who has left a group, or was removed: only its owner adds them again.
create table group_departures (
  channel_id bigint not null references channels on delete cascade,
  user_id bigint not null references users,
  primary key (channel_id, user_id)
);
create index on group_departures (user_id);

-- Idempotent creation of groups.
create table group_nonces (
  owner_id bigint not null references users (living_id) on delete cascade,
  nonce text not null,
  request_hash bytea not null,
  channel_id bigint not null,
  created_at timestamptz(3) not null default now(),
  primary key (owner_id, nonce)
);
create index on group_nonces (created_at);

create function count_participant() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update users set group_count = group_count + 1 where id = new.user_id;
    update channels set participant_count = participant_count + 1 where id = new.channel_id;
  else
    update users set group_count = group_count - 1 where id = old.user_id;
    update channels set participant_count = participant_count - 1 where id = old.channel_id;
  end if;
  return null;
end $$;
create trigger count_participant_in after insert on participants
  for each row when (new.other_id is null) execute function count_participant();
create trigger count_participant_out after delete on participants
  for each row when (old.other_id is null) execute function count_participant();

-- In a dm both sides' newest message and the reader's count follow, however a message comes or goes.
create function count_dm() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update participants p set last_message_id = new.id, is_open = true,
      unread_count = unread_count + (p.user_id <> new.author_id)::int
      where p.channel_id = new.channel_id;
  else
    update participants p set
      unread_count = unread_count - (p.user_id = old.recipient_id and old.read_at is null)::int,
      last_message_id = case when p.last_message_id <> old.id then p.last_message_id
        else (select max(m.id) from messages m where m.channel_id = old.channel_id) end
      where p.channel_id = old.channel_id;
  end if;
  return null;
end $$;
create trigger count_dm_in after insert on messages
  for each row when (new.recipient_id is not null) execute function count_dm();
create trigger count_dm_out after delete on messages
  for each row when (old.recipient_id is not null) execute function count_dm();

-- What the participants of a dm or group may do there.
create function participant_permissions() returns bigint language sql immutable parallel safe
  return permission_bit('view_channel') | permission_bit('send_messages') | permission_bit('attach_files')
    | permission_bit('read_history') | permission_bit('add_reactions') | permission_bit('use_external_emoji')
    | permission_bit('connect') | permission_bit('speak') | permission_bit('share_screen')
    | permission_bit('pin_messages');

-- What an account may do in a channel of any type; no row where it is neither member nor participant. Inlined: the
-- planner looks up this one channel. Lists of a server's channels read the view channel_permissions.
create function channel_access(p_channel bigint, p_user bigint)
returns table (server_id bigint, is_owner boolean, permissions bigint) language sql stable rows 1 as $$
  select cp.server_id, cp.is_owner, cp.permissions from channel_permissions cp
    where cp.channel_id = p_channel and cp.user_id = p_user
  union all
  select null, false, participant_permissions() from participants p
    where p.channel_id = p_channel and p.user_id = p_user and p.is_open
$$;

-- Sends and whatever else happens in a group share this lock; changes of its participants take it alone.
create function share_group(p_channel bigint) returns void language sql
  return pg_advisory_xact_lock_shared(7201508, hashint8(p_channel));
create function change_group(p_channel bigint) returns void language sql
  return pg_advisory_xact_lock(7201508, hashint8(p_channel));

-- Until the commit nothing changes about who sees the channel. Whoever locks several takes those of servers first,
-- then those of groups, then pairs, each in the order of their ids.
create function share_channel(c channels) returns void language plpgsql as $$
begin
  if c.server_id is not null then
    perform share_access(c.server_id);
  elsif c.type = 'group' then
    perform share_group(c.id);
  else
    perform lock_pair(p.user_id, p.other_id) from participants p where p.channel_id = c.id limit 1;
  end if;
end $$;

-- The participants of a dm or group, in the order in which they came; null in a channel of a server.
create function recipients(c channels) returns json language sql stable
  return case when c.server_id is null then (
    select json_agg(public_user(u) order by p.joined_at, p.user_id)
    from participants p join users u on u.id = p.user_id where p.channel_id = c.id) end;

-- The accounts on whose topics the events of a dm or group go; empty in a channel of a server.
create function participant_ids(c channels) returns bigint[] language sql stable
  return case when c.server_id is not null then '{}'
    else array(select p.user_id from participants p where p.channel_id = c.id and p.is_open order by p.user_id) end;

-- The conversations that an account is shown, newest first: its newest dms that are not hidden, and all groups.
create function conversations_of(p_user bigint, p_dms_max int)
returns table (channel_id bigint, other_id bigint, last_message_id bigint, unread_count int, active_at timestamptz)
language sql stable as $$
  select * from (
    (select p.channel_id, p.other_id, p.last_message_id, p.unread_count, m.created_at as active_at
      from participants p join messages m on m.id = p.last_message_id
      where p.user_id = p_user and p.last_message_id > p.hidden_id order by p.last_message_id desc limit p_dms_max)
    union all
    select p.channel_id, null, last_message_id(c), null, greatest(p.joined_at, (
      select m.created_at from messages m where m.channel_id = c.id order by m.id desc limit 1))
    from participants p join channels c on c.id = p.channel_id
    where p.user_id = p_user and p.other_id is null
  ) shown order by active_at desc, channel_id desc
$$;

-- Of the accounts that a text mentions, those who see the channel.
create or replace function mentioned(p_channel bigint, p_candidates bigint[]) returns bigint[] language sql stable
  return case when cardinality(p_candidates) = 0 then p_candidates else array(
    select distinct id from unnest(p_candidates) id cross join lateral channel_access(p_channel, id) ca
    where can_view(ca.permissions) order by id) end;

-- The id of the direct message that carries the file, which is its message_id as well.
create function dm_message_id(f files) returns bigint language sql stable
  return (select m.id from messages m where m.id = f.message_id and m.recipient_id is not null);

create function file_json(f files) returns json language sql stable begin atomic
  select row_to_json(wire) from (
    select f.id, f.uploader_id, f.message_id, dm_message_id(f) as dm_message_id, f.filename, f.content_type, f.size,
      f.width, f.height, iso(f.created_at) as created_at
  ) wire;
end;

-- Who may see a file: whoever may read the message that carries it; of a file without a message its uploader; everyone
-- where it is an avatar or a server's icon; its participants where it is a group's.
create function may_see(f files, p_user bigint) returns boolean language sql stable
  return (f.message_id is null and f.uploader_id = p_user)
    or exists (select from messages m cross join lateral channel_access(m.channel_id, p_user) ca
      where m.id = f.message_id and can_view(ca.permissions) and holds(ca.permissions, 'read_history'))
    or exists (select from users u where u.avatar_file_id = f.id)
    or exists (select from servers s where s.icon_file_id = f.id)
    or exists (select from channels c cross join lateral channel_access(c.id, p_user) ca
      where c.icon_file_id = f.id and can_view(ca.permissions));

-- A message as it goes on the wire to one of the accounts that see it; a dm's two people may differ in its read_at.
-- `member` is the author as a member of the message's server now; null for who is none. Inlined: in a list of messages
-- nothing is planned or started for each of them.
create function message_wire(m messages, p_viewer bigint) returns table (body json) language sql stable rows 1 as $$
  select case when m.recipient_id is null then wire else (left(wire::text, -1)
    || ',"sender_id":' || m.author_id || ',"recipient_id":' || m.recipient_id || ',"read_at":'
    || coalesce('"' || iso(case when p_viewer = m.recipient_id then m.read_at
      else nullif(coalesce(m.receipt_at, m.read_at), 'infinity') end) || '"', 'null') || '}')::json end
  from (select row_to_json(wire) as wire from (
    select m.id, m.channel_id, m.kind, (select public_user(u) from users u where u.id = m.author_id) as author,
      case when m.recipient_id is null then (
        select row_to_json(mine) from (
          select mem.nickname, array(
            select mr.role_id from member_roles mr where mr.server_id = mem.server_id and mr.user_id = mem.user_id
            order by mr.role_id) as role_ids
          from members mem where mem.user_id = m.author_id
            and mem.server_id = (select c.server_id from channels c where c.id = m.channel_id)) mine) end as member,
      m.content, m.mention_ids, m.reply_to_id,
      coalesce((select json_agg(file_json(f) order by f.ordinal) from files f where f.message_id = m.id), '[]'::json)
        as files, m.nonce,
      iso(m.created_at) as created_at, iso(m.edited_at) as edited_at
  -- Not merged into the case, which would make the message twice.
  ) wire offset 0) wire
$$;

create function message_json(m messages, p_viewer bigint) returns json language sql stable
  return (select body from message_wire(m, p_viewer));

-- The same as its author sees it.
create function message_json(m messages) returns json language sql stable
  return message_json(m, m.author_id);

-- The dm of two people, made unless there is one. outcome: found · made · cannot_contact · not_found
create function open_dm(p_user bigint, p_other bigint, out outcome text, out channel_id bigint)
language plpgsql as $$
declare
  side participants;
begin
  perform lock_pair(p_user, p_other);
  -- Until this has ended neither is deleted.
  perform from users u where u.id in (p_user, p_other) order by u.id for key share;
  if not exists (select from users u where u.id = p_other) then
    outcome := 'not_found';
    return;
  end if;
  select * into side from participants p where p.user_id = p_user and p.other_id = p_other;
  channel_id := side.channel_id;
  if side.is_open then
    outcome := 'found';
    return;
  end if;
  -- The account may have been deleted since it was let in.
  if not takes_dm(p_user, p_other) or exists (
    select from users u where u.id = p_user and u.deleted_at is not null) then
    outcome := 'cannot_contact';
    return;
  end if;
  if channel_id is null then
    insert into channels as c (name, type, position) values ('', 'dm', 0) returning c.id into channel_id;
    insert into participants (channel_id, user_id, other_id, is_open)
      values (channel_id, p_user, p_other, true), (channel_id, p_other, p_user, false);
  else
    update participants p set is_open = true where p.user_id = p_user and p.other_id = p_other;
  end if;
  outcome := 'made';
end $$;

-- share_channel where that does not wait; false where it would.
create function try_share_channel(c channels) returns boolean language plpgsql as $$
begin
  if c.server_id is not null then
    return pg_try_advisory_xact_lock_shared(7201506, hashint8(c.server_id));
  elsif c.type = 'group' then
    return pg_try_advisory_xact_lock_shared(7201508, hashint8(c.id));
  end if;
  return (select pg_try_advisory_xact_lock(7201507,
      hashtext(least(p.user_id, p.other_id) || ':' || greatest(p.user_id, p.other_id)))
    from participants p where p.channel_id = c.id limit 1);
end $$;

-- Sends a message in a channel of any type: permission, nonce, message and events in one statement.
-- p_old_hash: the hash of the same request in the form that direct messages had before there was one table.
-- p_tries: no lock is waited for.
-- outcome: created · repeated (the same nonce and request) · nonce_conflict · reply_unknown · file_unknown
-- · already_attached · missing_permission (missing names the bit) · is_category · cannot_contact · not_found
-- · busy (with p_tries alone: it would have waited for a lock, or not found what to lock; nothing is written)
create function send_message(
  p_author bigint, p_channel bigint, p_content text, p_mentions bigint[], p_reply_to bigint,
  p_file_ids bigint[], p_nonce text, p_request_hash bytea, p_old_hash bytea default null,
  p_tries boolean default false,
  out outcome text, out missing text, out body text, out event_ids bigint[], out topics text[], out bodies text[]
) language plpgsql as $$
declare
  held bigint;
  home channels;
  recipient bigint;
  seen message_nonces;
  sent messages;
  attached bigint[];
  own_files int;
  nonce_lock bigint := hashtextextended(p_nonce, p_author * 1000003 + p_channel);
begin
  if not p_tries then
    perform share_channel(c) from channels c where c.id = p_channel;
  elsif not (select try_share_channel(c) from channels c where c.id = p_channel) then
    outcome := 'busy';
    return;
  end if;
  select p.other_id into recipient from participants p where p.channel_id = p_channel and p.user_id = p_author;
  -- Until this has ended neither is deleted; who is deleted already is no member and in no group any more.
  if not p_tries then
    perform from users u where u.id in (p_author, recipient) order by u.id for key share;
  elsif num_nonnulls(p_author, recipient) > (
    select count(*) from (select from users u where u.id in (p_author, recipient) for key share skip locked) free) then
    outcome := 'busy';
    return;
  end if;
  select ca.permissions into held from channel_access(p_channel, p_author) ca;
  if held is null or not can_view(held) then
    outcome := 'not_found';
    return;
  end if;
  select * into home from channels c where c.id = p_channel;
  if home.type = 'category' then
    outcome := 'is_category';
    return;
  end if;
  -- The author of a direct message may have been deleted since it was let in.
  if recipient is not null and (not takes_dm(p_author, recipient) or exists (
    select from users u where u.id = p_author and u.deleted_at is not null)) then
    outcome := 'cannot_contact';
    return;
  end if;
  if not holds(held, 'send_messages') then
    outcome := 'missing_permission';
    missing := 'send_messages';
    return;
  end if;
  if cardinality(p_file_ids) > 0 and not holds(held, 'attach_files') then
    outcome := 'missing_permission';
    missing := 'attach_files';
    return;
  end if;
  if p_nonce is not null then
    -- One sender's uses of one nonce wait for each other here; the loser sees what the winner committed.
    if not p_tries then
      perform pg_advisory_xact_lock(nonce_lock);
    elsif not pg_try_advisory_xact_lock(nonce_lock) then
      outcome := 'busy';
      return;
    end if;
    select * into seen from message_nonces mn
      where mn.author_id = p_author and mn.channel_id = p_channel and mn.nonce = p_nonce;
    if seen.created_at > now() - interval '24 hours' then
      select message_json(m)::text into body from messages m where m.id = seen.message_id;
      outcome := case when body is not null and seen.request_hash in (p_request_hash, p_old_hash)
        then 'repeated' else 'nonce_conflict' end;
      if outcome = 'nonce_conflict' then body := null; end if;
      return;
    end if;
    -- What has run out is being deleted: to replace it may mean to wait.
    if p_tries and seen.author_id is not null then
      outcome := 'busy';
      return;
    end if;
  end if;
  if p_reply_to is not null and not exists (
    select from messages m where m.id = p_reply_to and m.channel_id = p_channel) then
    outcome := 'reply_unknown';
    return;
  end if;
  if cardinality(p_file_ids) > 0 then
    if p_tries and cardinality(p_file_ids) > (
      select count(*) from (select from files f where f.id = any (p_file_ids) and f.uploader_id = p_author
        for update skip locked) free) then
      outcome := 'busy';
      return;
    end if;
    -- Locked, so that of two messages only one gets them.
    select array_agg(locked.id) filter (where locked.is_attached), count(*) into attached, own_files from (
        select f.id, f.message_id is not null as is_attached from files f
        where f.id = any (p_file_ids) and f.uploader_id = p_author for update
      ) locked;
    outcome := case when own_files < cardinality(p_file_ids) then 'file_unknown'
      when attached is not null then 'already_attached' end;
    if outcome is not null then return; end if;
  end if;
  insert into messages (channel_id, author_id, recipient_id, content, mention_ids, reply_to_id, nonce)
    values (p_channel, p_author, recipient, p_content,
      case when cardinality(p_mentions) > 0 then mentioned(p_channel, p_mentions) else '{}' end, p_reply_to, p_nonce)
    returning * into sent;
  if p_nonce is not null then
    insert into message_nonces values (p_author, p_channel, p_nonce, p_request_hash, sent.id, now())
      on conflict (author_id, channel_id, nonce) do update
      set request_hash = excluded.request_hash, message_id = excluded.message_id, created_at = excluded.created_at;
  end if;
  if cardinality(p_file_ids) > 0 then
    update files f set message_id = sent.id, ordinal = array_position(p_file_ids, f.id) where f.id = any (p_file_ids);
  end if;
  body := message_json(sent)::text;
  outcome := 'created';
  if home.server_id is not null then
    topics := array[channel_topic(home)];
    bodies := array[body];
    insert into events (type, topic, server_id, channel_id, resource, body)
      values ('message.created', topics[1], home.server_id, p_channel, 'message:' || sent.id, body::json)
      returning array[id] into event_ids;
    return;
  end if;
  -- In a dm each side is told its own unread count.
  with told as (
    insert into events (type, topic, user_id, channel_id, resource, body)
    select 'message.created', 'user:' || p.user_id, p.user_id, p_channel, 'message:' || sent.id,
      (case when recipient is null then body
        else left(body, -1) || ',"unread_count":' || p.unread_count || '}' end)::json
    from participants p where p.channel_id = p_channel order by p.user_id
    returning events.id, events.topic, events.body::text
  )
  select array_agg(told.id), array_agg(told.topic), array_agg(told.body) into event_ids, topics, bodies from told;
end $$;

-- Sends a message to a person: in the dm with them, which is made if there is none.
create function send_dm(
  p_author bigint, p_recipient bigint, p_content text, p_mentions bigint[], p_reply_to bigint,
  p_file_ids bigint[], p_nonce text, p_request_hash bytea, p_old_hash bytea default null,
  out outcome text, out missing text, out body text, out event_ids bigint[], out topics text[], out bodies text[]
) language plpgsql as $$
declare
  opened record;
begin
  select * into opened from open_dm(p_author, p_recipient);
  outcome := opened.outcome;
  if opened.channel_id is null or outcome = 'cannot_contact' then return; end if;
  select * into outcome, missing, body, event_ids, topics, bodies from send_message(
    p_author, opened.channel_id, p_content, p_mentions, p_reply_to, p_file_ids, p_nonce, p_request_hash, p_old_hash);
end $$;

-- An event of a message as the log would have it now.
create function rewritten(e events, m messages) returns json language sql stable
  return case when e.body ->> 'unread_count' is null then message_json(m, e.user_id)
    else (left(message_json(m, e.user_id)::text, -1)
      || ',"unread_count":' || (e.body ->> 'unread_count') || '}')::json end;

-- As in 0010; in dms and groups each participant has an event of its own.
create or replace function forget_in_log(p_user bigint) returns bigint language plpgsql as $$
begin
  update events set body = null where user_id = p_user and body is not null;
  update events set body = null where resource in ('user:' || p_user, 'relation:' || p_user) and body is not null;
  -- Of servers that it has left, the log knows by what told the account itself of them.
  update events set body = null where type in ('member.joined', 'member.updated') and body is not null and resource in (
    select 'member:' || server_id || ':' || p_user from members where user_id = p_user
    union select 'member:' || server_id || ':' || p_user from events where user_id = p_user and server_id is not null);
  update events e set body = rewritten(e, m) from messages m
    where e.type = 'message.updated' and e.body is not null and (e.body -> 'author' ->> 'id')::bigint = p_user
      and m.id = substr(e.resource, length('message:') + 1)::bigint;
  -- The ids of messages and of their events are drawn together, but for what happens at the same time.
  return (select substr(resource, length('message:') + 1)::bigint - 10000
    from events where type = 'message.created' order by id limit 1);
end $$;

create or replace function forget_sent(p_user bigint, p_after bigint, p_count int) returns bigint language sql as $$
  with page as (
    select id from messages where author_id = p_user and id > p_after order by id limit p_count
  ), written as (
    update events e set body = rewritten(e, m) from page join messages m using (id)
    where e.resource = 'message:' || page.id and e.type = 'message.created' and e.body is not null
  )
  select max(id) from page;
$$;
