-- Takes the personal data of a deleted account out of the event log. In dms and groups each participant has an event of
-- its own. Returns the id of the first message that the log may know.
create or replace function forget_in_log(p_user bigint) returns bigint language plpgsql as $$
begin
  update events set body = null where user_id = p_user and body is not null;
  update events set body = null where resource in ('user:' || p_user, 'relation:' || p_user) and body is not null;
  -- Of servers that it has left, the log knows by the events that notified the account.
  update events set body = null where type in ('member.joined', 'member.updated') and body is not null and resource in (
    select 'member:' || server_id || ':' || p_user from members where user_id = p_user
    union select 'member:' || server_id || ':' || p_user from events where user_id = p_user and server_id is not null);
  update events e set body = rewritten(e, m) from messages m
    where e.type = 'message.updated' and e.body is not null and (e.body -> 'author' ->> 'id')::bigint = p_user
      and m.id = substr(e.resource, length('message:') + 1)::bigint;
  -- The ids of messages and of their events are drawn together, except for what happens at the same time.
  return (select substr(resource, length('message:') + 1)::bigint - 10000
    from events where type = 'message.created' order by id limit 1);
end $$;
