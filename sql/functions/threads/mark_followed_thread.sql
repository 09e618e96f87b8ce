-- As in 0039. Whoever begins to follow a thread has read it, but for a message that mentions them, also by a role.
create or replace function mark_followed_thread() returns trigger language plpgsql as $$
begin
  insert into read_marks (user_id, channel_id, message_id)
    select new.user_id, new.channel_id, newest.id - (exists (select from mentions mn
        where mn.channel_id = new.channel_id and mn.message_id = newest.id and mn.user_id = new.user_id)
      or exists (select from messages m join member_roles mr on mr.role_id = any (m.mention_role_ids)
        where m.id = newest.id and m.author_id <> new.user_id and mr.server_id = c.server_id
          and mr.user_id = new.user_id))::int
    from channels c cross join lateral (select last_message_id(c) as id) newest
    where c.id = new.channel_id and newest.id is not null
    on conflict do nothing;
  return null;
end $$;
