-- Short sounds of servers, which members play in calls.
create table sounds (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  name text not null,
  emoji text,
  -- Unguessable: whoever knows it gets the sound.
  key text not null unique,
  size bigint not null,
  duration_ms int not null,
  creator_id bigint not null references users,
  created_at timestamptz(3) not null default now()
);
create index sounds_of_server on sounds (server_id, id);
create index on sounds (creator_id);

create function sound_gone() returns trigger language plpgsql as $$
begin
  insert into object_outbox (key) values ('sounds/' || old.key) on conflict (key) do update set due_at = now();
  return null;
end $$;
create trigger sound_gone after delete on sounds for each row execute function sound_gone();
create trigger sound_released after delete on sounds for each row execute function asset_gone();

-- Bit 42, use_soundboard, goes with bit 21, speak, in roles and in overwrites: nobody is heard where it may not speak.
create function with_soundboard(p_sum bigint) returns bigint language sql immutable
  return p_sum | case when p_sum & (1::bigint << 21) <> 0 then 1::bigint << 42 else 0 end;
update roles set permissions = with_soundboard(permissions) where permissions <> with_soundboard(permissions);
update overwrites set allow = with_soundboard(allow), deny = with_soundboard(deny)
  where (allow, deny) <> (with_soundboard(allow), with_soundboard(deny));
-- A new installation has this table only later, and empty.
do $$
begin
  if to_regclass('member_overwrites') is not null then
    update member_overwrites set allow = with_soundboard(allow), deny = with_soundboard(deny)
      where (allow, deny) <> (with_soundboard(allow), with_soundboard(deny));
  end if;
end $$;
drop function with_soundboard(bigint);

-- No event says so: clients fetch the permissions again, instead of resuming from an earlier event.
do $$
begin
  if exists (select from events) then
    insert into events (type, topic, resource) values ('log.started', 'nobody', 'log');
    update event_log_origin set resumable_from = (select max(id) from events);
  end if;
end $$;
