-- What accounts say about themselves, besides name and picture.
create table profiles (
  user_id bigint primary key references users on delete cascade,
  bio text not null default '',
  pronouns text
);

-- Pictures above profiles.
create table banners (
  id bigint generated always as identity primary key,
  user_id bigint not null unique references users on delete cascade,
  -- Unguessable: whoever knows it gets the picture.
  key text not null unique,
  size bigint not null,
  width int not null,
  height int not null,
  -- The upload that it was made from, which is gone.
  file_id bigint not null,
  created_at timestamptz(3) not null default now()
);

create function banner_gone() returns trigger language plpgsql as $$
begin
  insert into object_outbox (key) values ('banners/' || old.key) on conflict (key) do update set due_at = now();
  return null;
end $$;
create trigger banner_gone after delete on banners for each row execute function banner_gone();
