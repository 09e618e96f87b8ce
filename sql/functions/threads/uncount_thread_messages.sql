-- However messages go, the count of their thread follows.
create or replace function uncount_thread_messages() returns trigger language plpgsql as $$
declare
  thread_id bigint;
begin
  for thread_id in update channels c set message_count = c.message_count - theirs.n from (
      select channel_id, count(*)::int as n from gone group by channel_id) theirs
    where c.id = theirs.channel_id and c.type = 'thread' and c.parent_id is not null returning c.id loop
    perform thread_changed(thread_id);
  end loop;
  return null;
end $$;
