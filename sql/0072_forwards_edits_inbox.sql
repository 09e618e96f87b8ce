-- The custom emoji that forwards show, mentions that came by an edit, and the inbox of mentions in the order of time.

-- The emoji of what a message says: of its text, or where it has none of what it forwards from elsewhere.
create function said_emojis(m messages) returns setof bigint language sql stable as $$
  select me.emoji_id from message_emojis me
    where me.message_id = m.id and position(':' || me.emoji_id || '>' in m.content) > 0
  union all
  select kept.id::bigint from json_array_elements_text(m.forwarded -> 'emoji_ids') kept (id) where m.content = ''
$$;

-- The custom emoji that a message shows: in its text, in its reactions, and in what it forwards, as that shows them.
create function shown_emojis(m messages) returns setof bigint language sql stable as $$
  select me.emoji_id from message_emojis me where me.message_id = m.id
  union
  select kept.id::bigint from json_array_elements_text(m.forwarded -> 'emoji_ids') kept (id)
  union
  select e.id from messages o cross join lateral said_emojis(o) said (id) join emojis e on e.id = said.id
    where o.id = m.forwarded_id and (m.forwarded ->> 'external' is null
      or e.server_id = (select c.server_id from channels c where c.id = m.channel_id))
$$;

-- As in 0047. With a content go the emoji that it shows: those of other servers where the author may use such.
create or replace function forwardable(
  p_message bigint, p_author bigint, home channels,
  out outcome text, out forwarded_id bigint, out forwarded json
) language plpgsql as $$
declare
  original messages;
  -- What says what the original shows.
  source messages;
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
  if home.server_id = (select c.server_id from channels c where c.id = original.channel_id) then
    -- What only forwards another message stands for that one.
    forwarded_id := coalesce(case when original.content = '' then original.forwarded_id end, original.id);
    forwarded := case when takes_external then '{}' else '{"external": false}' end;
  else
    source := original;
    if original.content = '' and original.forwarded_id is not null then
      select m.* into source from messages m where m.id = original.forwarded_id;
    end if;
    forwarded := json_build_object('content', coalesce(nullif(original.content, ''),
      forwarded_json(original) ->> 'content', ''), 'emoji_ids', array(
        select e.id from said_emojis(source) said (id) join emojis e on e.id = said.id
        where takes_external or e.server_id = home.server_id order by e.id limit 50));
  end if;
end $$;

-- Whom an edit has mentioned: devices are told of nothing that an edit brought.
alter table mentions add column by_edit boolean not null default false;
-- The roles that edits have added to those that the message calls; 0 stands for everyone, -1 for here. Null: none.
alter table messages add column calls_by_edit bigint[];

-- As in 0039.
create or replace function record_mentions() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from mentions
      where channel_id = new.channel_id and message_id = new.id and user_id <> all (new.mention_ids);
  end if;
  insert into mentions (channel_id, message_id, user_id, by_edit)
    select new.channel_id, new.id, mentioned.id, tg_op = 'UPDATE' from unnest(new.mention_ids) mentioned (id)
    where mentioned.id <> new.author_id
    on conflict do nothing;
  return null;
end $$;

create function note_edited_calls() returns trigger language plpgsql as $$
declare
  added bigint[] := array(select unnest(new.mention_role_ids) except select unnest(old.mention_role_ids));
begin
  if new.mention_everyone and not old.mention_everyone then added := added || 0::bigint; end if;
  if new.mention_here and not old.mention_here then added := added || -1::bigint; end if;
  if added <> '{}' then
    new.calls_by_edit := array(select unnest(old.calls_by_edit) union select unnest(added));
  end if;
  return new;
end $$;
create trigger note_edited_calls before update of mention_role_ids, mention_everyone, mention_here on messages
  for each row when (new.mention_role_ids <> '{}' or new.mention_everyone or new.mention_here)
  execute function note_edited_calls();

-- As in 0065. p_edits: whether mentions count that came by an edit.
drop function mentions_above;
create function mentions_above(
  p_user bigint, p_channel bigint, p_mark bigint, p_blocked bigint[], p_here boolean, p_edits boolean)
returns table (message_id bigint) language sql stable as $$
  (select mn.message_id from mentions mn join messages m on m.id = mn.message_id
    where mn.user_id = p_user and mn.channel_id = p_channel and mn.message_id > p_mark and (p_edits or not mn.by_edit)
      and m.author_id <> all (p_blocked) limit 100)
  union
  (select m.id from muting_in(p_user, p_channel) setting
    cross join (select array(select mr.role_id from member_roles mr join channels c on c.server_id = mr.server_id
      where c.id = p_channel and mr.user_id = p_user) as ids) held
    join messages m on m.channel_id = p_channel and m.id > p_mark
      and (m.mention_everyone or m.mention_here or m.mention_role_ids <> '{}')
      and ((m.mention_everyone and (p_edits or m.calls_by_edit is null or 0 <> all (m.calls_by_edit))
          or m.mention_here and p_here and (p_edits or m.calls_by_edit is null or -1 <> all (m.calls_by_edit)))
          and not setting.suppress_everyone
        or case when p_edits or m.calls_by_edit is null then m.mention_role_ids
          else array(select unnest(m.mention_role_ids) except select unnest(m.calls_by_edit)) end && held.ids)
    where not setting.muted and m.author_id <> p_user and m.author_id <> all (p_blocked) limit 100)
