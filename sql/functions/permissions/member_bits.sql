-- The bits that a channel allows and denies a member: by its own overwrite, and by its category's where its own says
-- nothing of a bit.
create or replace function member_bits(p_channel bigint, p_parent bigint, p_user bigint) returns bigint[]
language sql stable as $$
  select array[coalesce(own.allow, 0) | (coalesce(up.allow, 0) & ~coalesce(own.allow | own.deny, 0)),
    coalesce(own.deny, 0) | (coalesce(up.deny, 0) & ~coalesce(own.allow | own.deny, 0))]
  from (values (1)) one
    left join member_overwrites own on own.channel_id = p_channel and own.user_id = p_user
    left join member_overwrites up on up.channel_id = p_parent and up.user_id = p_user
$$;
