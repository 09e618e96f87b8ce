-- Makes those who hold one of the roles and see the thread its followers, and names the new ones. Roles that more than
-- 100 members hold together make nobody one.
create or replace function follow_called(p_thread bigint, p_roles bigint[]) returns setof bigint language plpgsql as $$
declare
  holders bigint[];
begin
  if cardinality(p_roles) = 0 then return; end if;
  holders := array(select distinct mr.user_id from member_roles mr where mr.role_id = any (p_roles) limit 101);
  if cardinality(holders) > 100 then return; end if;
  return query select follow_thread(p_thread, mentioned(p_thread, holders));
end $$;
