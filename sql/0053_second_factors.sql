-- Second factors, passkeys, and the proof that a session's holder is still the account's owner.

-- The secret of an authenticator app, encrypted with a key that is not in this table. It counts once it is confirmed.
create table totp (
  user_id bigint primary key references users (living_id) on delete cascade,
  secret bytea not null,
  -- RFC 6238 §5.2: the newest time step whose code was taken; it and those before are not taken again.
  last_step bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  confirmed_at timestamptz(3)
);

create table recovery_codes (
  user_id bigint not null references users (living_id) on delete cascade,
  hash bytea not null,
  primary key (user_id, hash)
);

create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (living_id) on delete cascade,
  credential_id text collate "C" not null constraint passkey_taken unique,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create index on passkeys (user_id, id);

-- Logins whose password was right and whose second factor is awaited: of the token only the hash is kept.
create table pending_logins (
  hash bytea primary key,
  user_id bigint not null references users (living_id) on delete cascade,
  tries int not null default 0,
  expires_at timestamptz(3) not null
);
create index on pending_logins (user_id);
create index on pending_logins (expires_at);

-- Challenges that a passkey has answered; those that nobody has answered are not stored.
create table spent_challenges (
  hash bytea primary key,
  expires_at timestamptz(3) not null
);
create index on spent_challenges (expires_at);

alter table sessions add column proven_at timestamptz(3);

-- Whoever changes a password: what the former one has begun ends.
create function end_pending_logins() returns trigger language plpgsql as $$
begin
  delete from pending_logins where user_id = new.id;
  return null;
end $$;
create trigger end_pending_logins after update of password_hash on users for each row
  when (old.password_hash is distinct from new.password_hash) execute function end_pending_logins();
