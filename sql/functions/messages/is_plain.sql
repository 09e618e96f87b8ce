-- Messages of a group that no other part of the database has to be asked or notified about.
create or replace function is_plain(d message_draft, home channels, held bigint) returns boolean language sql immutable
  return home.server_id is not null and home.type not in ('category', 'thread', 'forum') and home.slowmode_seconds = 0
    and can_view(held) and holds(held, 'send_messages')
    and d.poll is null and d.sticker_id is null and d.reply_to_id is null and d.forward_message_id is null and d.file_ids = '{}'
    and d.people = '{}' and d.roles = '{}' and not d.everyone and not d.here;
