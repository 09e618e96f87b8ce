-- Each one's own view of its relations: a block is visible only to the account that made it.
create or replace view relations_of as
  select user_id, other_id, blocked_at is not null as blocks, other_blocked_at is not null as is_blocked,
    case when blocked_at is not null then 'blocked'
      when bond = 'friends' then 'friends'
      when bond = 'none' then 'none'
      when bond = asked then 'pending_outgoing' else 'pending_incoming' end as state,
    coalesce(blocked_at, bond_since) as since
  from (
    select low as user_id, high as other_id, 'asked_by_low' as asked, bond, bond_since,
      low_blocked_at as blocked_at, high_blocked_at as other_blocked_at from relations
    union all
    select high, low, 'asked_by_high', bond, bond_since, high_blocked_at, low_blocked_at from relations
  ) sides;
