-- The message by which a thread's name is found: the one at which it began, or else the first that is in it.
create or replace function named_message(p_thread bigint) returns bigint language sql stable
  return (select coalesce(c.message_id, c.first_message_id,
      (select m.id from messages m where m.channel_id = c.id and m.kind = 'default' order by m.id limit 1))
    from channels c where c.id = p_thread and c.type = 'thread');
