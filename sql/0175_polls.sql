-- Polls in messages.
create table polls (
  message_id bigint primary key references messages on delete cascade,
  question text not null,
  -- {text, emoji} by position; the id of an answer is its position, from 1.
  answers json not null,
  multiple boolean not null,
  anonymous boolean not null,
  -- Votes by answer. Of an anonymous poll no row says more.
  counts int[] not null,
  voter_count int not null default 0,
  ends_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
create index on polls (ends_at) where ended_at is null;

create table poll_votes (
  message_id bigint not null references polls on delete cascade,
  answer_id smallint not null,
  user_id bigint not null references users,
  primary key (message_id, answer_id, user_id)
);
create index on poll_votes (user_id, message_id);

drop function if exists new_message(bigint, bigint, text, bigint, text, bigint[], bigint[], boolean, boolean, bigint,
  boolean, text, timestamptz, timestamptz, bigint, timestamptz, timestamptz, bigint, json, json, boolean, json, boolean, text);
alter table messages add column polled boolean not null default false;
alter type message_draft add attribute poll json;

-- Bit 49, send_polls, goes with bit 11, send_messages, in roles and in overwrites: no channel where only some may write
-- opens to others.
create function with_send_polls(p_sum bigint) returns bigint language sql immutable
  return p_sum | case when p_sum & (1::bigint << 11) <> 0 then 1::bigint << 49 else 0 end;
update roles set permissions = with_send_polls(permissions) where permissions <> with_send_polls(permissions);
update overwrites set allow = with_send_polls(allow), deny = with_send_polls(deny)
  where (allow, deny) <> (with_send_polls(allow), with_send_polls(deny));
drop function with_send_polls(bigint);

-- No event says so: clients fetch the permissions again, instead of resuming from an earlier event.
do $$
begin
  if exists (select from events) then
    insert into events (type, topic, resource) values ('log.started', 'nobody', 'log');
    update event_log_origin set resumable_from = (select max(id) from events);
  end if;
end $$;
