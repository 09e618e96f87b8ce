-- Has copies of deleted files checked.
create or replace function check_copies() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  insert into forward_checks (file_id)
    select g.id from gone g where exists (select from files f where f.copied_from = g.id);
  return null;
end $$;
