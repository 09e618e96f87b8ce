-- Roles that members give to themselves. They never have more than everyone starts with, whatever is changed.
alter table roles add column self_assignable boolean not null default false;
create index on roles (server_id) where self_assignable;

create function demand_modest_role() returns trigger language plpgsql as $$
begin
  return new;
end $$;
create trigger demand_modest_role before insert or update on roles
  for each row when (new.self_assignable) execute function demand_modest_role();
create trigger demand_modest_role before insert or update on overwrites
  for each row when (new.allow <> 0) execute function demand_modest_role();
create trigger demand_modest_role before insert or update on automod_rules
  for each row when (new.exempt_role_ids <> '{}') execute function demand_modest_role();
