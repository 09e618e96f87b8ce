-- The permissions that everyone starts with in a new server: all that a self-assignable role may have.
create or replace function starting_permissions() returns bigint language sql immutable parallel safe
  return permission_bit('create_invite') | permission_bit('view_channel') | permission_bit('send_messages')
    | permission_bit('attach_files') | permission_bit('read_history') | permission_bit('connect')
    | permission_bit('speak') | permission_bit('use_soundboard') | permission_bit('share_screen') | permission_bit('add_reactions')
    | permission_bit('use_external_emoji') | permission_bit('change_nickname') | permission_bit('use_commands')
    | permission_bit('create_threads') | permission_bit('send_in_threads')
    | permission_bit('send_polls');
