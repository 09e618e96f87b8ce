-- As in 0047, with that author.
create or replace function forwarded_json(m messages) returns json language sql stable
  return case when m.forwarded is null then null when m.forwarded_id is null
    then json_build_object('message_id', null, 'channel_id', null, 'author', null, 'content', m.forwarded ->> 'content')
    else (
      select json_build_object('message_id', m.forwarded_id, 'channel_id', o.channel_id,
        'author', case when u.id is null then null
          when o.author_name is null then public_user(u) else shown_author(u, o.author_name) end,
        'content', coalesce(nullif(o.content, ''), o.forwarded ->> 'content', o.content))
      from (select) one left join messages o on o.id = m.forwarded_id left join users u on u.id = o.author_id) end;
