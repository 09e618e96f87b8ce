-- The URL of a webhook ends with the membership of whoever made it or renewed it last; those of people who have left
-- before end here. The webhook is the server owner's from then on.
with moved as (
  update webhooks w set creator_id = s.owner_id from channels c join servers s on s.id = c.server_id
  where c.id = w.channel_id and s.owner_id is not null
    and not exists (select from members m where m.server_id = s.id and m.user_id = w.creator_id) returning w.id)
delete from webhook_tokens where webhook_id in (select id from moved);
