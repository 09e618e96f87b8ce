-- Notices by Web Push: which devices get them, what they have been told, and what waits to be sent.

-- A device has one session, and a session one subscription, which goes with it.
create table push_subscriptions (
  id bigint generated always as identity primary key,
  session_id bigint not null unique references sessions on delete cascade,
  user_id bigint not null references users (living_id) on delete cascade,
  -- A secret: whoever has it can send to the device. It is one browser's: the account that used it last keeps it.
  endpoint text not null constraint one_subscription_an_endpoint unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz(3) not null default now(),
  -- Since when nothing has been taken; null: the last attempt succeeded.
  failing_since timestamptz(3)
);
create index on push_subscriptions (user_id);

create table push_settings (
  user_id bigint primary key references users (living_id) on delete cascade,
  hide_content boolean not null default false,
  -- Hours in which nothing is told: {from, until, time_zone}.
  quiet_hours jsonb
);

-- Places of accounts that have to be looked at, or of which something was told. Without references: whoever deletes an
-- account or a channel does not wait for the job, which drops rows that mean nothing any more.
create table push_places (
  user_id bigint not null,
  channel_id bigint not null,
  -- When to look at the place; null: not before something happens.
  due_at timestamptz(3),
  -- The newest message that the account was told of; 0: none.
  told_id bigint not null default 0,
  changed_at timestamptz(3) not null default now(),
  primary key (user_id, channel_id)
);
create index on push_places (due_at) where due_at is not null;
create index on push_places (changed_at);
create index on push_places (channel_id, told_id) where told_id > 0;

-- What waits to be sent, at most one notice of a place for a device. It holds no content: that is read when it is sent.
create table push_outbox (
  id bigint generated always as identity primary key,
  subscription_id bigint not null references push_subscriptions on delete cascade,
  channel_id bigint not null,
  -- over: what the device was told before is withdrawn.
  kind text not null check (kind in ('message', 'call', 'over')),
  is_call boolean not null,
  message_id bigint check ((message_id is null) = (kind <> 'message')),
  due_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  attempts int not null default 0,
  constraint one_notice_a_place unique (subscription_id, channel_id, is_call)
);
create index on push_outbox (due_at);

-- How far the event log has been read for notices; without a row, nothing is read.
create table push_position (
  single boolean primary key default true check (single),
  xid text not null,
  id bigint not null
);

-- The unread messages of a channel that mention an account, at most 100 of each kind: by name, and where it has not
-- muted the channel by a role or everyone. p_here: whether messages count that mention everyone who is online alone.
create function mentions_above(p_user bigint, p_channel bigint, p_mark bigint, p_blocked bigint[], p_here boolean)
returns table (message_id bigint) language sql stable as $$
  (select mn.message_id from mentions mn join messages m on m.id = mn.message_id
    where mn.user_id = p_user and mn.channel_id = p_channel and mn.message_id > p_mark
      and m.author_id <> all (p_blocked) limit 100)
  union
  (select m.id from muting_in(p_user, p_channel) setting
    cross join (select array(select mr.role_id from member_roles mr join channels c on c.server_id = mr.server_id
      where c.id = p_channel and mr.user_id = p_user) as ids) held
    join messages m on m.channel_id = p_channel and m.id > p_mark
      and (m.mention_everyone or m.mention_here or m.mention_role_ids <> '{}')
      and ((m.mention_everyone or m.mention_here and p_here) and not setting.suppress_everyone
        or m.mention_role_ids && held.ids)
    where not setting.muted and m.author_id <> p_user and m.author_id <> all (p_blocked) limit 100)
$$;

-- As in 0040, by mentions_above.
create or replace function unread_mentions(p_user bigint, p_channel bigint, p_mark bigint, p_blocked bigint[])
returns int language sql stable as $$
  select count(*)::int from (select from mentions_above(p_user, p_channel, p_mark, p_blocked, true) limit 100) counted
$$;

-- Of which messages of a channel to tell an account: of the channel itself, what it stands in, its server, or by default.
create function level_in(p_user bigint, p_channel bigint) returns text language sql stable as $$
  select coalesce(own.level, up.level, top.level, home.level, s.default_notifications, 'all')
  from channels c
  left join servers s on s.id = c.server_id
  left join channels parent on parent.id = c.parent_id
  left join notification_settings own on own.user_id = p_user and own.channel_id = c.id
  left join notification_settings up on up.user_id = p_user and up.channel_id = c.parent_id
  left join notification_settings top on top.user_id = p_user and top.channel_id = parent.parent_id
  left join notification_settings home
    on home.user_id = p_user and home.server_id = c.server_id and home.channel_id is null
  where c.id = p_channel
$$;

-- What an account is to be told of a place: whether anything is unread, and the newest unread message above p_told that
-- it wants to be told of, null if there is none. No row where it may not read. By what unread_of finds; p_is_online:
-- whether mentions of those who are online are meant for it. In a group, also nothing by those who block the account.
create function notice_in(p_user bigint, p_channel bigint, p_told bigint, p_is_online boolean)
returns table (is_unread boolean, message_id bigint) language sql stable rows 1 as $$
  select place.newest_id is not null, case when place.newest_id > p_told and place.level <> 'nothing' then greatest(
      case when place.level = 'all' and not place.muted then place.newest_id end,
      (select max(above.message_id)
        from mentions_above(p_user, p_channel, place.mark, place.blocked, p_is_online) above)) end
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