$$;

create or replace function unread_mentions(p_user bigint, p_channel bigint, p_mark bigint, p_blocked bigint[])
returns int language sql stable as $$
  select count(*)::int from (
    select from mentions_above(p_user, p_channel, p_mark, p_blocked, true, true) limit 100) counted
$$;

create or replace function notice_in(p_user bigint, p_channel bigint, p_told bigint, p_is_online boolean)
returns table (is_unread boolean, message_id bigint) language sql stable rows 1 as $$
  select place.newest_id is not null, case when place.newest_id > p_told and place.level <> 'nothing' then greatest(
      case when place.level = 'all' and not place.muted then place.newest_id end,
      (select max(above.message_id)
        from mentions_above(p_user, p_channel, place.mark, place.blocked, p_is_online, false) above)) end
  from (
    select u.newest_id, greatest(u.message_id, p_told) as mark, setting.muted, level_in(p_user, p_channel) as level,
      array(select r.other_id from relations_of r
        where r.user_id = p_user and (r.blocks or home.is_group and r.is_blocked)) as blocked
    from (select c.type = 'group' as is_group from channels c where c.id = p_channel) home
      cross join unread_of(p_user, array[p_channel], home.is_group) u cross join muting_in(p_user, p_channel) setting
      cross join channel_access(p_channel, p_user) access
    where can_view(access.permissions) and holds(access.permissions, 'read_history')
  ) place
$$;

-- As in 0039, in the order of time: ids stand in it within a channel alone. p_before: below this message, null for the
-- newest; of one that is gone, where the one before it stands.
create or replace function mentions_of(p_user bigint, p_before bigint, p_limit int)
returns table (message_id bigint) language sql stable as $$
  with recursive blocked as materialized (
    select array(select r.other_id from relations_of r where r.user_id = p_user and r.blocks) as ids
  ), edge as materialized (
    select m.created_at from messages m where m.id <= p_before order by m.id desc limit 1
  ), naming (channel_id) as (
    -- The channels of one's mentions by name, each found by the index alone.
    (select mn.channel_id from mentions mn where mn.user_id = p_user order by mn.channel_id limit 1)
    union all
    select (select mn.channel_id from mentions mn where mn.user_id = p_user and mn.channel_id > naming.channel_id
      order by mn.channel_id limit 1) from naming where naming.channel_id is not null
  ), home as materialized (
    select c.id as channel_id, array(select mr.role_id from member_roles mr
      where mr.server_id = c.server_id and mr.user_id = p_user) as role_ids
    from channels c where c.id in (
      select own.id from members mem join channels own on own.server_id = mem.server_id and own.type <> 'thread'
        where mem.user_id = p_user
      union all select f.channel_id from thread_followers f where f.user_id = p_user
      union all select naming.channel_id from naming)
  ), calling as materialized (
    -- Access is asked for where there is something alone.
    select home.* from home where exists (
        select from mentions mn where mn.user_id = p_user and mn.channel_id = home.channel_id)
      or exists (select from messages m where m.channel_id = home.channel_id
        and (m.mention_everyone or m.mention_here or m.mention_role_ids <> '{}'))
  ), readable as materialized (
    -- The ids of a channel that may be below: sends at the same time get theirs in any order.
    select calling.*, edge.created_at as until, case when p_before is null then null else
      first_message_since(calling.channel_id, edge.created_at + interval '1 minute') end as end_id
    from calling left join edge on true cross join lateral channel_access(calling.channel_id, p_user) ca
    where can_view(ca.permissions) and holds(ca.permissions, 'read_history')
  )
  select found.id from readable cross join blocked cross join lateral (
    (select m.id, m.created_at from mentions mn join messages m on m.id = mn.message_id
      where mn.user_id = p_user and mn.channel_id = readable.channel_id
        and mn.message_id < coalesce(readable.end_id, 9007199254740991)
        and (p_before is null or (m.created_at, m.id) < (readable.until, p_before))
        and m.author_id <> all (blocked.ids)
      order by mn.message_id desc limit p_limit)
    union
    (select m.id, m.created_at from messages m
      where m.channel_id = readable.channel_id and m.id < coalesce(readable.end_id, 9007199254740991)
        and (p_before is null or (m.created_at, m.id) < (readable.until, p_before))
        and (m.mention_everyone or m.mention_here or m.mention_role_ids <> '{}')
        and (m.mention_everyone or m.mention_here or m.mention_role_ids && readable.role_ids)
        and m.author_id <> p_user and m.author_id <> all (blocked.ids)
      order by m.id desc limit p_limit)
  ) found order by found.created_at desc, found.id desc limit p_limit
$$;
