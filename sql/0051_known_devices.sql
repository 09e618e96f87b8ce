-- Devices from which an account has been logged in to, by browser and system: a login from another is told to it.

create table known_devices (
  user_id bigint not null references users (living_id) on delete cascade,
  device text not null,
  seen_at timestamptz(3) not null default now(),
  primary key (user_id, device)
);
create index on known_devices (seen_at);
