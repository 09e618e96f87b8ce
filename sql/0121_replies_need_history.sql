-- A reply names a message, and mentions its author: as if it were not there for whoever may not read the history.
do $$
declare
  before text := pg_get_functiondef('write_message'::regproc);
  after text := replace(before, 'where m.id = draft.reply_to_id and m.channel_id = home.id)',
    'where m.id = draft.reply_to_id and m.channel_id = home.id and holds(held, ''read_history''))');
begin
  if after = before then raise exception 'write_message is not as in 0031'; end if;
  execute after;
end $$;
