-- Every permission bit.
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
    | permission_bit('manage_events') | permission_bit('create_events') | permission_bit('send_polls') | permission_bit('pin_messages')
    | permission_bit('use_soundboard') | permission_bit('deafen_members');
