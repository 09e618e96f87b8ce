create or replace function count_participant() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update users set group_count = group_count + 1 where id = new.user_id;
    update channels set participant_count = participant_count + 1 where id = new.channel_id;
  else
    update users set group_count = group_count - 1 where id = old.user_id;
    update channels set participant_count = participant_count - 1 where id = old.channel_id;
  end if;
  return null;
end $$;
