-- The list of read marks that has a channel. That of a server has all its channels but threads, of which there may be
-- any number: theirs, and those of dms and groups, are in lists without a server, by 128 ids.
create or replace function mark_list_of(c channels, out server_id bigint, out part bigint)
language sql immutable as $$
  select case when c.type = 'thread' or c.server_id is null then 0 else c.server_id end,
    case when c.type = 'thread' or c.server_id is null then c.id / 128 else 0 end
$$;
