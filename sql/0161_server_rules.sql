-- Rules that new members accept before they write.
create table server_rules (
  server_id bigint primary key references servers on delete cascade,
  content text not null,
  -- Grows with each change, also while a server has none.
  version int not null,
  updated_at timestamptz(3) not null default now()
);

alter table servers add column rules_version int;
alter table members
  add column rules_version int,
  -- Such a member is pending unless it is quarantined.
  add column is_arriving boolean not null default false;
