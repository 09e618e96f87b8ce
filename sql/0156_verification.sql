-- Who may write in a server right after joining.
alter table servers
  add column verification text not null default 'none'
    constraint servers_verification_check check (verification in ('none', 'mail', 'account_minutes', 'member_minutes')),
  add column verification_minutes int not null default 10
    constraint servers_verification_minutes_check check (verification_minutes between 1 and 10080);

create index on members (held_until) where held_back = 'unverified';
create index on members (server_id) where held_back = 'unverified';

-- A quarantine that interrupts the verification of a member does not end it.
alter table members add column was_unverified boolean not null default false;

-- Changes of verification whose members are still to be judged.
create table verification_sweeps (
  server_id bigint primary key references servers on delete cascade,
  -- Members who are not held back are judged too.
  binds_all boolean not null,
  -- The last member that was judged.
  after_id bigint not null default 0
);
