-- Message requests: what a stranger writes first waits until the recipient accepts it.
alter table users add column requests boolean not null default false;

alter table participants
  add column request text check (request in ('waiting', 'ignored', 'accepted')),
  add column request_id bigint,
  add column requested_at timestamptz,
  add constraint request_is_whole check ((request is null) = (requested_at is null));
create index participants_requested on participants (other_id, requested_at) where requested_at is not null;

create function request_changed() returns trigger language plpgsql as $$
begin
  return new;
end $$;
create trigger request_changed before update on participants for each row
  when (old.request is distinct from new.request) execute function request_changed();

-- Its columns change.
drop function if exists conversations_of(bigint, int);
