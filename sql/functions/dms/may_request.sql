-- Whether an account may make another message request: at most ten in seven days.
create or replace function may_request(p_sender bigint) returns boolean language sql stable
  return (select count(*) from (
    select from participants p
    where p.other_id = p_sender and p.requested_at > now() - interval '7 days' limit 10) newest) < 10;
