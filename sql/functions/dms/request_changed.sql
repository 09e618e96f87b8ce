-- Notes since when the dm is a request, and the message by which it changed, if one did.
create or replace function request_changed() returns trigger language plpgsql as $$
begin
  new.requested_at := coalesce(old.requested_at, now());
  new.request_id := new.last_message_id;
  return new;
end $$;
