-- A thread outlives the message that it began at.
create or replace function thread_lost_message() returns trigger language plpgsql as $$
begin
  perform thread_changed(new.id);
  return null;
end $$;
