-- Single sign-on: what identity providers vouch for, and accounts without a password.

alter table users alter column password_hash drop not null;

-- OpenID Connect Core §5.7: the pair of issuer and subject alone names a person.
create table identities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (living_id) on delete cascade,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  -- What the provider called the person when the identity was linked.
  name text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  constraint identity_taken unique (issuer, subject),
  constraint identity_linked unique (user_id, issuer)
);
