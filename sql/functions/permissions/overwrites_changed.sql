create or replace function overwrites_changed() returns trigger language plpgsql as $$
begin
  perform refresh_overwrites(array(
    select c.id from channels c where c.id in (select channel_id from changed)
    union select c.id from channels c where c.parent_id in (select channel_id from changed) and c.type <> 'thread'),
    array(select distinct role_id from changed));
  return null;
end $$;
