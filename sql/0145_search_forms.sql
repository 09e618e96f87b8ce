-- Search by names of files and threads, and by forms of letters that keyboards exchange.

-- By which rules the documents have been made. Where the server has newer ones, its job makes all of them again, from
-- the newest to the oldest, while searches go on; 1: those of before this column.
alter table search_progress add column rules int not null default 1;

-- A message at which a thread began is found by the thread's name, the last of its terms, until the thread is gone.
create function forget_thread_name() returns trigger language plpgsql as $$
begin
  update search_documents set terms = split_part(terms, ' #thread ', 1) || ' '
    where message_id = old.message_id and position(' #thread ' in terms) > 0;
  return null;
end $$;
create trigger forget_thread_name after update of message_id on channels for each row
  when (old.message_id is not null and old.message_id is distinct from new.message_id)
  execute function forget_thread_name();

-- The message by which a thread's name is found: the one at which it began, or else the first that is in it.
create function named_message(p_thread bigint) returns bigint language sql stable
  return (select coalesce(c.message_id,
      (select m.id from messages m where m.channel_id = c.id and m.kind = 'default' order by m.id limit 1))
    from channels c where c.id = p_thread and c.type = 'thread');
