-- Notes which channels have overwrites for members.
create or replace function member_overwrites_changed() returns trigger language plpgsql as $$
begin
  perform mark_member_overwrites(array(select distinct channel_id from changed));
  return null;
end $$;
