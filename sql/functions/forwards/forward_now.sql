-- The body of an event about a forward: the message as it is now.
create or replace function forward_now(p_event bigint) returns text language sql stable
  return (select coalesce(rewritten(e, m)::text, replace(e.body::text, '"forwarded":{}', '"forwarded":null'))
    from events e left join messages m on m.id = (e.body ->> 'id')::bigint where e.id = p_event);
