-- Whether a message is there, and not about to be deleted with its server, thread or group.
create or replace function message_stands(p_message bigint) returns boolean language sql stable
  return exists (select from messages m join channels c on c.id = m.channel_id
    where m.id = p_message and (c.type <> 'group' or c.participant_count > 0) and (c.server_id is null
      or exists (select from servers s where s.id = c.server_id and s.owner_id is not null)));
