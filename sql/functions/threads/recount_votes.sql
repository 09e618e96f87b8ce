-- Counts the votes of all posts of a forum again, because another reaction counts now.
create or replace function recount_votes(p_forum bigint) returns void language sql as $$
  with counted as (
    select post.id, coalesce(max(r.count), 0)::int as votes
    from channels forum join channels post on post.parent_id = forum.id and post.tag_ids is not null
    left join reaction_counts r on r.message_id = post.first_message_id and (r.emoji = forum.default_reaction
      or r.emoji like '%:' || substring(forum.default_reaction from ':(\d+)$'))
    where forum.id = p_forum group by post.id
  ), changed as (
    update channels c set votes = counted.votes from counted
    where c.id = counted.id and c.votes <> counted.votes returning c.id
  )
  select thread_changed(changed.id) from changed;
$$;
