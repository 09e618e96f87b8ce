-- Whether an account may see a file: the readers of its message; its uploader while it has no message; everybody for an
-- avatar or server icon; the participants for a group's icon; who sees the event for its picture. A forward's copy ends
-- with its original.
create or replace function may_see(f files, p_user bigint) returns boolean language sql stable
  return (f.copied_from is null or copy_stands(f)) and (
    (f.message_id is null and f.uploader_id = p_user)
    or exists (select from messages m cross join lateral channel_access(m.channel_id, p_user) ca
      where m.id = f.message_id and can_view(ca.permissions) and holds(ca.permissions, 'read_history'))
    or exists (select from users u where u.avatar_file_id = f.id)
    or exists (select from servers s where s.icon_file_id = f.id)
    or exists (select from channels c cross join lateral channel_access(c.id, p_user) ca
      where c.icon_file_id = f.id and can_view(ca.permissions))
    or exists (select from event_images i join calendar_events e on e.id = i.event_id
      where i.file_id = f.id and e.cancelled_at is null and sees_event(e, p_user)));
