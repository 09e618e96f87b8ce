-- What is unread to an account in channels that it sees: the newest message by others that it does not block, null
-- where
-- there is none above the mark, and how many mention the account. Of a channel the newest 10,000 messages are looked
-- at.
-- p_either: also without messages by those who block the account.
create or replace function unread_of(p_user bigint, p_channels bigint[], p_either boolean default false)
returns table (channel_id bigint, message_id bigint, newest_id bigint, mention_count int) language sql stable as $$
  select c.id, mark.id, newest.id,
    case when newest.id is null then 0 else unread_mentions(p_user, c.id, mark.id, blocked.ids) end
  from (select array(select r.other_id from relations_of r
    where r.user_id = p_user and (r.blocks or p_either and r.is_blocked)) as ids) blocked
  join channels c on c.id = any (p_channels)
  cross join lateral (select read_until(p_user, c) as id offset 0) mark
  -- A thread that the account does not follow is never unread.
  left join lateral (
    select above.id from (
      select m.id, m.kind, m.author_id from messages m where m.channel_id = c.id and m.id > mark.id
      order by m.id desc limit 10000) above
    where above.kind = 'default' and above.author_id <> p_user and above.author_id <> all (blocked.ids)
      and (c.type <> 'thread' or exists (
        select from thread_followers f where f.user_id = p_user and f.channel_id = c.id))
    order by above.id desc limit 1
  ) newest on true
$$;
