-- share_channel where that does not wait; false where it would.
create or replace function try_share_channel(c channels) returns boolean language plpgsql as $$
begin
  if c.server_id is not null then
    return pg_try_advisory_xact_lock_shared(7201506, hashint8(c.server_id));
  elsif c.type = 'group' then
    return pg_try_advisory_xact_lock_shared(7201508, hashint8(c.id));
  end if;
  return (select pg_try_advisory_xact_lock(7201507,
      hashtext(least(p.user_id, p.other_id) || ':' || greatest(p.user_id, p.other_id)))
    from participants p where p.channel_id = c.id limit 1);
end $$;
