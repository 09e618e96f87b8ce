-- The URL of a webhook ends with the membership of whoever made it or renewed it last. Of those who left before,
-- it ends here for the banned alone: what others have left behind may be in use. The webhook is the server owner's then.
with moved as (
  update webhooks w set creator_id = s.owner_id from channels c join servers s on s.id = c.server_id
  where c.id = w.channel_id and s.owner_id is not null
    and exists (select from bans b where b.server_id = s.id and b.user_id = w.creator_id) returning w.id)
delete from webhook_tokens where webhook_id in (select id from moved);
