-- Accounts that stand for imported authors, and the people whom their messages are given to.

-- Under way: a job moves what the first account wrote, a batch at a time, then deletes that account.
create table author_claims (
  placeholder_id bigint primary key references users on delete cascade,
  user_id bigint not null references users (living_id) on delete cascade,
  claimed_at timestamptz(3) not null default now()
);
create index on author_claims (user_id);

-- Links by which a named account takes what an author wrote, once. Of the token, its SHA-256.
create table claim_links (
  hash bytea primary key,
  placeholder_id bigint not null unique references users on delete cascade,
  user_id bigint not null references users (living_id) on delete cascade,
  expires_at timestamptz(3) not null
);
create index on claim_links (user_id);
create index on claim_links (expires_at);
