-- Files: uploads under way, records, and the outbox of objects to remove.

create table uploads (
  key text primary key,
  user_id bigint not null references users on delete cascade,
  filename text not null,
  content_type text not null,
  size bigint not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index on uploads (user_id);
create index on uploads (expires_at);

create table files (
  id bigint generated always as identity primary key,
  uploader_id bigint not null references users,
  message_id bigint,
  dm_message_id bigint,
  -- The order among a message's files.
  ordinal int not null default 0,
  filename text not null,
  content_type text not null,
  size bigint not null,
  width int,
  height int,
  key text not null unique,
  thumbnail_key text,
  created_at timestamptz(3) not null default now()
);
create index on files (uploader_id);
create index on files (message_id) where message_id is not null;
create index on files (created_at) where message_id is null and dm_message_id is null;

alter table users add column stored_bytes bigint not null default 0;
alter table users add foreign key (avatar_file_id) references files on delete set null;
alter table servers add foreign key (icon_file_id) references files on delete set null;
create index on users (avatar_file_id) where avatar_file_id is not null;
create index on servers (icon_file_id) where icon_file_id is not null;

-- Objects that are to go: written in the transaction that makes them useless, carried out afterwards, and again until
-- it has worked. A row with a later time also guards an object that is being made: if its maker dies, it goes.
create table object_outbox (
  key text primary key,
  due_at timestamptz(3) not null default now(),
  attempts int not null default 0
);
create index on object_outbox (due_at);

-- However a record goes, by itself or with its message, channel, server: its objects follow.
create function file_gone() returns trigger language plpgsql as $$
begin
  insert into object_outbox (key) select key from unnest(array[old.key, old.thumbnail_key]) key where key is not null
    on conflict (key) do update set due_at = now();
  update users set stored_bytes = stored_bytes - old.size where id = old.uploader_id;
  return null;
end $$;
create trigger file_gone after delete on files for each row execute function file_gone();

create function file_stored() returns trigger language plpgsql as $$
begin
  update users set stored_bytes = stored_bytes + new.size where id = new.uploader_id;
  return null;
end $$;
create trigger file_stored after insert on files for each row execute function file_stored();

create function file_json(f files) returns json language sql stable begin atomic
  select row_to_json(wire) from (
    select f.id, f.uploader_id, f.message_id, f.dm_message_id, f.filename, f.content_type, f.size, f.width, f.height,
      iso(f.created_at) as created_at
  ) wire;
end;
