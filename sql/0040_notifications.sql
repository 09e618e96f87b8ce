-- Of what accounts want to be told, and what is unread to them.

alter table servers add column default_notifications text not null default 'mentions'
  check (default_notifications in ('all', 'mentions', 'nothing'));

-- What an account has set for a server (without a channel), for a channel of one, or for a dm or group (without a
-- server). Null: as the place around it says.
create table notification_settings (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (living_id) on delete cascade,
  server_id bigint references servers on delete cascade,
  channel_id bigint references channels on delete cascade,
  level text check (level in ('all', 'mentions', 'nothing')),
  muted_until timestamptz(3),
  suppress_everyone boolean,
  check (server_id is not null or channel_id is not null),
  constraint one_setting_a_place unique nulls not distinct (user_id, server_id, channel_id)
);
create index on notification_settings (user_id, channel_id);
create index on notification_settings (user_id, id);
create index on notification_settings (channel_id) where channel_id is not null;
create index on notification_settings (server_id) where server_id is not null;

-- What holds for an account in a channel: of the channel, the channel or category above it, the one above that, and the
-- server. A place is muted while one of them is.
create function muting_in(p_user bigint, p_channel bigint)
returns table (muted boolean, suppress_everyone boolean) language sql stable rows 1 as $$
  select coalesce(greatest(own.muted_until, up.muted_until, top.muted_until, home.muted_until) > now(), false),
    coalesce(own.suppress_everyone, up.suppress_everyone, top.suppress_everyone, home.suppress_everyone, false)
  from channels c
  left join channels parent on parent.id = c.parent_id
  left join notification_settings own on own.user_id = p_user and own.channel_id = c.id
  left join notification_settings up on up.user_id = p_user and up.channel_id = c.parent_id
  left join notification_settings top on top.user_id = p_user and top.channel_id = parent.parent_id
  left join notification_settings home
    on home.user_id = p_user and home.server_id = c.server_id and home.channel_id is null
  where c.id = p_channel
$$;

-- How many unread messages of a channel mention an account, at most 100. Where it has muted the channel, those that name
-- it alone.
create function unread_mentions(p_user bigint, p_channel bigint, p_mark bigint, p_blocked bigint[])
returns int language sql stable as $$
  select count(*)::int from (
    (select mn.message_id from mentions mn join messages m on m.id = mn.message_id
      where mn.user_id = p_user and mn.channel_id = p_channel and mn.message_id > p_mark
        and m.author_id <> all (p_blocked) limit 100)
    union
    (select m.id from muting_in(p_user, p_channel) setting
      cross join (select array(select mr.role_id from member_roles mr join channels c on c.server_id = mr.server_id
        where c.id = p_channel and mr.user_id = p_user) as ids) held
      join messages m on m.channel_id = p_channel and m.id > p_mark
        and (m.mention_everyone or m.mention_here or m.mention_role_ids <> '{}')
        and ((m.mention_everyone or m.mention_here) and not setting.suppress_everyone
          or m.mention_role_ids && held.ids)
      where not setting.muted and m.author_id <> p_user and m.author_id <> all (p_blocked) limit 100)
    limit 100) counted
$$;

-- What is unread to an account in channels that it sees: the newest message by others whom it does not block, null where
-- there is none above the mark, and how many mention the account. Of a channel the newest 10,000 messages are looked at.
-- p_either: also without messages by those who block the account.
create function unread_of(p_user bigint, p_channels bigint[], p_either boolean default false)
returns table (channel_id bigint, message_id bigint, newest_id bigint, mention_count int) language sql stable as $$
  select c.id, mark.id, newest.id,
    case when newest.id is null then 0 else unread_mentions(p_user, c.id, mark.id, blocked.ids) end
  from (select array(select r.other_id from relations_of r
    where r.user_id = p_user and (r.blocks or p_either and r.is_blocked)) as ids) blocked
  join channels c on c.id = any (p_channels)
  cross join lateral (select read_until(p_user, c) as id offset 0) mark
  -- A thread that the account does not follow is never unread.
  left join lateral (
    select above.id from (
      select m.id, m.kind, m.author_id from messages m where m.channel_id = c.id and m.id > mark.id
      order by m.id desc limit 10000) above
    where above.kind = 'default' and above.author_id <> p_user and above.author_id <> all (blocked.ids)
      and (c.type <> 'thread' or exists (
        select from thread_followers f where f.user_id = p_user and f.channel_id = c.id))
    order by above.id desc limit 1
  ) newest on true
$$;

-- The first message of a channel that was written at a time or later: its ids stand in the order of its times, and each
-- step halves where to look.
create function first_message_since(p_channel bigint, p_time timestamptz) returns bigint language plpgsql stable as $$
declare
  low bigint := coalesce((select min(m.id) from messages m where m.channel_id = p_channel), 0);
  high bigint := coalesce((select max(m.id) from messages m where m.channel_id = p_channel), -1);
  found bigint;
  middle record;
begin
  while low <= high loop
    select m.id, m.created_at >= p_time as is_late into middle
      from messages m where m.channel_id = p_channel and m.id >= low + (high - low) / 2 order by m.id limit 1;
    if middle.is_late then
      found := middle.id;
      high := low + (high - low) / 2 - 1;
    else
      low := middle.id + 1;
    end if;
  end loop;
  return found;
end $$;
