-- Direct messages: conversations are rows with participants, of whom there are two so far.

create table conversations (
  id bigint generated always as identity primary key,
  low bigint not null references users,
  high bigint not null references users,
  unique (low, high),
  check (low < high)
);

-- One's own side of a conversation.
create table participants (
  conversation_id bigint not null references conversations on delete cascade,
  user_id bigint not null references users,
  other_id bigint not null references users,
  last_message_id bigint,
  unread_count int not null default 0,
  -- Hidden until there is a newer message than this.
  hidden_id bigint not null default 0,
  primary key (user_id, other_id)
);
create index participants_of_conversation on participants (conversation_id);
create index participants_by_newest on participants (user_id, last_message_id) where last_message_id > hidden_id;

create table dm_messages (
  id bigint generated always as identity primary key,
  conversation_id bigint not null references conversations on delete cascade,
  sender_id bigint not null references users,
  recipient_id bigint not null references users,
  content text not null,
  nonce text,
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  read_at timestamptz(3)
);
create unique index dm_messages_of_conversation on dm_messages (conversation_id, id);
create index on dm_messages (sender_id, id);
create index dm_messages_unread on dm_messages (conversation_id, recipient_id, id) where read_at is null;
alter table files add constraint files_of_dm_message foreign key (dm_message_id) references dm_messages on delete cascade;
create index on files (dm_message_id) where dm_message_id is not null;

create table dm_nonces (
  author_id bigint not null references users on delete cascade,
  conversation_id bigint not null references conversations on delete cascade,
  nonce text not null,
  request_hash bytea not null,
  message_id bigint not null,
  created_at timestamptz(3) not null default now(),
  primary key (author_id, conversation_id, nonce)
);
create index on dm_nonces (created_at);
create index on dm_nonces (conversation_id);

-- Both sides' newest message and the reader's count follow, however a message comes or goes.
create function count_dm() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update participants p set last_message_id = new.id, unread_count = unread_count + (p.user_id <> new.sender_id)::int
      where p.conversation_id = new.conversation_id;
  else
    update participants p set
      unread_count = unread_count - (p.user_id = old.recipient_id and old.read_at is null)::int,
      last_message_id = case when p.last_message_id <> old.id then p.last_message_id
        else (select max(d.id) from dm_messages d where d.conversation_id = old.conversation_id) end
      where p.conversation_id = old.conversation_id;
  end if;
  return null;
end $$;
create trigger count_dm after insert or delete on dm_messages for each row execute function count_dm();

-- A direct message as it goes on the wire.
create function dm_json(d dm_messages) returns json language sql stable begin atomic
  select row_to_json(wire) from (
    select d.id, d.sender_id, d.recipient_id, d.content,
      coalesce((select json_agg(file_json(f) order by f.ordinal) from files f where f.dm_message_id = d.id), '[]'::json)
        as files, d.nonce,
      iso(d.created_at) as created_at, iso(d.edited_at) as edited_at, iso(d.read_at) as read_at
  ) wire;
end;

-- Sends a direct message: leave, nonce, message and both events in one statement.
-- outcome: created · repeated (the same nonce and request) · nonce_conflict · file_unknown · already_attached
-- · cannot_contact · not_found
create function send_dm(
  p_sender bigint, p_recipient bigint, p_content text, p_file_ids bigint[], p_nonce text, p_request_hash bytea,
  out outcome text, out body text, out event_ids bigint[], out topics text[], out bodies text[]
) language plpgsql as $$
declare
  home bigint;
  seen dm_nonces;
  sent dm_messages;
  attached bigint[];
  own_files int;
begin
  perform lock_pair(p_sender, p_recipient);
  -- Until this has ended neither is deleted.
  perform from users u where u.id in (p_sender, p_recipient) order by u.id for key share;
  if not exists (select from users u where u.id = p_recipient) then
    outcome := 'not_found';
    return;
  end if;
  -- The sender may have been deleted since it was let in.
  if not takes_dm(p_sender, p_recipient) or exists (
    select from users u where u.id = p_sender and u.deleted_at is not null) then
    outcome := 'cannot_contact';
    return;
  end if;
  select p.conversation_id into home from participants p where p.user_id = p_sender and p.other_id = p_recipient;
  if p_nonce is not null and home is not null then
    select * into seen from dm_nonces n
      where n.author_id = p_sender and n.conversation_id = home and n.nonce = p_nonce;
    if seen.created_at > now() - interval '24 hours' then
      select dm_json(d)::text into body from dm_messages d where d.id = seen.message_id;
      outcome := case when body is null or seen.request_hash <> p_request_hash
        then 'nonce_conflict' else 'repeated' end;
      if outcome = 'nonce_conflict' then body := null; end if;
      return;
    end if;
  end if;
  if cardinality(p_file_ids) > 0 then
    -- Locked, so that of two messages only one gets them.
    select array_agg(locked.id) filter (where locked.is_attached), count(*) into attached, own_files from (
        select f.id, coalesce(f.message_id, f.dm_message_id) is not null as is_attached from files f
        where f.id = any (p_file_ids) and f.uploader_id = p_sender for update
      ) locked;
    outcome := case when own_files < cardinality(p_file_ids) then 'file_unknown'
      when attached is not null then 'already_attached' end;
    if outcome is not null then return; end if;
  end if;
  if home is null then
    insert into conversations (low, high) values (least(p_sender, p_recipient), greatest(p_sender, p_recipient))
      returning id into home;
    insert into participants (conversation_id, user_id, other_id)
      values (home, p_sender, p_recipient), (home, p_recipient, p_sender);
  end if;
  insert into dm_messages (conversation_id, sender_id, recipient_id, content, nonce)
    values (home, p_sender, p_recipient, p_content, p_nonce) returning * into sent;
  if p_nonce is not null then
    insert into dm_nonces values (p_sender, home, p_nonce, p_request_hash, sent.id, now())
      on conflict (author_id, conversation_id, nonce) do update
      set request_hash = excluded.request_hash, message_id = excluded.message_id, created_at = excluded.created_at;
  end if;
  if cardinality(p_file_ids) > 0 then
    update files f set dm_message_id = sent.id, ordinal = array_position(p_file_ids, f.id)
      where f.id = any (p_file_ids);
  end if;
  body := dm_json(sent)::text;
  with told as (
    insert into events (type, topic, user_id, resource, body)
    select 'dm.created', 'user:' || p.user_id, p.user_id, 'dm:' || sent.id,
      (left(body, -1) || ',"unread_count":' || p.unread_count || '}')::json
    from participants p where p.conversation_id = home
    returning events.id, events.topic, events.body::text
  )
  select array_agg(told.id), array_agg(told.topic), array_agg(told.body) into event_ids, topics, bodies from told;
  outcome := 'created';
end $$;

-- Who may see a file: who may read the message that it is attached to; of an unattached one its uploader; and everyone
-- where it is an avatar or an icon.
create function may_see(f files, p_user bigint) returns boolean language sql stable
  return (f.message_id is null and f.dm_message_id is null and f.uploader_id = p_user)
    or exists (select from messages m join channel_permissions cp on cp.channel_id = m.channel_id and cp.user_id = p_user
      where m.id = f.message_id and cp.permissions & (1 << 10) <> 0 and cp.permissions & (1 << 16) <> 0)
    or exists (select from dm_messages d where d.id = f.dm_message_id and p_user in (d.sender_id, d.recipient_id))
    or exists (select from users u where u.avatar_file_id = f.id)
    or exists (select from servers s where s.icon_file_id = f.id);
