-- Counts the votes of a post: the accounts that gave its first message the default reaction of the forum. The caller
-- has locked the post. A custom emoji is compared by id, because it may have been renamed.
create or replace function count_votes(p_post bigint) returns void language plpgsql as $$
begin
  update channels c set votes = counted.votes
    from (
      select coalesce(max(r.count), 0)::int as votes
      from channels post join channels forum on forum.id = post.parent_id
      left join reaction_counts r on r.message_id = post.first_message_id and (r.emoji = forum.default_reaction
        or r.emoji like '%:' || substring(forum.default_reaction from ':(\d+)$'))
      where post.id = p_post
    ) counted
    where c.id = p_post and c.tag_ids is not null and c.votes <> counted.votes;
  if found then perform thread_changed(p_post); end if;
end $$;
