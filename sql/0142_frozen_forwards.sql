-- Forwards are copies: text and files as they were when the message was forwarded. An edit of the original changes none
-- of them; its deletion empties them all, and so does that of a file for the copies of that file.

-- Of a file that came along with a forward: the file that it was copied from, at the beginning of a chain of copies.
alter table files add column copied_from bigint;
create index files_by_original on files (copied_from) where copied_from is not null;

-- Whether a message is there, and not about to be deleted with its server, thread or group.
create function message_stands(p_message bigint) returns boolean language sql stable
  return exists (select from messages m join channels c on c.id = m.channel_id
    where m.id = p_message and (c.type <> 'group' or c.participant_count > 0) and (c.server_id is null
      or exists (select from servers s where s.id = c.server_id and s.owner_id is not null)));

-- Whether a copy of a file still shows. Call it only where copied_from is set: it is not inlined.
create function copy_stands(f files) returns boolean language sql stable
  return f.copied_from is null or (
    exists (select from files o
      where o.id = f.copied_from and o.message_id is not null and message_stands(o.message_id))
    and not exists (select from messages m
      where m.id = f.message_id and m.forwarded_id is not null and not message_stands(m.forwarded_id)));

-- Whether everybody who sees `home` may read `place`, both no threads and of one server. May say no where that is so:
-- it compares roles and overwrites, not members.
create function is_open_to(home channels, place channels) returns boolean language sql stable as $$
  select holds(r.permissions, 'read_history')
    and not exists (select from effective_overwrites o where o.channel_id = place.id and holds(o.deny, 'read_history'))
    and (home.id = place.id
      or holds(r.permissions, 'view_channel') and not exists (
        select from effective_overwrites o where o.channel_id = place.id and holds(o.deny, 'view_channel'))
      or not exists (
        select from (select * from effective_overwrites o where o.channel_id = home.id) own
        full join (select * from effective_overwrites o where o.channel_id = place.id) other using (role_id)
        where coalesce(holds(own.allow, 'view_channel'), false) <> coalesce(holds(other.allow, 'view_channel'), false)
          or coalesce(holds(own.deny, 'view_channel'), false) <> coalesce(holds(other.deny, 'view_channel'), false)))
  from roles r where r.server_id = home.server_id and r.is_everyone
$$;

-- Whether a forward names the message that it came from: only within a server, to who may read that one now. p_viewer:
-- null for events, which reach everybody who sees the forward; then all of them must be able to.
create function names_source(forward messages, source messages, p_viewer bigint) returns boolean
language plpgsql stable as $$
declare
  home channels;
  place channels;
begin
  select audience.* into home from channels c join channels audience on audience.id = c.audience_id
    where c.id = forward.channel_id;
  select audience.* into place from channels c join channels audience on audience.id = c.audience_id
    where c.id = source.channel_id;
  if home.server_id is null or place.server_id is distinct from home.server_id then return false; end if;
  if p_viewer is null then return is_open_to(home, place); end if;
  return exists (select from channel_access(place.id, p_viewer) ca
    where can_view(ca.permissions) and holds(ca.permissions, 'read_history'));
end $$;

-- Finds out which files of forwards are copies, where nothing noted that: those that are like a file of the original.
create function note_copies(p_forwards bigint[]) returns void language sql as $$
  update files f set copied_from = (
      select coalesce(o.copied_from, o.id) from files o
      where o.message_id = m.forwarded_id and o.filename = f.filename and o.size = f.size
        and o.content_type = f.content_type
      order by abs(o.ordinal - f.ordinal), o.id limit 1)
    from messages m
    where m.id = any (p_forwards) and m.forwarded_id is not null and f.message_id = m.id and f.copied_from is null
$$;

-- Forwards that there are, as they read now. Where the original is gone they stay empty, and where not everybody who
-- sees the forward may read the original they name it to nobody any more ('unnamed').
update messages m set forwarded_id = shown.forwarded_id, forwarded = case when shown.forwarded_id is null
    then '{"content":null}' else (
      jsonb_build_object('content', shown.content, 'emoji_ids', array(
        select e.id from said_emojis(shown.original) said (id) join emojis e on e.id = said.id
        where m.forwarded ->> 'external' is null
          or e.server_id = (select c.server_id from channels c where c.id = m.channel_id)
        order by e.id limit 50))
      || case when shown.is_open then '{}' else '{"unnamed":true}' end::jsonb)::json end
  from (
    select f.id, (o).id as forwarded_id, o as original, is_open_to(home, place) as is_open,
      coalesce(nullif((o).content, ''), (o).forwarded ->> 'content', '') as content
    from messages f
    left join messages o on o.id = f.forwarded_id
    left join channels here on here.id = f.channel_id left join channels home on home.id = here.audience_id
    left join channels there on there.id = (o).channel_id left join channels place on place.id = there.audience_id
    where f.forwarded is not null and f.forwarded_id is not null
  ) shown
  where m.id = shown.id;
