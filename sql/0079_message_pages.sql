-- Messages as they go on the wire, for less; and a page of a channel by one statement that is planned once a connection.

-- The fields of their JSON, in its order: row_to_json of a row of such a type is inlined, and needs no subquery.
create type wire_user as (id bigint, display_name text, avatar_file_id bigint, kind text);
create type wire_member as (nickname text, role_ids bigint[]);
create type wire_message as (
  id bigint, channel_id bigint, kind text, author json, member json, content text, mention_ids bigint[],
  mention_role_ids bigint[], mention_everyone boolean, mention_here boolean, reply_to_id bigint, files json,
  embeds json, reactions json, forwarded json, thread json, data json, pinned_at text, nonce text, created_at text,
  edited_at text
);

create or replace function public_user(u users) returns json language sql stable
  return row_to_json(row(u.id, u.display_name, u.avatar_file_id, u.kind)::wire_user);

create or replace function shown_author(u users, p_name text) returns json language sql stable
  return row_to_json(row(u.id, p_name, u.avatar_file_id, u.kind)::wire_user);

-- As in 0060; a message whose embeds are hidden says so, so that they can be shown again.
create or replace function message_wire(m messages, p_viewer bigint)
returns table (body json) language sql stable rows 1 as $$
  select case when m.recipient_id is null and not m.embeds_suppressed then wire else (left(wire::text, -1)
    || case when m.embeds_suppressed then ',"embeds_suppressed":true' else '' end
    || case when m.recipient_id is null then '' else
      ',"sender_id":' || m.author_id || ',"recipient_id":' || m.recipient_id || ',"read_at":'
      || coalesce('"' || iso(case when p_viewer = m.recipient_id then m.read_at
        else nullif(coalesce(m.receipt_at, m.read_at), 'infinity') end) || '"', 'null') end || '}')::json end
  from (select row_to_json(row(
    m.id, m.channel_id, m.kind, (
      select case when m.author_name is null then public_user(u) else shown_author(u, m.author_name) end
      from users u where u.id = m.author_id),
    case when m.recipient_id is null then (
      select row_to_json(row(mem.nickname, array(
        select mr.role_id from member_roles mr where mr.server_id = mem.server_id and mr.user_id = mem.user_id
        order by mr.role_id))::wire_member)
      from members mem where mem.user_id = m.author_id
        and mem.server_id = (select c.server_id from channels c where c.id = m.channel_id)) end,
    m.content, m.mention_ids, m.mention_role_ids, m.mention_everyone, m.mention_here, m.reply_to_id,
    coalesce((select json_agg(file_json(f) order by f.ordinal) from files f where f.message_id = m.id), '[]'::json),
    embeds_json(m), reactions_json(m),
    -- A function that holds a query is called only where it is needed: the planner does not inline it.
    case when m.forwarded is not null then forwarded_json(m) end,
    case when m.began_thread then thread_json(m) end, m.data, iso(m.pinned_at), m.nonce,
    iso(m.created_at), iso(m.edited_at)
  -- Not merged into the case, which would make the message twice.
  )::wire_message) as wire offset 0) wire
$$;

-- What an account may do in a channel; and where it may read the history, the messages next to a bound, nearest first,
-- with `below` those of smaller ids. Both are null for who has no access. bodies: the messages' JSON, in the order of
-- ids, between them the record separator of RFC 7464, which no JSON holds. To plan the page takes as long as to read
-- it; a plan for any limit takes few messages at a time, since it knows no number.
create function message_page(
  p_channel bigint, p_viewer bigint, below boolean, p_bound bigint, p_limit int, p_offset int,
  out permissions bigint, out ids bigint[], out bodies text
) language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  select ca.permissions into message_page.permissions from channel_access(p_channel, p_viewer) ca;
  if (can_view(permissions) and holds(permissions, 'read_history')) is not true then return; end if;
  -- From the index alone; otherwise the planner may scan all channels' messages.
  if below then
    ids := array(select m.id from messages m where m.channel_id = p_channel and m.id < p_bound
      order by m.id desc limit p_limit offset p_offset);
  else
    ids := array(select m.id from messages m where m.channel_id = p_channel and m.id > p_bound
      order by m.id limit p_limit offset p_offset);
  end if;
  select string_agg(wire.body::text, e'\x1e' order by given.at) into bodies
  from unnest(ids) with ordinality as given (id, at)
  -- A limit keeps the planner from joining whole tables.
  cross join lateral (select m from messages m where m.id = given.id limit 1) its (m)
  cross join lateral message_wire(m, p_viewer) wire;
end $$;
