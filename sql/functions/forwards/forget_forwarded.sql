-- Keeps forwarded text and files out of the event log: both go with the original. A replay reads the message.
create or replace function forget_forwarded() returns trigger language plpgsql as $$
declare
  forwarded text := new.body -> 'forwarded';
  files text := new.body -> 'files';
begin
  if new.type not in ('message.created', 'message.updated') then return new; end if;
  -- As long as before, so that a replay that counts bytes counts these too.
  new.body := replace(replace(new.body::text,
    '"forwarded":' || forwarded, '"forwarded":{}' || repeat(' ', octet_length(forwarded) - 2)),
    '"files":' || files, '"files":[]' || repeat(' ', octet_length(files) - 2));
  return new;
end $$;
