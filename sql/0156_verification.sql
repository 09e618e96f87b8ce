-- Who may write in a server right after joining.
alter table servers
  add column verification text not null default 'none'
    constraint servers_verification_check check (verification in ('none', 'mail', 'account_minutes', 'member_minutes')),
  add column verification_minutes int not null default 10
    constraint servers_verification_minutes_check check (verification_minutes between 1 and 10080);

create index on members (held_until) where held_back = 'unverified';
create index on members (server_id) where held_back = 'unverified';
