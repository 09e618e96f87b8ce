-- Permission bits above 31, and thirteen new ones. `1 << n` is a number of 32 bits: bit 34 would be tested as bit 2.

create or replace function permission_bit(p_name text) returns bigint language sql immutable parallel safe
  return 1::bigint << case p_name
    when 'create_invite' then 0
    when 'kick_members' then 1
    when 'ban_members' then 2
    when 'administrator' then 3
    when 'manage_channels' then 4
    when 'manage_server' then 5
    when 'add_reactions' then 6
    when 'view_audit_log' then 7
    when 'share_screen' then 9
    when 'view_channel' then 10
    when 'send_messages' then 11
    when 'manage_messages' then 13
    when 'attach_files' then 15
    when 'read_history' then 16
    when 'mention_everyone' then 17
    when 'use_external_emoji' then 18
    when 'connect' then 20
    when 'speak' then 21
    when 'mute_members' then 22
    when 'move_members' then 24
    when 'change_nickname' then 26
    when 'manage_nicknames' then 27
    when 'manage_roles' then 28
    when 'manage_webhooks' then 29
    when 'manage_emoji' then 30
    when 'use_commands' then 31
    when 'manage_threads' then 34
    when 'create_threads' then 35
    when 'send_in_threads' then 38
    when 'moderate_members' then 40
    when 'pin_messages' then 51
    else unknown_permission(p_name)::int end;

create or replace function all_permissions() returns bigint language sql immutable parallel safe
  return permission_bit('create_invite') | permission_bit('kick_members') | permission_bit('ban_members')
    | permission_bit('administrator') | permission_bit('manage_channels') | permission_bit('manage_server')
    | permission_bit('add_reactions') | permission_bit('view_audit_log') | permission_bit('share_screen')
    | permission_bit('view_channel') | permission_bit('send_messages') | permission_bit('manage_messages')
    | permission_bit('attach_files') | permission_bit('read_history') | permission_bit('mention_everyone')
    | permission_bit('use_external_emoji') | permission_bit('connect') | permission_bit('speak')
    | permission_bit('mute_members') | permission_bit('move_members') | permission_bit('change_nickname')
    | permission_bit('manage_nicknames') | permission_bit('manage_roles') | permission_bit('manage_webhooks')
    | permission_bit('manage_emoji') | permission_bit('use_commands') | permission_bit('manage_threads')
    | permission_bit('create_threads') | permission_bit('send_in_threads') | permission_bit('moderate_members')
    | permission_bit('pin_messages');

-- What may be done next to writing goes with send_messages, in roles and in overwrites, so that no channel where only
-- some may write opens to others; what belongs to managing messages goes with manage_messages.
create function with_new_bits(p_sum bigint) returns bigint language sql immutable
  return p_sum
    | case when holds(p_sum, 'send_messages') then permission_bit('add_reactions') | permission_bit('create_threads')
      | permission_bit('send_in_threads') else 0 end
    | case when holds(p_sum, 'manage_messages')
      then permission_bit('manage_threads') | permission_bit('pin_messages') else 0 end
    | case when holds(p_sum, 'kick_members') then permission_bit('moderate_members') else 0 end;
update roles set permissions = with_new_bits(permissions) where permissions <> with_new_bits(permissions);
update overwrites set allow = with_new_bits(allow), deny = with_new_bits(deny)
  where (allow, deny) <> (with_new_bits(allow), with_new_bits(deny));
drop function with_new_bits(bigint);

-- No event told of this: nobody resumes from before it. Ids go on.
do $$
begin
  if exists (select from events) then
    truncate events;
    insert into events (type, topic, resource) values ('log.started', 'nobody', 'log');
  end if;
end $$;
