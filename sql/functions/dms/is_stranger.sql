-- Whether what one account writes to another for the first time waits as a request: not if they are friends, or if both
-- have long been members of a small server. Only people make requests, to people who want them.
create or replace function is_stranger(p_sender bigint, p_recipient bigint) returns boolean language sql stable
  return exists (select from users u where u.id = p_recipient and u.requests)
    and exists (select from users u where u.id = p_sender and u.kind = 'person')
    and not exists (
      select from relations_of r where r.user_id = p_recipient and r.other_id = p_sender and r.state = 'friends')
    and not exists (
      select from members a join members b using (server_id) join servers s on s.id = a.server_id
      where a.user_id = p_sender and b.user_id = p_recipient and a.held_back is null and b.held_back is null
        and not a.is_guest and not b.is_guest
        and s.member_count < 200 and greatest(a.joined_at, b.joined_at) <= now() - interval '7 days');
