-- The limits are constraints on one row, so racing requests cannot pass them together.
create or replace function count_relation() returns trigger language plpgsql as $$
declare
  friends int[] := array[0, 0];
  blocks int[] := array[0, 0];
begin
  if tg_op <> 'DELETE' then
    friends := array[(new.bond in ('friends', 'asked_by_low'))::int, (new.bond in ('friends', 'asked_by_high'))::int];
    blocks := array[(new.low_blocked_at is not null)::int, (new.high_blocked_at is not null)::int];
  end if;
  if tg_op <> 'INSERT' then
    friends := array[friends[1] - (old.bond in ('friends', 'asked_by_low'))::int,
      friends[2] - (old.bond in ('friends', 'asked_by_high'))::int];
    blocks := array[blocks[1] - (old.low_blocked_at is not null)::int,
      blocks[2] - (old.high_blocked_at is not null)::int];
  end if;
  if friends = array[0, 0] and blocks = array[0, 0] then return null; end if;
  perform from users u where u.id in (coalesce(new.low, old.low), coalesce(new.high, old.high))
    order by u.id for no key update;
  update users u set friend_count = friend_count + change.friends, block_count = block_count + change.blocks
    from (values (coalesce(new.low, old.low), friends[1], blocks[1]),
      (coalesce(new.high, old.high), friends[2], blocks[2])) change (id, friends, blocks)
    where u.id = change.id and (change.friends <> 0 or change.blocks <> 0);
  return null;
end $$;
