-- Makes accounts followers of a thread, and names the new ones.
create or replace function follow_thread(p_thread bigint, p_users bigint[]) returns setof bigint language plpgsql as $$
begin
  -- Who cannot be locked at once is being deleted.
  return query insert into thread_followers (channel_id, user_id)
    select p_thread, free.id from (
      select u.id from users u where u.id = any (p_users) and u.deleted_at is null
        and not exists (select from thread_followers f where f.user_id = u.id and f.channel_id = p_thread)
      for key share skip locked) free
    on conflict do nothing returning user_id;
end $$;