select note_copies(array(select m.id from messages m where m.forwarded_id is not null));

-- What a message shows of what it forwards. p_viewer: as of names_source.
drop function wire_of(messages, json, json, json);
drop function forwarded_json(messages);
create function forwarded_json(m messages, p_viewer bigint) returns json language sql stable as $$
  select json_build_object('message_id', o.id, 'channel_id', o.channel_id,
    'author', case when u.id is null then null
      when o.author_name is null then public_user(u) else shown_author(u, o.author_name) end,
    'content', case when source.stands then m.forwarded ->> 'content' end)
  from (select m.forwarded_id is null or message_stands(m.forwarded_id) as stands offset 0) source
  left join messages o on o.id = m.forwarded_id and source.stands and m.forwarded ->> 'unnamed' is null
    and names_source(m, o, p_viewer)
  left join users u on u.id = o.author_id
$$;

-- As in 0091. p_viewer: as of names_source.
create function wire_of(m messages, p_author json, p_member json, p_files json, p_viewer bigint) returns json
language sql stable
  return row_to_json(row(
    m.id, m.channel_id, m.kind, p_author, p_member, m.content, m.mention_ids, m.mention_role_ids, m.mention_everyone,
    m.mention_here, m.reply_to_id, p_files, embeds_json(m), reactions_json(m),
    -- A function that holds a query is called only where it is needed: the planner does not inline it.
    case when m.forwarded is not null then forwarded_json(m, p_viewer) end,
    case when m.began_thread then thread_json(m) end, m.data, iso(m.pinned_at), m.nonce,
    iso(m.created_at), iso(m.edited_at))::wire_message);

-- As in 0091.
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
    coalesce((select json_agg(file_json(f) order by f.ordinal) from files f
      where f.message_id = m.id and (f.copied_from is null or copy_stands(f))), '[]'::json),
    p_viewer
  -- Not merged into the case, which would make the message twice.
  ) as wire offset 0) wire
$$;

-- As everybody sees it who sees the message: in a dm as its author does.
create or replace function message_json(m messages) returns json language sql stable
  return message_json(m, null::bigint);

-- As in 0141.
create or replace function files_json(p_message bigint) returns json language sql stable as $$
  select coalesce(json_agg(file_json(f) order by f.ordinal), '[]'::json) from files f
  where f.message_id = p_message and (f.copied_from is null or copy_stands(f))
$$;

-- As in 0091.
create or replace function log_sent(
  home channels, sent messages,
  out audience bigint, out body text, out event_ids bigint[], out topics text[], out bodies text[]
) language plpgsql as $$
declare
  author json;
  member json;
begin
  if home.server_id is null or exists (select from files f where f.message_id = sent.id) then
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
  -- The log keeps less of it.
  if sent.forwarded is not null then
    bodies := array(
      select case when sent.recipient_id is null then body
        else left(body, -1) || ',"unread_count":' || p.unread_count || '}' end
      from participants p where p.channel_id = home.id order by p.user_id);
  end if;
end $$;

-- As in 0141.
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

-- As in 0024; a copy does not outlast its original.
create or replace function may_see(f files, p_user bigint) returns boolean language sql stable
  return (f.copied_from is null or copy_stands(f)) and (
    (f.message_id is null and f.uploader_id = p_user)
    or exists (select from messages m cross join lateral channel_access(m.channel_id, p_user) ca
      where m.id = f.message_id and can_view(ca.permissions) and holds(ca.permissions, 'read_history'))
    or exists (select from users u where u.avatar_file_id = f.id)
    or exists (select from servers s where s.icon_file_id = f.id)
    or exists (select from channels c cross join lateral channel_access(c.id, p_user) ca
      where c.icon_file_id = f.id and can_view(ca.permissions)));

