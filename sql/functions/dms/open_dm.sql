-- The dm of two people, made unless there is one. outcome: found · made · cannot_contact · not_found
create or replace function open_dm(p_user bigint, p_other bigint, out outcome text, out channel_id bigint)
language plpgsql as $$
declare
  side participants;
begin
  perform lock_pair(p_user, p_other);
  -- Until this has ended neither is deleted.
  perform from users u where u.id in (p_user, p_other) order by u.id for key share;
  if not exists (select from users u where u.id = p_other) then
    outcome := 'not_found';
    return;
  end if;
  select * into side from participants p where p.user_id = p_user and p.other_id = p_other;
  channel_id := side.channel_id;
  if side.is_open then
    outcome := 'found';
    return;
  end if;
  -- One after the other, so that none passes the limit of requests.
  if exists (select from users u where u.id = p_other and u.requests) then
    perform pg_advisory_xact_lock(hashtextextended('requests', p_user));
  end if;
  -- The account may have been deleted since it was let in.
  if not takes_dm(p_user, p_other) or exists (
    select from users u where u.id = p_user and u.deleted_at is not null) then
    outcome := 'cannot_contact';
    return;
  end if;
  if channel_id is null then
    insert into channels as c (name, type, position) values ('', 'dm', 0) returning c.id into channel_id;
    insert into participants (channel_id, user_id, other_id, is_open)
      values (channel_id, p_user, p_other, true), (channel_id, p_other, p_user, false);
  else
    update participants p set is_open = true where p.user_id = p_user and p.other_id = p_other;
  end if;
  outcome := 'made';
end $$;
