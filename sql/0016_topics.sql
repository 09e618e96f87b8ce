-- The topic of a channel's events: the server's, or the channel's own where not every member sees it. In TypeScript
-- that is topic.channel in src/core/events.ts; test/events/topics.test.ts compares the two.
create function channel_topic(c channels) returns text language sql stable parallel safe
  return case when c.restricted then 'channel:' || c.id else 'server:' || c.server_id end;

-- Sends a message: permission, nonce, message and event in one statement.
-- outcome: created · repeated (the same nonce and request) · nonce_conflict · reply_unknown · file_unknown
-- · already_attached · missing_permission (missing names the bit) · not_found
-- As in 0005, with its topic from channel_topic and its permissions by name.
create or replace function send_message(
  p_author bigint, p_channel bigint, p_content text, p_mentions bigint[], p_reply_to bigint,
  p_file_ids bigint[], p_nonce text, p_request_hash bytea,
  out outcome text, out missing text, out event_id bigint, out topic text, out body text
) language plpgsql as $$
declare
  held bigint;
  home channels;
  seen message_nonces;
  sent messages;
  attached bigint[];
  own_files int;
begin
  perform share_access(c.server_id) from channels c where c.id = p_channel;
  -- Until this has ended the author is not deleted; who is deleted already has no membership any more.
  perform from users u where u.id = p_author for key share;
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
    perform pg_advisory_xact_lock(hashtextextended(p_nonce, p_author * 1000003 + p_channel));
    select * into seen from message_nonces mn
      where mn.author_id = p_author and mn.channel_id = p_channel and mn.nonce = p_nonce;
    if seen.created_at > now() - interval '24 hours' then
      select message_json(m)::text into body from messages m where m.id = seen.message_id;
      outcome := case when body is null or seen.request_hash <> p_request_hash
        then 'nonce_conflict' else 'repeated' end;
      if outcome = 'nonce_conflict' then body := null; end if;
      return;
    end if;
  end if;
  if p_reply_to is not null and not exists (
    select from messages m where m.id = p_reply_to and m.channel_id = p_channel) then
    outcome := 'reply_unknown';
    return;
  end if;
  if cardinality(p_file_ids) > 0 then
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
    values (p_channel, p_author, p_content, mentioned(p_channel, p_mentions), p_reply_to, p_nonce) returning * into sent;
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
