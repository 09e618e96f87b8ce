-- However messages and files go, their forwards follow. A plan that was made while there were few would read all.
create or replace function check_forwards() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  insert into forward_checks (original_id)
    select g.id from gone g where exists (select from messages m where m.forwarded_id = g.id);
  if found then
    -- The newest at once; the others when they are emptied.
    delete from search_documents d where d.message_id = any (array(
      select m.id from messages m where m.forwarded_id in (select g.id from gone g) order by m.id desc limit 200));
  end if;
  return null;
end $$;
