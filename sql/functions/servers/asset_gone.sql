-- Releases the bytes of a deleted row that was counted by charge_assets. For tables with the columns server_id and size.
create or replace function asset_gone() returns trigger language plpgsql as $$
begin
  update server_assets set bytes = bytes - old.size where server_id = old.server_id;
  return null;
end $$;
