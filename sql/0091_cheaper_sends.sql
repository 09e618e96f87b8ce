-- A send for less of PostgreSQL's time: a statement on one row costs what it takes to begin more than what it does.

-- The JSON of a message of a server, of the parts that other tables hold.
create function wire_of(m messages, p_author json, p_member json, p_files json) returns json language sql stable
  return row_to_json(row(
    m.id, m.channel_id, m.kind, p_author, p_member, m.content, m.mention_ids, m.mention_role_ids, m.mention_everyone,
    m.mention_here, m.reply_to_id, p_files, embeds_json(m), reactions_json(m),
    -- A function that holds a query is called only where it is needed: the planner does not inline it.
    case when m.forwarded is not null then forwarded_json(m) end,
    case when m.began_thread then thread_json(m) end, m.data, iso(m.pinned_at), m.nonce,
    iso(m.created_at), iso(m.edited_at))::wire_message);

-- As in 0079.
create or replace function message_wire(m messages, p_viewer bigint)
returns table (body json) language sql stable rows 1 as $$
  select case when m.recipient_id is null and not m.embeds_suppressed then wire else (left(wire::text, -1)
    || case when m.embeds_suppressed then ',"embeds_suppressed":true' else '' end
    || case when m.recipient_id is null then '' else
      ',"sender_id":' || m.author_id || ',"recipient_id":' || m.recipient_id || ',"read_at":'
      || coalesce('"' || iso(case when p_viewer = m.recipient_id then m.read_at
        else nullif(coalesce(m.receipt_at, m.read_at), 'infinity') end) || '"', 'null') end || '}')::json end
  from (select wire_of(m,
    (select case when m.author_name is null then public_user(u) else shown_author(u, m.author_name) end
      from users u where u.id = m.author_id),
    case when m.recipient_id is null then (
      select row_to_json(row(mem.nickname, array(
        select mr.role_id from member_roles mr where mr.server_id = mem.server_id and mr.user_id = mem.user_id
        order by mr.role_id))::wire_member)
      from members mem where mem.user_id = m.author_id
        and mem.server_id = (select c.server_id from channels c where c.id = m.channel_id)) end,
    coalesce((select json_agg(file_json(f) order by f.ordinal) from files f where f.message_id = m.id), '[]'::json)
  -- Not merged into the case, which would make the message twice.
  ) as wire offset 0) wire
$$;

-- As in 0032; what most messages of servers are, which have no files, is put together from two short queries.
create or replace function log_sent(
  home channels, sent messages,
  out audience bigint, out body text, out event_ids bigint[], out topics text[], out bodies text[]
) language plpgsql as $$
declare
  author json;
  member json;
begin
  if home.server_id is null or exists (select from files f where f.message_id = sent.id) then
    select wire.body::text into log_sent.body from message_wire(sent, sent.author_id) wire;
  else
    select shown_author(u, coalesce(sent.author_name, u.display_name)) into author
      from users u where u.id = sent.author_id;
    select row_to_json(row(mem.nickname, array(
        select mr.role_id from member_roles mr where mr.server_id = mem.server_id and mr.user_id = mem.user_id
        order by mr.role_id))::wire_member) into member
      from members mem where mem.server_id = home.server_id and mem.user_id = sent.author_id;
    body := wire_of(sent, author, member, '[]');
  end if;
  audience := home.audience_id;
  if home.server_id is not null then
    topics := array[channel_topic(home)];
    bodies := array[body];
    insert into events (type, topic, server_id, channel_id, resource, body)
      values ('message.created', topics[1], home.server_id, audience, 'message:' || sent.id, body::json)
      returning array[id] into event_ids;
    return;
  end if;
  with told as (
    insert into events (type, topic, user_id, channel_id, resource, body)
    select 'message.created', 'user:' || p.user_id, p.user_id, audience, 'message:' || sent.id,
      (case when sent.recipient_id is null then body
        else left(body, -1) || ',"unread_count":' || p.unread_count || '}' end)::json
    from participants p where p.channel_id = home.id order by p.user_id
    returning events.id, events.topic, events.body::text
  )
  select array_agg(told.id), array_agg(told.topic), array_agg(told.body) into event_ids, topics, bodies from told;
end $$;

-- As in 0072; every insert reads a trigger's condition anew, so it is short.
create or replace function forget_forwarded() returns trigger language plpgsql as $$
declare
  forwarded text := new.body -> 'forwarded';
begin
  if new.server_id is null or new.type not in ('message.created', 'message.updated') then return new; end if;
  -- As long as before, so that a replay that counts bytes counts these too.
  new.body := replace(new.body::text, '"forwarded":' || forwarded,
    '"forwarded":{}' || repeat(' ', octet_length(forwarded) - 2));
  return new;
end $$;
drop trigger forget_forwarded on events;
create trigger forget_forwarded before insert or update of body on events for each row
  when (position('"forwarded":{"' in new.body::text) > 0) execute function forget_forwarded();

-- Documents go into the index many at once, from a pending list of at most these KB, which searches read as well.
alter index search_documents_by_key set (fastupdate = on, gin_pending_list_limit = 64);
