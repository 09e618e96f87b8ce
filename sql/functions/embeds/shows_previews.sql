-- Whether links of the channel get previews.
create or replace function shows_previews(c channels) returns boolean language sql stable
  return c.server_id is not null or not exists (
    select from participants p join users u on u.id = p.user_id where p.channel_id = c.id and not u.link_previews);
