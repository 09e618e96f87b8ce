-- In a thread a role calls those who hold it, as names do: they follow it. Everyone and here call its followers alone.

-- Whom a role has made followers, and who have not been told yet.
alter table thread_changes add column called_ids bigint[] not null default '{}';

-- Makes those who hold one of the roles and see the thread its followers, and names the new ones. Roles that more than
-- 100 members hold together make nobody one.
create function follow_called(p_thread bigint, p_roles bigint[]) returns setof bigint language plpgsql as $$
declare
  holders bigint[];
begin
  if cardinality(p_roles) = 0 then return; end if;
  holders := array(select distinct mr.user_id from member_roles mr where mr.role_id = any (p_roles) limit 101);
  if cardinality(holders) > 100 then return; end if;
  return query select follow_thread(p_thread, mentioned(p_thread, holders));
end $$;

-- As in 0032.
create or replace function note_in_thread(p_thread bigint, sent messages) returns void language plpgsql as $$
declare
  thread channels;
  is_back boolean;
  called bigint[];
begin
  select * into thread from channels c where c.id = p_thread;
  is_back := sent.kind = 'default' and thread.archived_at is not null and not thread.locked;
  update channels c set message_count = c.message_count + 1,
    active_at = case when sent.kind = 'default' then now() else c.active_at end,
    archived_at = case when is_back then null else c.archived_at end
    where c.id = p_thread;
  perform thread_changed(p_thread, is_back);
  if is_back then perform archive_quietest(thread.server_id); end if;
  if sent.kind <> 'default' then return; end if;
  perform follow_thread(p_thread, sent.mention_ids || sent.author_id);
  if sent.mention_role_ids = '{}' then return; end if;
  called := array(select follow_called(p_thread, sent.mention_role_ids));
  if called <> '{}' then
    update thread_changes change set called_ids = change.called_ids || called where change.channel_id = p_thread;
  end if;
end $$;

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
