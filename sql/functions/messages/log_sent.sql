-- Logs the event of one sent message, for each audience. In a hidden post each member who may read it is one.
create or replace function log_sent(
  home channels, sent messages,
  out audience bigint, out body text, out event_ids bigint[], out topics text[], out bodies text[]
) language plpgsql as $$
declare
  author json;
  member json;
  requests int;
begin
  if home.server_id is null or sent.polled or sent.sticker_id is not null
    or exists (select from files f where f.message_id = sent.id) then
    select wire.body::text into log_sent.body from message_wire(sent, null) wire;
  else
    select shown_author(u, coalesce(sent.author_name, u.display_name)) into author
      from users u where u.id = sent.author_id;
    select row_to_json(row(mem.nickname, array(
        select mr.role_id from member_roles mr where mr.server_id = mem.server_id and mr.user_id = mem.user_id
        order by mr.role_id))::wire_member) into member
      from members mem where mem.server_id = home.server_id and mem.user_id = sent.author_id;
    body := wire_of(sent, author, member, '[]', null);
  end if;
  audience := home.audience_id;
  if home.hidden then
    with told as (
      insert into events (type, topic, user_id, server_id, channel_id, resource, body)
      select 'message.created', 'user:' || seer.id, seer.id, home.server_id, audience, 'message:' || sent.id,
        log_sent.body::json
      from thread_moderators(home) as seer (id) order by seer.id
      returning id, topic
    )
    select array_agg(told.id order by told.id), array_agg(told.topic order by told.id),
        array_agg(log_sent.body order by told.id)
      into event_ids, topics, bodies from told;
    return;
  end if;
  if home.server_id is not null then
    topics := array[channel_topic(home)];
    bodies := array[body];
    insert into events (type, topic, server_id, channel_id, resource, body)
      values ('message.created', topics[1], home.server_id, audience, 'message:' || sent.id, body::json)
      returning array[id] into event_ids;
    return;
  end if;
  -- The event of a request comes first: clients notify nobody of its messages.
  with told as (
    insert into events (type, topic, user_id, channel_id, resource, body)
    select case when rank = 0 then 'dm.request' else 'message.created' end, 'user:' || user_id, user_id, audience,
      case when rank = 0 then 'request:' || home.id else 'message:' || sent.id end, said::json
    from (
      select 0 as rank, p.user_id, '{"request":' || coalesce('"' || nullif(p.request, 'accepted') || '"', 'null')
        || ',"channel_id":' || p.channel_id || ',"user_id":' || p.other_id || '}' as said
      from participants p where p.channel_id = home.id and p.request_id = sent.id
      union all
      select 1, p.user_id, case when sent.recipient_id is null then body
        else left(body, -1) || ',"unread_count":' || p.unread_count || case
          when p.request in ('waiting', 'ignored') then ',"request":"' || p.request || '"}' else '}' end end
      from participants p where p.channel_id = home.id
    ) each order by rank, user_id
    returning events.id, events.topic, events.body::text, events.type
  )
  select array_agg(told.id), array_agg(told.topic), array_agg(told.body), count(*) filter (where type = 'dm.request')
    into event_ids, topics, bodies, requests from told;
  -- The log keeps less of it.
  if sent.forwarded is not null then
    bodies := bodies[1:requests] || array(
      select case when sent.recipient_id is null then body
        else left(body, -1) || ',"unread_count":' || p.unread_count || case
          when p.request in ('waiting', 'ignored') then ',"request":"' || p.request || '"}' else '}' end end
      from participants p where p.channel_id = home.id order by p.user_id);
  end if;
end $$;

-- Logs the events of sent messages in channels of servers, but not in hidden posts, in the order of their ids. p_filed:
-- those that may have files.
create or replace function log_sent(
  message_ids bigint[], p_filed bigint[],
  out audiences bigint[], out event_ids bigint[], out topics text[], out bodies text[]
) language plpgsql as $$
begin
  with told as (
    insert into events (type, topic, server_id, channel_id, resource, body)
    select 'message.created', channel_topic(home), (home).server_id, (home).audience_id, 'message:' || given.id,
      wire_of(m, author, member, case when given.id = any (p_filed) then files_json(given.id) else '[]' end, null)
    from unnest(message_ids) as given (id)
    -- A limit keeps the planner from joining whole tables.
    cross join lateral (select m from messages m where m.id = given.id limit 1) its (m)
    cross join lateral (select c from channels c where c.id = (m).channel_id limit 1) place (home)
    cross join lateral (
      select shown_author(u, coalesce((m).author_name, u.display_name)) from users u where u.id = (m).author_id limit 1
    ) whose (author)
    left join lateral (
      select row_to_json(row(mem.nickname, array(
          select mr.role_id from member_roles mr where mr.server_id = mem.server_id and mr.user_id = mem.user_id
          order by mr.role_id))::wire_member)
      from members mem where mem.server_id = (home).server_id and mem.user_id = (m).author_id limit 1
    ) as_member (member) on true
    order by given.id
    returning events.id, events.channel_id, events.topic, events.body::text
  )
  select array_agg(told.channel_id), array_agg(told.id), array_agg(told.topic), array_agg(told.body)
    into audiences, event_ids, topics, bodies from told;
  if p_filed <> '{}' then
    -- Of a forward the log keeps less than the message says.
    for at in 1 .. cardinality(message_ids) loop
      if message_ids[at] = any (p_filed) and position('"forwarded":{}' in bodies[at]) > 0 then
        bodies[at] := (select message_json(m)::text from messages m where m.id = message_ids[at]);
      end if;
    end loop;
  end if;
end $$;
