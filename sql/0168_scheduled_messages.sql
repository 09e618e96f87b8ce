-- Messages that are sent at a later time.
create table scheduled_messages (
  id bigint generated always as identity primary key,
  author_id bigint not null references users (living_id) on delete cascade,
  channel_id bigint references channels on delete set null,
  content text not null,
  reply_to_id bigint,
  reply_mention boolean not null,
  nonce text,
  send_at timestamptz(3) not null,
  state text not null default 'waiting' check (state in ('waiting', 'held', 'returned')),
  reason text check ((reason is not null) = (state = 'returned')),
  version int not null default 1,
  due_at timestamptz(3) not null,
  attempts int not null default 0,
  created_at timestamptz(3) not null default now(),
  constraint one_schedule_a_nonce unique (author_id, nonce)
);
create index on scheduled_messages (author_id, send_at);
create index on scheduled_messages (channel_id) where channel_id is not null;
create index on scheduled_messages (due_at) where state = 'waiting';

-- A file belongs to a message, or waits with a scheduled one.
alter table files add column scheduled_id bigint references scheduled_messages on delete set null,
  add check (message_id is null or scheduled_id is null);
create index on files (scheduled_id) where scheduled_id is not null;
