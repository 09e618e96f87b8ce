-- Accounts, their sessions, and the secrets that nodes of one database share.

create table users (
  id bigint generated always as identity primary key,
  username text collate "C" not null constraint username_taken unique,
  email text not null,
  password_hash text not null,
  display_name text not null,
  avatar_file_id bigint,
  server_count int not null default 0 constraint too_many_servers check (server_count <= 100),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index email_taken on users (lower(email));

create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  ver int not null default 1,
  created_at timestamptz(3) not null default now(),
  -- When the current token was issued: with ver it makes the token, which is therefore not stored.
  refreshed_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  user_agent text,
  ip text not null
);
create index on sessions (user_id, id);
create index on sessions (expires_at);

-- One-time tickets for the gateway: only their hash is kept.
create table ws_tickets (
  hash bytea primary key,
  session_id bigint not null references sessions on delete cascade,
  expires_at timestamptz(3) not null
);
create index on ws_tickets (expires_at);
create index on ws_tickets (session_id);

-- Addresses from which an account has been logged in to: a flood of failures from elsewhere does not lock them out.
create table known_addresses (
  user_id bigint not null references users on delete cascade,
  ip text not null,
  seen_at timestamptz(3) not null default now(),
  primary key (user_id, ip)
);

create table secrets (
  name text primary key,
  value text not null
);

create function iso(t timestamptz) returns text language sql stable parallel safe
  return to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

create function public_user(u users) returns json language sql stable begin atomic
  select row_to_json(wire) from (select u.id, u.display_name, u.avatar_file_id) wire;
end;
