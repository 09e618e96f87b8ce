create or replace function forwarded_json(m messages, p_viewer bigint) returns json language sql stable as $$
  select json_build_object('message_id', o.id, 'channel_id', o.channel_id,
    'author', case when u.id is null then null
      when o.author_name is null then public_user(u) else shown_author(u, o.author_name) end,
    'content', case when source.stands then m.forwarded ->> 'content' end)
  from (select m.forwarded_id is null or message_stands(m.forwarded_id) as stands offset 0) source
  left join messages o on o.id = m.forwarded_id and source.stands and m.forwarded ->> 'unnamed' is null
    and names_source(m, o, p_viewer)
  left join users u on u.id = o.author_id
$$;
