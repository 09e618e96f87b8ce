-- Sends a scheduled message that is due, unless it was changed since p_version was read, or another process sends it.
-- The message, its events and the end of the scheduled one are one transaction: it is sent once or not at all. What
-- cannot be sent is returned to its author. result: as send_message; without an outcome nothing was done.
-- own_…: the event for the author's sockets.
create or replace function send_scheduled(
  p_id bigint, p_version int, draft message_draft,
  out result send_result, out own_type text, out own_event_id bigint, out own_body text
) language plpgsql set lock_timeout = '500ms' as $$
declare
  due scheduled_messages;
  kept_files bigint[];
begin
  select * into due from scheduled_messages s
    where s.id = p_id and s.version = p_version and s.state = 'waiting' and s.send_at <= now()
    for update skip locked;
  if due.id is null then return; end if;
  with freed as (update files set scheduled_id = null where scheduled_id = p_id returning id)
    select coalesce(array_agg(freed.id), '{}') into kept_files from freed;
  if due.channel_id is null then
    result.outcome := 'not_found';
  elsif draft.content = '' and kept_files = '{}' then
    result.outcome := 'empty';
  else
    result := send_message(draft);
  end if;
  if result.outcome in ('created', 'repeated') then
    delete from scheduled_messages where id = p_id;
    own_type := 'scheduled.removed';
    own_body := json_build_object('id', p_id, 'message_id', (result.body::json ->> 'id')::bigint);
  else
    update files set scheduled_id = p_id where id = any (kept_files);
    update scheduled_messages set state = 'returned', version = version + 1, reason = case result.outcome
      when 'is_category' then 'forbidden'
      when 'reply_unknown' then 'validation_failed'
      when 'file_unknown' then 'validation_failed'
      when 'empty' then 'validation_failed'
      else result.outcome end where id = p_id returning * into due;
    own_type := 'scheduled.updated';
    own_body := json_build_object('id', p_id, 'channel_id', due.channel_id, 'send_at', iso(due.send_at),
      'state', due.state, 'reason', due.reason);
  end if;
  insert into events (type, topic, user_id, resource, body)
    values (own_type, 'user:' || due.author_id, due.author_id, 'scheduled:' || p_id, own_body::json)
    returning id into own_event_id;
end $$;
