-- Mail: verified addresses, the outbox, and the tokens of links.

alter table users
  add column email_verified_at timestamptz(3),
  -- Registered while EMAIL_VERIFICATION was `required`.
  add column verification_required boolean not null default false;

-- Mail that waits to be sent. It holds no token: that is made when the mail is sent.
create table mail_outbox (
  id bigint generated always as identity primary key,
  -- Null for a forgotten password: whether an account has the address is looked up when the mail is sent, so that the
  -- request takes equally long either way.
  user_id bigint references users (living_id) on delete cascade,
  address text not null,
  template text not null,
  parameters jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  due_at timestamptz(3) not null default now(),
  attempts int not null default 0,
  check (user_id is not null or template = 'reset')
);
create index on mail_outbox (due_at);
create index on mail_outbox (user_id);
create index on mail_outbox (lower(address));

-- Tokens of links: only their hash is kept.
create table mail_tokens (
  hash bytea primary key,
  user_id bigint not null references users (living_id) on delete cascade,
  purpose text not null check (purpose in ('reset', 'verify', 'change')),
  -- The address that the link was sent to; null when the operator has printed it.
  email text,
  expires_at timestamptz(3) not null,
  check (email is not null or purpose = 'reset')
);
create index on mail_tokens (user_id);
create index on mail_tokens (expires_at);

-- A link for a password or an address that has changed since is void, whoever changed it.
create function void_mail_links() returns trigger language plpgsql as $$
begin
  -- Mails first: makeLink of src/features/mail/links.ts locks its mail.
  delete from mail_outbox where template = 'change_email' and user_id = new.id;
  delete from mail_tokens where user_id = new.id and (purpose <> 'verify' or new.email <> old.email);
  return null;
end $$;
create trigger void_mail_links after update of password_hash, email on users for each row
  when (new.password_hash is distinct from old.password_hash or new.email <> old.email)
  execute function void_mail_links();
