-- Archives the quietest threads of a server beyond 1,000, posts of forums not counted. One that somebody writes in at this moment is not quiet.
create or replace function archive_quietest(p_server bigint) returns void language plpgsql as $$
declare
  quiet_id bigint;
begin
  for quiet_id in update channels c set archived_at = now() where c.id in (
    select q.id from channels q where q.archived_at is null and q.id in (
      select t.id from channels t where t.server_id = p_server and t.type = 'thread' and t.archived_at is null
        and t.tag_ids is null
      order by t.active_at desc, t.id desc offset 1000)
    for no key update skip locked) returning c.id loop
    perform thread_changed(quiet_id);
  end loop;
end $$;
