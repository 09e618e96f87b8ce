-- kind: break
-- The read marks of an account lie on as many pages of their table as there are marks, and every opening read them all.
-- A list has those of one server in one row. Triggers keep the lists.
create table read_mark_lists (
  user_id bigint not null references users (living_id) on delete cascade,
  server_id bigint not null,
  part bigint not null,
  channel_ids bigint[] not null,
  message_ids bigint[] not null,
  primary key (user_id, server_id, part),
  check (cardinality(channel_ids) = cardinality(message_ids))
  -- Space in which a mark that moves leaves the indexes alone.
) with (fillfactor = 85);

insert into read_mark_lists (user_id, server_id, part, channel_ids, message_ids)
  select mark.user_id, place.server_id, place.part, array_agg(mark.channel_id order by mark.channel_id),
    array_agg(mark.message_id order by mark.channel_id)
  from read_marks mark join channels c on c.id = mark.channel_id
  cross join lateral (select case when c.type <> 'thread' then c.server_id end as server_id) listed
  cross join lateral (select coalesce(listed.server_id, 0) as server_id,
    case when listed.server_id is null then c.id / 128 else 0 end as part) place
  group by mark.user_id, place.server_id, place.part;
-- For the removal of a server.
create index on read_mark_lists (server_id) where server_id > 0;

create function read_marks_set() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create function read_marks_deleted() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create trigger read_marks_inserted after insert on read_marks
  referencing new table as changed for each statement execute function read_marks_set();
create trigger read_marks_updated after update on read_marks
  referencing new table as changed for each statement execute function read_marks_set();
create trigger read_marks_deleted after delete on read_marks
  referencing old table as changed for each statement execute function read_marks_deleted();
