-- Finds out which files of forwards are copies, where nothing noted that: those that are like a file of the original.
create or replace function note_copies(p_forwards bigint[]) returns void language sql as $$
  update files f set copied_from = (
      select coalesce(o.copied_from, o.id) from files o
      where o.message_id = m.forwarded_id and o.filename = f.filename and o.size = f.size
        and o.content_type = f.content_type
      order by abs(o.ordinal - f.ordinal), o.id limit 1)
    from messages m
    where m.id = any (p_forwards) and m.forwarded_id is not null and f.message_id = m.id and f.copied_from is null
$$;
