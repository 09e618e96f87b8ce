-- What the participants of a dm or group may do there.
create or replace function participant_permissions() returns bigint language sql immutable parallel safe
  return permission_bit('view_channel') | permission_bit('send_messages') | permission_bit('attach_files')
    | permission_bit('read_history') | permission_bit('add_reactions') | permission_bit('use_external_emoji')
    | permission_bit('connect') | permission_bit('speak') | permission_bit('share_screen')
    | permission_bit('send_polls') | permission_bit('pin_messages');
