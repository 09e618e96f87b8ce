-- Reactions: who reacted to a message with what, and how many did.

create table reaction_counts (
  -- New when the first of an emoji comes again: whose own reaction went before is not taken for theirs.
  id bigint generated always as identity,
  message_id bigint not null references messages on delete cascade,
  -- The fully-qualified emoji of Unicode, or name:id of a custom one, as it was called then.
  emoji text collate "C" not null,
  count int not null check (count > 0),
  primary key (message_id, emoji)
);

create table message_reactions (
  message_id bigint not null,
  emoji text collate "C" not null,
  -- Of a deleted account they go in batches.
  user_id bigint not null references users,
  created_at timestamptz(3) not null default now(),
  primary key (message_id, emoji, user_id),
  foreign key (message_id, emoji) references reaction_counts on delete cascade
);
create index on message_reactions (user_id, message_id);

-- Whether a message has any: most have none, and a list of messages asks no further.
alter table messages add column reacted boolean not null default false;

create function reactions_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update messages set reacted = true where id = new.message_id and not reacted;
  else
    update messages set reacted = false where id = old.message_id and reacted
      and not exists (select from reaction_counts r where r.message_id = old.message_id);
  end if;
  return null;
end $$;
create trigger reactions_changed after insert or delete on reaction_counts
  for each row execute function reactions_changed();

-- The reactions of a message, in the order in which they began.
create function reactions_of(p_message bigint) returns json language sql stable
  return (select json_agg(json_build_object('id', r.id, 'emoji', r.emoji, 'count', r.count) order by r.id)
    from reaction_counts r where r.message_id = p_message);

-- Inlined, as a function with a query in it would not be.
create or replace function reactions_json(m messages) returns json language sql stable
  return case when m.reacted then coalesce(reactions_of(m.id), '[]'::json) else '[]'::json end;
