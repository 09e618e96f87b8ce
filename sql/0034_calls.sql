-- Calls in dms and groups: a call begins when somebody joins an empty conversation, and ends with its last seat.

create table calls (
  channel_id bigint primary key references channels on delete cascade,
  started_by bigint not null references users,
  started_at timestamptz(3) not null default now(),
  -- Everyone who has been in it.
  participant_ids bigint[] not null,
  -- The last time that a call of this channel rang.
  rung_at timestamptz(3),
  -- The node that has the call renews this. A call that outlives its node is ended by another.
  alive_at timestamptz(3) not null default now(),
  -- Null while the call lasts. The row stays: joining again at once does not ring again.
  ended_at timestamptz(3)
);
create index calls_by_sign_of_life on calls (alive_at) where ended_at is null;

-- Whom a call rings, until they answer, decline, or the time is over.
create table call_rings (
  user_id bigint not null,
  channel_id bigint not null,
  until timestamptz(3) not null,
  primary key (user_id, channel_id),
  foreign key (channel_id, user_id) references participants on delete cascade
);
create index on call_rings (channel_id);
create index on call_rings (until);

-- Whether two accounts stand in a block, whoever blocked whom.
create function stand_in_block(p_one bigint, p_other bigint) returns boolean language sql stable
  return exists (select from relations r where r.low = least(p_one, p_other) and r.high = greatest(p_one, p_other)
    and (r.low_blocked_at is not null or r.high_blocked_at is not null));
