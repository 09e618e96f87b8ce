-- Counts bytes for a server; more than p_max violates the constraint too_many_bytes. Deleted emoji, which are kept for
-- old messages, give way first, the oldest before others.
create or replace function charge_assets(p_server bigint, p_bytes bigint, p_max bigint) returns void
language plpgsql as $$
declare
  v_excess bigint;
begin
  insert into server_assets (server_id) values (p_server) on conflict do nothing;
  select bytes + p_bytes - p_max into v_excess from server_assets where server_id = p_server for no key update;
  if v_excess > 0 then
    delete from emojis where id in (
      select kept.id from (
        select e.id, sum(e.size) over (order by e.deleted_at, e.id) - e.size as freed from emojis e
        where e.server_id = p_server and e.deleted_at is not null and e.size > 0
      ) kept where kept.freed < v_excess);
  end if;
  update server_assets set bytes = bytes + p_bytes, bytes_max = p_max where server_id = p_server;
end $$;
