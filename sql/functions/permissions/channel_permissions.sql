-- The same with the view of categories: who sees a channel sees its category.
create or replace view channel_permissions as
  select rp.server_id, rp.channel_id, rp.user_id, rp.is_owner, rp.position,
    rp.permissions | case
      when rp.type = 'category' and not can_view(rp.permissions) and sees_within(rp.channel_id, rp.user_id)
      then permission_bit('view_channel') else 0 end as permissions
  from resolved_permissions rp;
