-- Sends a message in its channel, or to a person: in the dm with them, which is made if there is none. Whoever waits for
-- a lock gives up soon, and is tried again after the others who wait.
-- p_tries: no lock is waited for; what would wait, and the first message of a dm, is busy.
create or replace function send_message(draft message_draft, p_tries boolean default false) returns send_result
language plpgsql set lock_timeout = '500ms' set plan_cache_mode = force_generic_plan as $$
declare
  home_id bigint := draft.channel_id;
  home channels;
  recipient bigint;
  held bigint;
  written record;
  logged record;
  result send_result;
begin
  if draft.recipient_id is not null and p_tries then
    select p.channel_id into home_id from participants p
      where p.user_id = draft.author_id and p.other_id = draft.recipient_id and p.is_open;
  elsif draft.recipient_id is not null then
    select o.outcome, o.channel_id into result.outcome, home_id from open_dm(draft.author_id, draft.recipient_id) o;
    if home_id is null or result.outcome = 'cannot_contact' then return result; end if;
  end if;
  if not p_tries then
    perform share_channel(c) from channels c where c.id = home_id;
  elsif home_id is null or not (select try_share_channel(c) from channels c where c.id = home_id) then
    result.outcome := 'busy';
    return result;
  end if;
  select * into home from channels c where c.id = home_id;
  if home.type = 'dm' then
    select p.other_id into recipient from participants p where p.channel_id = home_id and p.user_id = draft.author_id;
  end if;
  -- Until this has ended neither is deleted; who is deleted already is no member and in no group any more.
  if not p_tries then
    perform from users u where u.id in (draft.author_id, recipient) order by u.id for key share;
  else
    perform from users u where u.id = draft.author_id for key share skip locked;
    if found and recipient is not null then
      perform from users u where u.id = recipient for key share skip locked;
    end if;
    if not found then
      result.outcome := 'busy';
      return result;
    end if;
  end if;
  select ca.permissions into held from channel_access(home_id, draft.author_id) ca;
  written := write_message(draft, home, recipient, held, p_tries);
  result.outcome := written.outcome;
  result.missing := written.missing;
  result.retry_after := written.retry_after;
  result.body := written.body;
  if written.outcome = 'created' then
    logged := log_sent(home, written.sent);
    result.audience := logged.audience;
    result.body := logged.body;
    result.event_ids := logged.event_ids;
    result.topics := logged.topics;
    result.bodies := logged.bodies;
  end if;
  return result;
end $$;
