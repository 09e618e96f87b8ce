-- Whether the dm is a request for the account, which it has not accepted.
create or replace function is_requested(p_user bigint, p_channel bigint) returns boolean language sql stable
  return exists (select from participants p
    where p.channel_id = p_channel and p.user_id = p_user and p.request in ('waiting', 'ignored'));
