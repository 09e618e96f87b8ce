-- Permission bits by name: the one table of them in SQL. The other is src/core/permissions.ts; a test compares both.
-- All functions here are immutable and inlined: in a plan stands the number.

create function unknown_permission(p_name text) returns bigint language plpgsql immutable parallel safe as $$
begin
  raise exception 'There is no permission called %', p_name;
end $$;

create function permission_bit(p_name text) returns bigint language sql immutable parallel safe
  return case p_name
    when 'create_invite' then 1 << 0
    when 'kick_members' then 1 << 1
    when 'ban_members' then 1 << 2
    when 'administrator' then 1 << 3
    when 'manage_channels' then 1 << 4
    when 'manage_server' then 1 << 5
    when 'view_audit_log' then 1 << 7
    when 'share_screen' then 1 << 9
    when 'view_channel' then 1 << 10
    when 'send_messages' then 1 << 11
    when 'manage_messages' then 1 << 13
    when 'attach_files' then 1 << 15
    when 'read_history' then 1 << 16
    when 'connect' then 1 << 20
    when 'speak' then 1 << 21
    when 'mute_members' then 1 << 22
    when 'move_members' then 1 << 24
    when 'manage_roles' then 1 << 28
    else unknown_permission(p_name) end;

-- Whether a sum of bits contains the named one.
create function holds(p_held bigint, p_name text) returns boolean language sql immutable parallel safe
  return p_held & permission_bit(p_name) <> 0;

-- Whether a member with these permissions in a channel sees the channel.
create function can_view(p_held bigint) returns boolean language sql immutable parallel safe
  return holds(p_held, 'view_channel');

create or replace function all_permissions() returns bigint language sql immutable parallel safe
  return permission_bit('create_invite') | permission_bit('kick_members') | permission_bit('ban_members')
    | permission_bit('administrator') | permission_bit('manage_channels') | permission_bit('manage_server')
    | permission_bit('view_audit_log') | permission_bit('share_screen') | permission_bit('view_channel')
    | permission_bit('send_messages') | permission_bit('manage_messages') | permission_bit('attach_files')
    | permission_bit('read_history') | permission_bit('connect') | permission_bit('speak')
    | permission_bit('mute_members') | permission_bit('move_members') | permission_bit('manage_roles');

-- The one rule: the owner holds everything; then the base (the bits of everyone and of the member's roles), of which
-- administrator is everything; then the channel's overwrites: everyone's, all denies of the member's roles, all allows.
create or replace function permissions_of(
  is_owner boolean, base bigint,
  everyone_allow bigint, everyone_deny bigint, roles_allow bigint, roles_deny bigint
) returns bigint language sql immutable parallel safe
  return case when is_owner or holds(base, 'administrator') then all_permissions()
    else (((base & ~everyone_deny) | everyone_allow) & ~roles_deny) | roles_allow end;

-- Whether a new channel of the server is one that not every member sees.
create or replace function is_hidden(p_server bigint) returns boolean language sql stable
  return exists (
    select from roles r where r.server_id = p_server and r.is_everyone
      and not can_view(r.permissions) and not holds(r.permissions, 'administrator'));

-- Updates which channels not every member sees: everyone lacks view_channel, or an overwrite names that bit.
-- Returns the channels of which that has changed.
create or replace function refresh_restricted(p_server bigint) returns setof channels language sql as $$
  update channels c set restricted = not c.restricted
  where c.server_id = p_server and c.restricted <> (
    is_hidden(p_server) or exists (
      select from overwrites o where o.channel_id = c.id and holds(o.allow | o.deny, 'view_channel')))
  returning c.*;
$$;

-- Of the accounts that a text mentions, those who see the channel.
create or replace function mentioned(p_channel bigint, p_candidates bigint[]) returns bigint[] language sql stable
  return case when cardinality(p_candidates) = 0 then p_candidates else coalesce((
    select array_agg(cp.user_id order by cp.user_id) from channel_permissions cp
    where cp.channel_id = p_channel and cp.user_id = any (p_candidates) and can_view(cp.permissions)), '{}') end;

-- Who may see a file: whoever may read the message that carries it; of a file without a message its uploader; and
-- everyone where it is an avatar or an icon.
create or replace function may_see(f files, p_user bigint) returns boolean language sql stable
  return (f.message_id is null and f.dm_message_id is null and f.uploader_id = p_user)
    or exists (select from messages m join channel_permissions cp on cp.channel_id = m.channel_id and cp.user_id = p_user
      where m.id = f.message_id and can_view(cp.permissions) and holds(cp.permissions, 'read_history'))
    or exists (select from dm_messages d where d.id = f.dm_message_id and p_user in (d.sender_id, d.recipient_id))
    or exists (select from users u where u.avatar_file_id = f.id)
    or exists (select from servers s where s.icon_file_id = f.id);
