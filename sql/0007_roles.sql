-- Managing roles and overwrites, and the audit log of whoever manages.

alter table servers add column role_count int not null default 0 constraint too_many_roles check (role_count <= 250);
update servers s set role_count = (select count(*) from roles r where r.server_id = s.id);

create function count_role() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update servers set role_count = role_count + 1 where id = new.server_id;
  else
    update servers set role_count = role_count - 1 where id = old.server_id;
  end if;
  return null;
end $$;
create trigger count_role after insert or delete on roles for each row execute function count_role();

-- Which channels not every member sees: everyone lacks view_channel, or an overwrite speaks of it.
-- Returns the channels of which that has changed.
create function refresh_restricted(p_server bigint) returns setof channels language sql as $$
  update channels c set restricted = not c.restricted
  where c.server_id = p_server and c.restricted <> (
    is_hidden(p_server) or exists (select from overwrites o where o.channel_id = c.id and (o.allow | o.deny) & (1 << 10) <> 0))
  returning c.*;
$$;

create table audit_log (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  actor_id bigint not null references users,
  action text not null,
  target_type text not null,
  target_id bigint not null,
  -- field → {before, after}
  changes jsonb not null default '{}',
  created_at timestamptz(3) not null default now()
);
create index on audit_log (server_id, id);
create index on audit_log (actor_id);
