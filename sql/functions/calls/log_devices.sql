-- Brings the device logs of accounts up to date with their sessions: appends a removal for each device that is gone,
-- and then an addition for each new one. Only the last p_kept changes of a log are kept. Sessions end in many ways, so
-- this runs before anybody reads a log, not when a session ends.
create or replace function log_devices(p_accounts bigint[], p_kept int) returns void
language plpgsql as $$
declare
  v_log device_logs;
  v_live bytea[];
  v_change record;
begin
  -- Waits for a deletion of an account, so that no log is begun behind it.
  perform from users u where u.id = any(p_accounts) and u.deleted_at is null order by u.id for key share;
  insert into device_logs (user_id)
    select distinct s.user_id from sessions s where s.user_id = any(p_accounts) and s.device_key is not null
    order by s.user_id on conflict do nothing;
  for v_log in select * from device_logs l where l.user_id = any(p_accounts) order by l.user_id for no key update loop
    -- Read after the lock: whoever had it before may have logged a later state, also by the clock.
    v_live := array(select distinct s.device_key from sessions s where s.user_id = v_log.user_id
      and s.device_key is not null and s.expires_at > clock_timestamp() order by s.device_key);
    continue when v_live = v_log.keys;
    for v_change in
      select changes.key, changes.is_added from (
        (select unnest(v_log.keys) as key, false as is_added except select unnest(v_live), false)
        union all
        (select unnest(v_live), true except select unnest(v_log.keys), true)
      ) changes order by changes.is_added, changes.key
    loop
      if v_change.is_added then
        v_log.keys := array(select k.key from unnest(array_append(v_log.keys, v_change.key)) k (key) order by k.key);
      else
        v_log.keys := array_remove(v_log.keys, v_change.key);
      end if;
      v_log.length := v_log.length + 1;
      v_log.head := device_log_head(v_log.head, v_log.user_id, v_log.length, v_log.keys);
      insert into device_log_entries (user_id, position, is_added, key, head)
        values (v_log.user_id, v_log.length, v_change.is_added, v_change.key, v_log.head);
    end loop;
    update device_logs l set length = v_log.length, head = v_log.head, keys = v_log.keys
      where l.user_id = v_log.user_id;
    delete from device_log_entries e where e.user_id = v_log.user_id and e.position <= v_log.length - p_kept;
  end loop;
end $$;
