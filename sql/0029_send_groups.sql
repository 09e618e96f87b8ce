-- Many messages by one statement: what waits while a commit is under way goes with the next one.

-- share_access where that does not wait; false where it would. True of no server at all.
create function try_share_access(p_server bigint) returns boolean language sql
  return p_server is null or pg_try_advisory_xact_lock_shared(7201506, hashint8(p_server));

drop function send_message;

-- Sends a message: permission, nonce, message and event in one statement.
-- outcome: created · repeated (the same nonce and request) · nonce_conflict · reply_unknown · file_unknown
-- · already_attached · missing_permission (missing names the bit) · not_found
-- · busy (with p_tries alone: it would have waited for a lock, and has written nothing)
-- As in 0016, with p_tries.
create function send_message(
  p_author bigint, p_channel bigint, p_content text, p_mentions bigint[], p_reply_to bigint,
  p_file_ids bigint[], p_nonce text, p_request_hash bytea, p_tries boolean default false,
  out outcome text, out missing text, out event_id bigint, out topic text, out body text
) language plpgsql as $$
declare
  held bigint;
  home channels;
  seen message_nonces;
  sent messages;
  attached bigint[];
  own_files int;
  nonce_lock bigint := hashtextextended(p_nonce, p_author * 1000003 + p_channel);
begin
  -- Until this has ended the author is not deleted; who is deleted already has no membership any more.
  if p_tries then
    if not try_share_access((select c.server_id from channels c where c.id = p_channel)) then
      outcome := 'busy';
      return;
    end if;
    perform from users u where u.id = p_author for key share skip locked;
    if not found and exists (select from users u where u.id = p_author) then
      outcome := 'busy';
      return;
    end if;
  else
    perform share_access(c.server_id) from channels c where c.id = p_channel;
    perform from users u where u.id = p_author for key share;
  end if;
  select cp.permissions into held from channel_permissions cp
    where cp.user_id = p_author and cp.channel_id = p_channel;
  if held is null or not can_view(held) then
    outcome := 'not_found';
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
      outcome := case when body is null or seen.request_hash <> p_request_hash
        then 'nonce_conflict' else 'repeated' end;
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
    if p_tries and (
      select count(*) from (select from files f where f.id = any (p_file_ids) and f.uploader_id = p_author
        for update skip locked) free)
      < (select count(*) from files f where f.id = any (p_file_ids) and f.uploader_id = p_author) then
      outcome := 'busy';
      return;
    end if;
    -- Locked, so that of two messages only one gets them.
    select array_agg(locked.id) filter (where locked.is_attached), count(*) into attached, own_files from (
        select f.id, coalesce(f.message_id, f.dm_message_id) is not null as is_attached from files f
        where f.id = any (p_file_ids) and f.uploader_id = p_author for update
      ) locked;
    outcome := case when own_files < cardinality(p_file_ids) then 'file_unknown'
      when attached is not null then 'already_attached' end;
    if outcome is not null then return; end if;
  end if;
  select * into home from channels c where c.id = p_channel;
  insert into messages (channel_id, author_id, content, mention_ids, reply_to_id, nonce)
    values (p_channel, p_author, p_content,
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
  topic := channel_topic(home);
  insert into events (type, topic, server_id, channel_id, resource, body)
    values ('message.created', topic, home.server_id, p_channel, 'message:' || sent.id, body::json)
    returning id into event_id;
  outcome := 'created';
end $$;

-- Sends messages in their order, each as send_message does, and with an outcome of its own. None waits for a lock: so
-- nothing that holds one stalls the others, and no two groups wait for each other. Behind a busy message its author's
-- later ones are busy too. An error undoes the whole group.
create function send_messages(p_drafts json)
returns table (outcome text, missing text, event_id bigint, topic text, body text) language plpgsql as $$
declare
  draft record;
  late bigint[] := '{}';
begin
  for draft in select * from json_to_recordset(p_drafts) as given (
    author_id bigint, channel_id bigint, content text, mentions bigint[], reply_to_id bigint, file_ids bigint[],
    nonce text, hash text) loop
    if draft.author_id = any (late) then
      outcome := 'busy';
    else
      select * into outcome, missing, event_id, topic, body from send_message(
        draft.author_id, draft.channel_id, draft.content, draft.mentions, draft.reply_to_id, draft.file_ids,
        draft.nonce, decode(draft.hash, 'hex'), true);
    end if;
    if outcome = 'busy' then late := late || draft.author_id; end if;
    return next;
  end loop;
end $$;
