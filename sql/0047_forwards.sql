-- Forwarded messages: within a server by reference, which follows the deletion of the original; from elsewhere what it
-- said alone.

create index messages_by_forwarded on messages (forwarded_id) where forwarded_id is not null;

-- What send_message keeps of a message that its author forwards to the channel `home`.
-- outcome: null · forward_unknown, where the author may not read it now · busy, while its access changes
create function forwardable(
  p_message bigint, p_author bigint, home channels,
  out outcome text, out forwarded_id bigint, out forwarded json
) language plpgsql as $$
declare
  source channels;
  original messages;
begin
  select c.* into source from messages m join channels c on c.id = m.channel_id where m.id = p_message;
  -- Until the commit the author does not lose sight of it. Never waited for: the lock of `home` is held already.
  if source.id is not null and not try_share_channel(source) then
    perform pg_sleep(0.05);
    outcome := 'busy';
    return;
  end if;
  select m.* into original from messages m cross join lateral channel_access(m.channel_id, p_author) ca
    where m.id = p_message and m.kind = 'default' and can_view(ca.permissions) and holds(ca.permissions, 'read_history')
    for key share of m;
  if original.id is null then
    outcome := 'forward_unknown';
    return;
  end if;
  -- What only forwards another message stands for that one.
  forwarded := json_build_object('content', coalesce(nullif(original.content, ''),
    forwarded_json(original) ->> 'content', ''));
  if source.server_id = home.server_id then
    forwarded_id := case when original.content = '' then original.forwarded_id end;
    forwarded_id := coalesce(forwarded_id, original.id);
  end if;
end $$;

create or replace function forwarded_json(m messages) returns json language sql stable
  return case when m.forwarded is null then null when m.forwarded_id is null
    then json_build_object('message_id', null, 'channel_id', null, 'author', null, 'content', m.forwarded ->> 'content')
    else (
      select json_build_object('message_id', m.forwarded_id, 'channel_id', o.channel_id, 'author',
        case when u.id is not null then public_user(u) end,
        'content', m.forwarded ->> 'content')
      from (select) one left join messages o on o.id = m.forwarded_id left join users u on u.id = o.author_id) end;

-- However an original goes, what its forwards and the log repeat of it goes with it.
create function original_gone() returns trigger language plpgsql as $$
begin
  update messages m set forwarded = '{"content": null}' from gone where m.forwarded_id = gone.id;
  update events e set body = rewritten(e, m) from gone join messages m on m.forwarded_id = gone.id
    where e.resource = 'message:' || m.id and e.body is not null and e.type in ('message.created', 'message.updated');
  return null;
end $$;
create trigger original_gone after delete on messages
  referencing old table as gone for each statement execute function original_gone();

-- As in 0024; the name of an author stands in forwards as well.
create or replace function forget_sent(p_user bigint, p_after bigint, p_count int) returns bigint language sql as $$
  with page as (
    select id from messages where author_id = p_user and id > p_after order by id limit p_count
  ), naming as (
    select id from page union select f.id from page join messages f on f.forwarded_id = page.id
  ), written as (
    update events e set body = rewritten(e, m) from naming join messages m using (id)
    where e.resource = 'message:' || naming.id and e.type in ('message.created', 'message.updated')
      and e.body is not null
  )
  select max(id) from page;
$$;
