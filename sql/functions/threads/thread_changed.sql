create or replace function thread_changed(p_thread bigint, p_back boolean default false) returns void language sql as $$
  insert into thread_changes as known (channel_id, is_back) values (p_thread, p_back)
    on conflict (channel_id) do update set is_told = false, is_back = known.is_back or excluded.is_back
    where known.is_told or (excluded.is_back and not known.is_back);
$$;
