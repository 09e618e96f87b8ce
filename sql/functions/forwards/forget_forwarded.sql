-- As in 0072; every insert reads a trigger's condition anew, so it is short.
create or replace function forget_forwarded() returns trigger language plpgsql as $$
declare
  forwarded text := new.body -> 'forwarded';
begin
  if new.server_id is null or new.type not in ('message.created', 'message.updated') then return new; end if;
  -- As long as before, so that a replay that counts bytes counts these too.
  new.body := replace(new.body::text, '"forwarded":' || forwarded,
    '"forwarded":{}' || repeat(' ', octet_length(forwarded) - 2));
  return new;
end $$;
