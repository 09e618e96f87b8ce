-- Small pictures of roles, shown next to names.
alter table roles add column icon_url text;

create table role_icons (
  id bigint generated always as identity primary key,
  role_id bigint not null unique references roles on delete cascade,
  server_id bigint not null references servers on delete cascade,
  -- Unguessable: whoever knows it gets the picture.
  key text not null unique,
  size bigint not null,
  -- The upload that it was made from, which is gone.
  file_id bigint not null,
  created_at timestamptz(3) not null default now()
);
create index on role_icons (server_id);

create function role_icon_gone() returns trigger language plpgsql as $$
begin
  insert into object_outbox (key) values ('role-icons/' || old.key) on conflict (key) do update set due_at = now();
  return null;
end $$;
create trigger role_icon_gone after delete on role_icons for each row execute function role_icon_gone();
create trigger role_icon_released after delete on role_icons for each row execute function asset_gone();
