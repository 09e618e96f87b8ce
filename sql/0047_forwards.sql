-- Forwarded messages: within a server by reference, which follows the original; from elsewhere what it said alone.

create index messages_by_forwarded on messages (forwarded_id, id) where forwarded_id is not null;

-- What send_message keeps of a message that its author forwards to the channel `home`: within a server its id alone.
-- Nothing is locked, as where it is read.
-- outcome: null · forward_unknown, where the author may not read it now
create function forwardable(
  p_message bigint, p_author bigint, home channels,
  out outcome text, out forwarded_id bigint, out forwarded json
) language plpgsql as $$
declare
  original messages;
begin
  select m.* into original from messages m cross join lateral channel_access(m.channel_id, p_author) ca
    where m.id = p_message and m.kind = 'default' and can_view(ca.permissions) and holds(ca.permissions, 'read_history');
  if original.id is null then
    outcome := 'forward_unknown';
  elsif home.server_id = (select c.server_id from channels c where c.id = original.channel_id) then
    -- What only forwards another message stands for that one.
    forwarded_id := coalesce(case when original.content = '' then original.forwarded_id end, original.id);
    forwarded := '{}';
  else
    forwarded := json_build_object('content', coalesce(nullif(original.content, ''),
      forwarded_json(original) ->> 'content', ''));
  end if;
end $$;

create or replace function forwarded_json(m messages) returns json language sql stable
  return case when m.forwarded is null then null when m.forwarded_id is null
    then json_build_object('message_id', null, 'channel_id', null, 'author', null, 'content', m.forwarded ->> 'content')
    else (
      select json_build_object('message_id', m.forwarded_id, 'channel_id', o.channel_id,
        'author', case when u.id is not null then public_user(u) end,
        'content', coalesce(nullif(o.content, ''), o.forwarded ->> 'content', o.content))
      from (select) one left join messages o on o.id = m.forwarded_id left join users u on u.id = o.author_id) end;

-- The log keeps nothing of what a message of a server forwards: it goes with the original, at whatever number.
create function forget_forwarded() returns trigger language plpgsql as $$
declare
  forwarded text := new.body -> 'forwarded';
begin
  -- As long as before, so that a replay that counts bytes counts these too.
  new.body := replace(new.body::text, '"forwarded":' || forwarded,
    '"forwarded":{}' || repeat(' ', octet_length(forwarded) - 2));
  return new;
end $$;
create trigger forget_forwarded before insert or update of body on events for each row
  when (new.server_id is not null and new.type in ('message.created', 'message.updated')
    and position('"forwarded":{"' in new.body::text) > 0)
  execute function forget_forwarded();

-- The body of such an event: the message as it is now.
create function forward_now(p_event bigint) returns text language sql stable
  return (select coalesce(rewritten(e, m)::text, replace(e.body::text, '"forwarded":{}', '"forwarded":null'))
    from events e left join messages m on m.id = (e.body ->> 'id')::bigint where e.id = p_event);
