-- Embeds hold no NUL: PostgreSQL takes it in json, and fails when the text is read.
update messages set embeds = regexp_replace(embeds::text, '(?<!\\)((?:\\\\)*)\\u0000', '\1', 'g')::json
where embeds is not null and position('\u0000' in embeds::text) > 0;

-- What the log holds has files as they were before 0076, and such embeds: clients begin afresh. Its ids go on.
do $$
begin
  if exists (select from events) then
    truncate events;
    insert into events (type, topic, resource) values ('log.started', 'nobody', 'log');
  end if;
end $$;
