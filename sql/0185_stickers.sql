-- Stickers: larger pictures of servers, each a message of its own.
create table stickers (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  name text not null check (char_length(name) between 2 and 30),
  alt text not null check (char_length(alt) between 1 and 200),
  -- Unguessable: whoever knows it gets the picture.
  key text not null unique,
  size bigint not null,
  is_animated boolean not null,
  creator_id bigint not null references users,
  created_at timestamptz(3) not null default now(),
  -- A deleted one is offered to nobody, and shown where it was used.
  deleted_at timestamptz(3)
);
create index on stickers (server_id, id);
create index on stickers (creator_id);

create function sticker_gone() returns trigger language plpgsql as $$
begin
  insert into object_outbox (key) values ('stickers/' || old.key) on conflict (key) do update set due_at = now();
  return null;
end $$;
create trigger sticker_gone after delete on stickers for each row execute function sticker_gone();
create trigger sticker_released after delete on stickers for each row execute function asset_gone();

-- No foreign key, because a message outlives its sticker.
drop function if exists new_message(bigint, bigint, text, bigint, text, bigint[], bigint[], boolean, boolean, bigint,
  boolean, text, timestamptz, timestamptz, bigint, timestamptz, timestamptz, bigint, json, json, boolean, json, boolean,
  text, boolean);
alter table messages add column sticker_id bigint;
alter type message_draft add attribute sticker_id bigint;
