-- Refuses each change after which a self-assignable role would have more than everyone starts with: by itself, by an
-- overwrite, or by an exemption from automod. The caller has locked the server.
create or replace function demand_modest_role() returns trigger language plpgsql as $$
declare
  is_modest boolean;
begin
  if tg_table_name = 'roles' then
    is_modest := not new.is_everyone and new.bot_id is null and new.permissions & ~starting_permissions() = 0
      and not exists (select from overwrites where role_id = new.id and allow & ~starting_permissions() <> 0)
      and not exists (
        select from automod_rules where server_id = new.server_id and new.id = any (exempt_role_ids));
  elsif tg_table_name = 'overwrites' then
    is_modest := new.allow & ~starting_permissions() = 0
      or not exists (select from roles where id = new.role_id and self_assignable);
  else
    is_modest := not exists (select from roles where id = any (new.exempt_role_ids) and self_assignable);
  end if;
  if not is_modest then
    raise exception using errcode = 'check_violation', constraint = 'role_too_strong';
  end if;
  return new;
end $$;
