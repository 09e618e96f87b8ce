-- Lets an account write in a thread, which is locked until the message is there.
-- outcome: null · missing_permission (missing names the bit) · not_found · busy (only with p_tries)
create or replace function enter_thread(
  home channels, held bigint, p_author bigint, p_tries boolean, out outcome text, out missing text
) language plpgsql as $$
declare
  thread channels;
begin
  if p_tries then
    select * into thread from channels c where c.id = home.id for no key update skip locked;
  else
    select * into thread from channels c where c.id = home.id for no key update;
  end if;
  if thread.id is null and p_tries then
    outcome := 'busy';
  elsif thread.parent_id is null then
    outcome := 'not_found';
  elsif thread.locked and not holds(held, 'manage_threads') then
    outcome := 'missing_permission';
    missing := 'manage_threads';
  end if;
end $$;
