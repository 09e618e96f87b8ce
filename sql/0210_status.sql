-- The status that an account chose. All of it is null until it chooses one.
alter table users
  add column own_status text check (own_status in ('online', 'idle', 'dnd', 'invisible')),
  add column status_text text check (char_length(status_text) between 1 and 128),
  add column status_emoji text check (char_length(status_emoji) <= 64),
  add column status_until timestamptz(3),
  add column status_set_at bigint,
  add constraint status_is_whole check (case when own_status is null
    then num_nonnulls(status_text, status_emoji, status_until, status_set_at) = 0 else status_set_at is not null end);
create index on users (status_until) where status_until is not null;

-- Friends whose calls ring although the account does not want to be disturbed.
create table dnd_callers (
  user_id bigint not null references users (living_id) on delete cascade,
  caller_id bigint not null references users (living_id) on delete cascade,
  primary key (user_id, caller_id)
);
create index on dnd_callers (caller_id);

alter table call_rings add column silent boolean not null default false;
