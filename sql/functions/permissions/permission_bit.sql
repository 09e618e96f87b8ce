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
    when 'deafen_members' then 23
    when 'move_members' then 24
    when 'change_nickname' then 26
    when 'manage_nicknames' then 27
    when 'manage_roles' then 28
    when 'manage_webhooks' then 29
    when 'manage_emoji' then 30
    when 'use_commands' then 31
    when 'manage_events' then 33
    when 'manage_threads' then 34
    when 'create_threads' then 35
    when 'send_in_threads' then 38
    when 'moderate_members' then 40
    when 'use_soundboard' then 42
    when 'create_events' then 44
    when 'send_polls' then 49
    when 'pin_messages' then 51
    else unknown_permission(p_name)::int end;