-- As in 0072; what a message forwards shows the emoji that were kept with it.
create or replace function shown_emojis(m messages) returns setof bigint language sql stable as $$
  select me.emoji_id from message_emojis me where me.message_id = m.id
  union
  select kept.id::bigint from json_array_elements_text(m.forwarded -> 'emoji_ids') kept (id)
    where m.forwarded_id is null or message_stands(m.forwarded_id)
$$;

-- Messages and files that have been deleted, of which there may be forwards and copies to empty. Who sends or deletes
-- only inserts, so that nobody waits for anybody.
create table forward_checks (
  id bigint generated always as identity primary key,
  -- One of the two.
  original_id bigint,
  file_id bigint,
  due_at timestamptz(3) not null default now()
);
create index on forward_checks (due_at);

-- As in 0072. Every forward is a copy, wherever it goes; the id of the original says when to empty it.
create or replace function forwardable(
  p_message bigint, p_author bigint, home channels,
  out outcome text, out forwarded_id bigint, out forwarded json
) language plpgsql as $$
declare
  original messages;
  takes_external boolean;
begin
  select m.* into original from messages m cross join lateral channel_access(m.channel_id, p_author) ca
    where m.id = p_message and m.kind = 'default' and can_view(ca.permissions) and holds(ca.permissions, 'read_history');
  if original.id is null then
    outcome := 'forward_unknown';
    return;
  end if;
  takes_external := home.server_id is null or coalesce((
    select holds(ca.permissions, 'use_external_emoji') from channel_access(home.id, p_author) ca), false);
  -- What only forwards another message stands for that one.
  forwarded_id := coalesce(case when original.content = '' then original.forwarded_id end, original.id);
  forwarded := jsonb_build_object(
      'content', coalesce(nullif(original.content, ''),
        case when original.forwarded is not null then forwarded_json(original, null) ->> 'content' end, ''),
      'emoji_ids', array(
        select e.id from said_emojis(original) said (id) join emojis e on e.id = said.id
        where takes_external or e.server_id = home.server_id order by e.id limit 50))
    -- It was named to nobody, and stays so.
    || case when original.content = '' and original.forwarded ->> 'unnamed' is not null
      then '{"unnamed":true}' else '{}' end::jsonb;
  -- A deletion that is under way sees nothing of this forward.
  insert into forward_checks (original_id, due_at) values (forwarded_id, now() + interval '1 minute');
end $$;

-- However messages and files go, their forwards follow. A plan that was made while there were few would read all.
create function check_forwards() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  insert into forward_checks (original_id)
    select g.id from gone g where exists (select from messages m where m.forwarded_id = g.id);
  if found then
    -- The newest at once; the others when they are emptied.
    delete from search_documents d where d.message_id = any (array(
      select m.id from messages m where m.forwarded_id in (select g.id from gone g) order by m.id desc limit 200));
  end if;
  return null;
end $$;
create trigger check_forwards after delete on messages
  referencing old table as gone for each statement execute function check_forwards();

create function check_copies() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  insert into forward_checks (file_id)
    select g.id from gone g where exists (select from files f where f.copied_from = g.id);
  return null;
end $$;
create trigger check_copies after delete on files
  referencing old table as gone for each statement execute function check_copies();

-- As in 0091. The log keeps neither what a message forwards nor its files, wherever it was sent: both go with the
-- original, at whatever number. A replay reads the message (forward_now).
create or replace function forget_forwarded() returns trigger language plpgsql as $$
declare
  forwarded text := new.body -> 'forwarded';
  files text := new.body -> 'files';
begin
  if new.type not in ('message.created', 'message.updated') then return new; end if;
  -- As long as before, so that a replay that counts bytes counts these too.
  new.body := replace(replace(new.body::text,
    '"forwarded":' || forwarded, '"forwarded":{}' || repeat(' ', octet_length(forwarded) - 2)),
    '"files":' || files, '"files":[]' || repeat(' ', octet_length(files) - 2));
  return new;
end $$;

-- The log has forwards as they were before: each is read anew where a replay meets it. Those of direct messages lose
-- what the log says of them.
update events set body = body
  where type in ('message.created', 'message.updated') and position('"forwarded":{' in body::text) > 0;

-- What forwards say is found by search within a server too: the job makes the index anew.
delete from search_progress where exists (select from messages m where m.forwarded_id is not null);
