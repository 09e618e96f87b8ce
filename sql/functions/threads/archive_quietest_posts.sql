-- Archives the quietest posts of a forum beyond 1,000, pinned ones not counted.
create or replace function archive_quietest_posts(p_forum bigint) returns void language plpgsql as $$
declare
  quiet_id bigint;
begin
  for quiet_id in update channels c set archived_at = now() where c.id in (
    select q.id from channels q where q.archived_at is null and q.id in (
      select t.id from channels t
      where t.parent_id = p_forum and t.tag_ids is not null and t.archived_at is null and not t.pinned
      order by t.active_at desc, t.id desc offset 1000)
    for no key update skip locked) returning c.id loop
    perform thread_changed(quiet_id);
  end loop;
end $$;
