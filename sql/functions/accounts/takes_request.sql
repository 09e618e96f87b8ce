-- True if an account accepts a new friend request of another by its own setting, not counting blocks.
create or replace function takes_request(p_sender bigint, p_recipient bigint) returns boolean language sql stable
  return (
    select u.deleted_at is null and u.kind <> 'guest'
      and (u.friend_requests_from = 'everyone'
        or u.friend_requests_from = 'servers' and shares_server(p_sender, p_recipient))
      and (select count(*) from relations_of r where r.user_id = u.id and r.state = 'pending_incoming')
        < requests_waiting_max()
    from users u where u.id = p_recipient);
