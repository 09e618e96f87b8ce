-- Answers of bots: those for one person alone change, and what is chosen there is checked; messages of bots have embeds.

alter table interactions
  -- The custom ids that the person alone was shown, with what may be chosen, by the number of the answer: hashes alone.
  add column offers jsonb not null default '{}',
  drop column offered,
  -- How many answers for the person alone followed the first.
  add column whispers int not null default 0,
  -- The answer for the person alone whose component was used.
  add column asked_on_id bigint,
  add column asked_on_answer int,
  -- The message that is the first answer; message_id stays that of the component.
  add column answer_id bigint,
  -- Nothing has been shown yet.
  add column is_deferred boolean not null default false,
  -- The first answer takes the place of what the component stands on.
  add column updates boolean not null default false;
update interactions set answer_id = message_id where is_answered;

-- A message of a bot is sent with its embeds among `data`.
create function embeds_of_data() returns trigger language plpgsql as $$
begin
  if new.data -> 'embeds' is not null then
    new.embeds := new.data -> 'embeds';
    new.data := nullif((new.data::jsonb - 'embeds')::text, '{}')::json;
  end if;
  return new;
end $$;
create trigger embeds_of_data before insert on messages for each row when (new.data is not null)
  execute function embeds_of_data();
