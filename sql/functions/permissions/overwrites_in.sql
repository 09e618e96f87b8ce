-- What decides in a channel: its own overwrites, and those bits of its category's that its own say nothing of. `at_id`
-- is the channel or the category whose overwrite it is.
create or replace function overwrites_in(p_channel bigint, p_parent bigint)
  returns table (role_id bigint, allow bigint, deny bigint, at_id bigint) language sql stable begin atomic
  select own.role_id, own.allow, own.deny, own.channel_id from overwrites own where own.channel_id = p_channel
  union all
  select up.role_id, up.allow & ~coalesce(own.allow | own.deny, 0), up.deny & ~coalesce(own.allow | own.deny, 0),
    up.channel_id
  from overwrites up left join overwrites own on own.channel_id = p_channel and own.role_id = up.role_id
  where up.channel_id = p_parent;
end;
