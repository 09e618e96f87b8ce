-- Corrects has_member_overwrites of channels, and of the channels of those that are categories.
create or replace function mark_member_overwrites(p_channels bigint[]) returns void language sql as $$
  update channels c set has_member_overwrites = not c.has_member_overwrites
  where (c.id = any (p_channels) or c.parent_id = any (p_channels)) and c.type <> 'thread'
    and c.has_member_overwrites <> exists (
      select from member_overwrites o where o.channel_id in (c.id, c.parent_id));
$$;
