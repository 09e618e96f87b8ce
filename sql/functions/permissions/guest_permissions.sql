-- The most that a guest may do.
create or replace function guest_permissions() returns bigint language sql immutable parallel safe
  return permission_bit('add_reactions') | permission_bit('share_screen') | permission_bit('view_channel')
    | permission_bit('send_messages') | permission_bit('attach_files') | permission_bit('read_history')
    | permission_bit('use_external_emoji') | permission_bit('connect') | permission_bit('speak')
    | permission_bit('send_in_threads');
