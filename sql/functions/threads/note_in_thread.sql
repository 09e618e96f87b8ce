-- Counts a sent message in its thread, brings the thread back from the archive, and adds followers.
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
  if is_back and thread.tag_ids is null then
    perform archive_quietest(thread.server_id);
  elsif is_back then
    perform archive_quietest_posts(thread.parent_id);
  end if;
  if sent.kind <> 'default' then return; end if;
  perform follow_thread(p_thread, sent.mention_ids || sent.author_id);
  if sent.mention_role_ids = '{}' then return; end if;
  called := array(select follow_called(p_thread, sent.mention_role_ids));
  if called <> '{}' then
    update thread_changes change set called_ids = change.called_ids || called where change.channel_id = p_thread;
  end if;
end $$;
