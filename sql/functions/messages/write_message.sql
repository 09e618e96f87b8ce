-- Writes a message in a channel of any type, whose locks are held: permission, nonce, message and files.
-- recipient: in a dm, the other person. held: the author's permissions there. p_tries: no lock is waited for.
-- outcome: created · repeated (the same nonce and request: body) · nonce_conflict · reply_unknown · forward_unknown
-- · file_unknown · sticker_unknown · already_attached · missing_permission (missing names the bit) · slowmode (retry_after, in seconds)
-- · is_category · cannot_contact · not_found
-- · busy (only with p_tries: it would have waited for a lock; nothing is written)
create or replace function write_message(
  draft message_draft, home channels, recipient bigint, held bigint, p_tries boolean,
  out outcome text, out missing text, out retry_after int, out body text, out sent messages
) language plpgsql as $$
declare
  seen message_nonces;
  forwarded_id bigint;
  forwarded json;
  attached bigint[];
  own_files int;
  key_lock bigint;
  sticker_server bigint;
begin
  if held is null or not can_view(held) then
    outcome := 'not_found';
    return;
  end if;
  if home.type in ('category', 'forum') then
    outcome := 'is_category';
    return;
  end if;
  if recipient is not null and not lock_requests(draft.author_id, home.id, p_tries) then
    outcome := 'busy';
    return;
  end if;
  -- The author of a direct message may have been deleted since it was let in.
  if recipient is not null and (not takes_dm(draft.author_id, recipient) or exists (
    select from users u where u.id = draft.author_id and u.deleted_at is not null)) then
    outcome := 'cannot_contact';
    return;
  end if;
  -- Constant names are bits once it is planned.
  missing := case
    when home.type = 'thread' and not holds(held, 'send_in_threads') then 'send_in_threads'
    when home.type <> 'thread' and not holds(held, 'send_messages') then 'send_messages'
    when cardinality(draft.file_ids) > 0 and not holds(held, 'attach_files') then 'attach_files'
    when draft.poll is not null and not holds(held, 'send_polls') then 'send_polls' end;
  if missing is not null then
    outcome := 'missing_permission';
    return;
  end if;
  -- Its event has to follow those of the messages that its group writes together.
  if p_tries and (draft.poll is not null or draft.sticker_id is not null) then
    outcome := 'busy';
    return;
  end if;
  if draft.nonce is not null then
    -- One sender's uses of one nonce wait for each other here; the loser sees what the winner committed.
    key_lock := hashtextextended(draft.nonce, draft.author_id * 1000003 + home.id);
    if not p_tries then
      perform pg_advisory_xact_lock(key_lock);
    elsif not pg_try_advisory_xact_lock(key_lock) then
      outcome := 'busy';
      return;
    end if;
    seen := used_nonce(draft.author_id, home.id, draft.nonce);
    if seen.created_at > now() - interval '24 hours' then
      select message_json(m)::text into body from messages m where m.id = seen.message_id;
      outcome := case when body is not null
          and seen.request_hash in (decode(draft.hash, 'hex'), decode(draft.old_hash, 'hex'))
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
  if home.slowmode_seconds > 0 and not holds(held, 'manage_messages') then
    -- An account's sends in this channel, on whatever node, wait for each other.
    key_lock := hashtextextended('slowmode', draft.author_id * 1000003 + home.id);
    if not p_tries then
      perform pg_advisory_xact_lock(key_lock);
    elsif not pg_try_advisory_xact_lock(key_lock) then
      outcome := 'busy';
      return;
    end if;
    select ceil(extract(epoch from sm.sent_at - clock_timestamp()) + home.slowmode_seconds) into retry_after
      from slowmode_marks sm where sm.user_id = draft.author_id and sm.channel_id = home.id;
    if retry_after > 0 then
      outcome := 'slowmode';
      return;
    end if;
    retry_after := null;
  end if;
  if draft.reply_to_id is not null and not exists (
    select from messages m where m.id = draft.reply_to_id and m.channel_id = home.id
        and holds(held, 'read_history')) then
    outcome := 'reply_unknown';
    return;
  end if;
  if home.type = 'thread' then
    -- Brings it back from the archive; of one that is locked, only for whoever manages threads.
    select * into outcome, missing from enter_thread(home, held, draft.author_id, p_tries);
    if outcome is not null then return; end if;
  end if;
  if draft.forward_message_id is not null then
    -- outcome: forward_unknown, where the author may not read it
    select * into outcome, forwarded_id, forwarded
      from forwardable(draft.forward_message_id, draft.author_id, home);
    if outcome is not null then return; end if;
  end if;
  if draft.sticker_id is not null then
    select s.server_id into sticker_server from stickers s
      where s.id = draft.sticker_id and s.deleted_at is null and (s.server_id = home.server_id
        or exists (select from members mem where mem.server_id = s.server_id and mem.user_id = draft.author_id));
    outcome := case when sticker_server is null then 'sticker_unknown'
      when sticker_server is distinct from home.server_id and not holds(held, 'use_external_emoji')
        then 'missing_permission' end;
    if outcome is not null then
      missing := case when outcome = 'missing_permission' then 'use_external_emoji' end;
      return;
    end if;
  end if;
  if cardinality(draft.file_ids) > 0 then
    if p_tries and cardinality(draft.file_ids) > (
      select count(*) from (select from files f where f.id = any (draft.file_ids) and f.uploader_id = draft.author_id
        for update skip locked) free) then
      outcome := 'busy';
      return;
    end if;
    -- Locked, so that of two messages only one gets them.
    select array_agg(locked.id) filter (where locked.is_attached), count(*) into attached, own_files from (
        select f.id, f.message_id is not null or f.scheduled_id is not null
            or exists (select from favourites v where v.file_id = f.id) as is_attached
          from files f
        where f.id = any (draft.file_ids) and f.uploader_id = draft.author_id for update
      ) locked;
    outcome := case when own_files < cardinality(draft.file_ids) then 'file_unknown'
      when attached is not null then 'already_attached' end;
    if outcome is not null then return; end if;
  end if;
  if draft.reply_to_id is not null and draft.reply_mention then
    draft.people := draft.people || array(
      select m.author_id from messages m where m.id = draft.reply_to_id and m.author_id <> draft.author_id);
  end if;
  if cardinality(draft.people) > 0 or cardinality(draft.roles) > 0 or draft.everyone or draft.here then
    select * into draft.people, draft.roles, draft.everyone, draft.here
      from resolved_mentions(home, held, draft.people, draft.roles, draft.everyone, draft.here);
  end if;
  select * into sent from insert_messages(array[new_message(
    channel_id => home.id, author_id => draft.author_id, recipient_id => recipient, content => draft.content,
    mention_ids => draft.people, mention_role_ids => draft.roles, mention_everyone => draft.everyone,
    mention_here => draft.here, reply_to_id => draft.reply_to_id, reply_mention => draft.reply_mention,
    forwarded_id => forwarded_id, forwarded => forwarded, nonce => draft.nonce, data => draft.data,
    polled => draft.poll is not null, sticker_id => draft.sticker_id)]);
  if draft.poll is not null then perform add_poll(sent.id, draft.poll); end if;
  if draft.nonce is not null then
    insert into message_nonces
      values (draft.author_id, home.id, draft.nonce, decode(draft.hash, 'hex'), sent.id, now())
      on conflict (author_id, channel_id, nonce) do update
      set request_hash = excluded.request_hash, message_id = excluded.message_id, created_at = excluded.created_at;
  end if;
  if home.slowmode_seconds > 0 then
    insert into slowmode_marks values (draft.author_id, home.id, clock_timestamp())
      on conflict (user_id, channel_id) do update set sent_at = excluded.sent_at;
  end if;
  if cardinality(draft.file_ids) > 0 then
    update files f set message_id = sent.id, ordinal = array_position(draft.file_ids, f.id)
      where f.id = any (draft.file_ids);
  end if;
  if home.type = 'thread' then perform note_in_thread(home.id, sent); end if;
  outcome := 'created';
end $$;
