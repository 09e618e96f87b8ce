-- Whether an account accepts direct messages from another one: by its setting, blocks and friends; from bots only after
-- it has written to them. Whoever takes requests takes them from everybody; the first one of a stranger waits.
create or replace function takes_dm(p_sender bigint, p_recipient bigint) returns boolean
language plpgsql stable as $$
declare
  -- Read in any case: the cost of a refusal does not reveal whether a block or a setting is the reason.
  sender text := (select u.kind from users u where u.id = p_sender);
  shares boolean := shares_server(p_sender, p_recipient);
  blocked boolean;
  befriended boolean;
  wish users;
begin
  if sender <> 'person' and not exists (
    select from participants p where p.user_id = p_sender and p.other_id = p_recipient and p.is_open)
  then
    return false;
  end if;
  -- Aggregates read on where one row would do: a row that is there ends no search early.
  select coalesce(bool_or(r.blocks or r.is_blocked), false), coalesce(bool_or(r.state = 'friends'), false)
    into blocked, befriended from relations_of r where r.user_id = p_recipient and r.other_id = p_sender;
  select * into wish from users u where u.id = p_recipient;
  return coalesce(wish.deleted_at is null and not blocked and case
    -- Whoever has written to a bot wants its answer.
    when wish.kind = 'person' and sender = 'bot' then true
    when wish.requests and sender = 'person' then befriended or exists (
        select from participants p
        where p.user_id = p_recipient and p.other_id = p_sender and p.last_message_id is not null)
      or not is_stranger(p_sender, p_recipient) or may_request(p_sender)
    when wish.dms_from = 'everyone' or befriended then true
    when wish.dms_from = 'servers' then shares
    else false end, false);
end $$;
