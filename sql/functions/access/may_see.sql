-- Who may see a file: whoever may read the message that carries it; of a file without a message its uploader; everyone
-- where it is an avatar or a server's icon; its participants where it is a group's.
create or replace function may_see(f files, p_user bigint) returns boolean language sql stable
  return (f.message_id is null and f.uploader_id = p_user)
    or exists (select from messages m cross join lateral channel_access(m.channel_id, p_user) ca
      where m.id = f.message_id and can_view(ca.permissions) and holds(ca.permissions, 'read_history'))
    or exists (select from users u where u.avatar_file_id = f.id)
    or exists (select from servers s where s.icon_file_id = f.id)
    or exists (select from channels c cross join lateral channel_access(c.id, p_user) ca
      where c.icon_file_id = f.id and can_view(ca.permissions));
