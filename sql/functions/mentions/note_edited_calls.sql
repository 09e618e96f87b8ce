create or replace function note_edited_calls() returns trigger language plpgsql as $$
declare
  added bigint[] := array(select unnest(new.mention_role_ids) except select unnest(old.mention_role_ids));
begin
  if new.mention_everyone and not old.mention_everyone then added := added || 0::bigint; end if;
  if new.mention_here and not old.mention_here then added := added || -1::bigint; end if;
  if added <> '{}' then
    new.calls_by_edit := array(select unnest(old.calls_by_edit) union select unnest(added));
  end if;
  return new;
end $$;
