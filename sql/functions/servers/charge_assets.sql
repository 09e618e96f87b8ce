-- Counts bytes for a server; more than p_max violates the constraint too_many_bytes. If p_evicts,
-- deleted emoji and stickers, which are kept for old messages, give way first, the oldest before others.
create or replace function charge_assets(p_server bigint, p_bytes bigint, p_max bigint, p_evicts boolean)
  returns void
language plpgsql as $$
declare
  v_excess bigint;
begin
  insert into server_assets (server_id) values (p_server) on conflict do nothing;
  select bytes + p_bytes - p_max into v_excess from server_assets where server_id = p_server for no key update;
  if p_evicts and v_excess > 0 then
    with kept as (
      select e.id, false as is_sticker, e.size, e.deleted_at from emojis e
        where e.server_id = p_server and e.deleted_at is not null and e.size > 0
      union all
      select s.id, true, s.size, s.deleted_at from stickers s
        where s.server_id = p_server and s.deleted_at is not null
    ), summed as (
      select kept.*, sum(size) over (order by deleted_at, is_sticker, id) - size as freed from kept
    ), leaving as (
      select * from summed where freed < v_excess
    ), gone as (
      delete from emojis where id in (select id from leaving where not is_sticker)
    )
    delete from stickers where id in (select id from leaving where is_sticker);
  end if;
  update server_assets set bytes = bytes + p_bytes, bytes_max = p_max where server_id = p_server;
end $$;
