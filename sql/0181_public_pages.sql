-- Pages that everybody reads without an account. A channel is public only together with its server.
alter table servers
  add column public boolean not null default false,
  add column public_indexed boolean not null default true;
alter table channels
  add column public_since timestamptz(3),
  add column public_older boolean not null default false,
  add constraint public_place check (public_since is null or type in ('text', 'forum'));
create index channels_public on channels (server_id) where public_since is not null;
alter table users add column public_name boolean not null default false;
