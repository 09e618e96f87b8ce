create or replace function mentions_above(
  p_user bigint, p_channel bigint, p_mark bigint, p_blocked bigint[], p_here boolean, p_edits boolean)
returns table (message_id bigint) language sql stable as $$
  (select mn.message_id from mentions mn join messages m on m.id = mn.message_id
    where mn.user_id = p_user and mn.channel_id = p_channel and mn.message_id > p_mark and (p_edits or not mn.by_edit)
      and m.author_id <> all (p_blocked) limit 100)
  union
  (select m.id from muting_in(p_user, p_channel) setting
    cross join (select array(select mr.role_id from member_roles mr join channels c on c.server_id = mr.server_id
      where c.id = p_channel and mr.user_id = p_user) as ids) held
    join messages m on m.channel_id = p_channel and m.id > p_mark
      and (m.mention_everyone or m.mention_here or m.mention_role_ids <> '{}')
      and ((m.mention_everyone and (p_edits or m.calls_by_edit is null or 0 <> all (m.calls_by_edit))
          or m.mention_here and p_here and (p_edits or m.calls_by_edit is null or -1 <> all (m.calls_by_edit)))
          and not setting.suppress_everyone
        or case when p_edits or m.calls_by_edit is null then m.mention_role_ids
          else array(select unnest(m.mention_role_ids) except select unnest(m.calls_by_edit)) end && held.ids)
    where not setting.muted and m.author_id <> p_user and m.author_id <> all (p_blocked) limit 100)
$$;
