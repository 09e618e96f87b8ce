-- What an invite gives besides the membership: a role that members can pick, and an end.
alter table invites
  add column role_id bigint references roles on delete set null,
  add column temporary text constraint invites_temporary_check check (temporary in ('call', 'day'));
create index on invites (role_id) where role_id is not null;

create table temporary_members (
  server_id bigint not null,
  user_id bigint not null,
  ends text not null constraint temporary_members_ends_check check (ends in ('call', 'day')),
  due_at timestamptz(3) not null,
  primary key (server_id, user_id),
  foreign key (server_id, user_id) references members on delete cascade
);
create index on temporary_members (due_at);
