-- Pinned messages of a channel, whatever its type.

alter table channels add column pin_count int not null default 0 constraint too_many_pins check (pin_count <= 250);
create index messages_pinned on messages (channel_id, pinned_at, id) where pinned_at is not null;

create function unpin_deleted() returns trigger language plpgsql as $$
begin
  update channels set pin_count = pin_count - 1 where id = old.channel_id;
  return null;
end $$;
create trigger unpin_deleted after delete on messages
  for each row when (old.pinned_at is not null) execute function unpin_deleted();
