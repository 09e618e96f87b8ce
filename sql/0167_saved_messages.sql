-- Messages that accounts have saved for later, with reminders.
create table saved_messages (
  user_id bigint not null references users (living_id) on delete cascade,
  message_id bigint not null references messages on delete cascade,
  note text,
  remind_at timestamptz(3),
  is_announced boolean not null default false,
  saved_at timestamptz(3) not null default now(),
  primary key (user_id, message_id)
);
create index on saved_messages (message_id);
create index on saved_messages (user_id, remind_at) where remind_at is not null;
create index on saved_messages (remind_at) where remind_at is not null and not is_announced;
