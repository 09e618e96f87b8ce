-- A message of a bot is sent with its embeds among `data`.
create or replace function embeds_of_data() returns trigger language plpgsql as $$
begin
  if new.data -> 'embeds' is not null then
    new.embeds := new.data -> 'embeds';
    new.data := nullif((new.data::jsonb - 'embeds')::text, '{}')::json;
  end if;
  return new;
end $$;
