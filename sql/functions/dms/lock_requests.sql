-- Before the first message or call of a dm, which may become a request: those of one sender happen one after the other,
-- so that each counts the ones before it. p_tries: does not wait; false where it would.
create or replace function lock_requests(p_sender bigint, p_channel bigint, p_tries boolean default false)
returns boolean language plpgsql as $$
declare
  key_lock bigint := hashtextextended('requests', p_sender);
begin
  if exists (select from participants p where p.channel_id = p_channel and p.other_id = p_sender
      and p.request is null and p.last_message_id is null) then
    if p_tries then return pg_try_advisory_xact_lock(key_lock); end if;
    perform pg_advisory_xact_lock(key_lock);
  end if;
  return true;
end $$;
