-- Many messages by one statement: what waits while a commit is under way goes with the next one.

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

drop function send_message;

-- Sends a message in a channel of any type: permission, nonce, message and events in one statement.
-- p_old_hash: the hash of the same request in the form that direct messages had before there was one table.
-- p_tries: no lock is waited for.
-- outcome: created · repeated (the same nonce and request) · nonce_conflict · reply_unknown · file_unknown
-- · already_attached · missing_permission (missing names the bit) · is_category · cannot_contact · not_found
-- · busy (with p_tries alone: it would have waited for a lock, or not found what to lock; nothing is written)
-- As in 0024, with p_tries.
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

-- Sends messages in their order, each as send_message or send_dm does, and with an outcome of its own. None waits for a
-- lock: so nothing that holds one stalls the others, and no two groups wait for each other. Behind a busy message its
-- author's later ones are busy too; so is the first message of a dm. An error undoes the whole group.
create function send_messages(p_drafts json)
returns table (outcome text, missing text, body text, event_ids bigint[], topics text[], bodies text[])
language plpgsql as $$
declare
  draft record;
  home bigint;
  late bigint[] := '{}';
begin
  for draft in select * from json_to_recordset(p_drafts) as given (
    author_id bigint, channel_id bigint, recipient_id bigint, content text, mentions bigint[], reply_to_id bigint,
    file_ids bigint[], nonce text, hash text, old_hash text) loop
    home := draft.channel_id;
    if draft.recipient_id is not null then
      select p.channel_id into home from participants p
        where p.user_id = draft.author_id and p.other_id = draft.recipient_id and p.is_open;
    end if;
    if home is null or draft.author_id = any (late) then
      outcome := 'busy';
    else
      select * into outcome, missing, body, event_ids, topics, bodies from send_message(
        draft.author_id, home, draft.content, draft.mentions, draft.reply_to_id, draft.file_ids, draft.nonce,
        decode(draft.hash, 'hex'), decode(draft.old_hash, 'hex'), true);
    end if;
    if outcome = 'busy' then late := late || draft.author_id; end if;
    return next;
  end loop;
end $$;
