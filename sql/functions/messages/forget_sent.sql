create or replace function forget_sent(p_user bigint, p_after bigint, p_count int) returns bigint language sql as $$
  with page as (
    select id from messages where author_id = p_user and id > p_after order by id limit p_count
  ), written as (
    update events e set body = rewritten(e, m) from page join messages m using (id)
    where e.resource = 'message:' || page.id and e.type = 'message.created' and e.body is not null
  )
  select max(id) from page;
$$;
