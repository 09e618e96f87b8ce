-- What a message shows of the message that it forwards. p_viewer: see names_source.
create or replace function forwarded_json(m messages, p_viewer bigint) returns json language sql stable as $$
  select case when sticker.id is null then wire.said else (left(wire.said::text, -1)
    || ',"sticker":' || coalesce(sticker_json(sticker.id)::text, 'null') || '}')::json end
  from (
    select json_build_object('message_id', o.id, 'channel_id', o.channel_id,
      'author', case when u.id is null then null
        when o.author_name is null then public_user(u) else shown_author(u, o.author_name) end,
      'content', case when source.stands then m.forwarded ->> 'content' end) as said
    from (select m.forwarded_id is null or message_stands(m.forwarded_id) as stands offset 0) source
    left join messages o on o.id = m.forwarded_id and source.stands and m.forwarded ->> 'unnamed' is null
      and names_source(m, o, p_viewer)
    left join users u on u.id = o.author_id
  ) wire cross join (select forwarded_sticker(m) as id offset 0) sticker
$$;
