-- As in 0091. The log keeps neither what a message forwards nor its files, wherever it was sent: both go with the
-- original, at whatever number. A replay reads the message (forward_now).
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
