-- Renews the effective overwrites of a channel that moved to another category.
create or replace function parent_changed() returns trigger language plpgsql as $$
begin
  perform refresh_overwrites(array[new.id], array(
    select role_id from overwrites where channel_id in (new.id, new.parent_id)
    union select role_id from effective_overwrites where channel_id = new.id));
  perform mark_member_overwrites(array[new.id]);
  return null;
end $$;
