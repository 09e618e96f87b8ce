-- Deletes the account of a deleted webhook, unless messages of it, reports about it, or entries of a log or cases by it
-- are left.
create or replace function webhook_gone() returns trigger language plpgsql as $$
begin
  delete from users u where u.id = old.id and not exists (select from messages m where m.author_id = u.id)
    and not exists (select from audit_log a where a.actor_id = u.id)
    and not exists (select from cases c where c.actor_id = u.id)
    and not exists (select from reports r where r.author_id = u.id)
    and not exists (select from report_evidence e where e.author_id = u.id);
  return null;
end $$;
