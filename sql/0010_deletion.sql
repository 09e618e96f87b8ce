-- Account deletion. The row stays as a tombstone, for what others keep points to it; whatever is only a living
-- account's cannot outlast the account, and nothing of the kind is written afterwards, whoever was let in before.

alter table users
  add column living_id bigint generated always as (case when deleted_at is null then id end) stored
    constraint living unique,
  add constraint tombstone_is_blank check (deleted_at is null or (username = 'deleted:' || id::text
    and email = 'deleted:' || id::text and display_name = 'Deleted user' and avatar_file_id is null));

alter table sessions drop constraint sessions_user_id_fkey,
  add foreign key (user_id) references users (living_id) on delete cascade;
alter table known_addresses drop constraint known_addresses_user_id_fkey,
  add foreign key (user_id) references users (living_id) on delete cascade;
alter table members drop constraint members_user_id_fkey,
  add foreign key (user_id) references users (living_id) on delete cascade;
alter table bans drop constraint bans_user_id_fkey,
  add foreign key (user_id) references users (living_id) on delete cascade;
alter table read_marks drop constraint read_marks_user_id_fkey,
  add foreign key (user_id) references users (living_id) on delete cascade;
alter table uploads drop constraint uploads_user_id_fkey,
  add foreign key (user_id) references users (living_id) on delete cascade;
alter table message_nonces drop constraint message_nonces_author_id_fkey,
  add foreign key (author_id) references users (living_id) on delete cascade;
alter table dm_nonces drop constraint dm_nonces_author_id_fkey,
  add foreign key (author_id) references users (living_id) on delete cascade;
alter table relations drop constraint relations_low_fkey, drop constraint relations_high_fkey,
  add foreign key (low) references users (living_id) on delete cascade,
  add foreign key (high) references users (living_id) on delete cascade;
alter table servers drop constraint servers_owner_id_fkey,
  add constraint owns_servers foreign key (owner_id) references users (living_id);

-- Deleted accounts whose files are still there: those go a few at a time.
create table erasures (
  user_id bigint primary key references users
);

-- What an account has made, page by page.
create index messages_of_author on messages (author_id, id);
drop index messages_author_id_idx;
create index files_of_uploader on files (uploader_id, id);
drop index files_uploader_id_idx;
create index invites_of_creator on invites (creator_id, id);
drop index invites_creator_id_idx;

create index events_of_author on events (((body -> 'author' ->> 'id')::bigint))
  where type = 'message.updated' and body is not null;

-- Of who an account was, the log tells nothing more: what carried its name is written anew, or blanked where the
-- deletion itself is newer news. Of its messages these are the ones that were changed since they were sent.
-- Returns the id above which those lie whose sending the log knows of, if there are any.
create function forget_in_log(p_user bigint) returns bigint language plpgsql as $$
begin
  update events set body = null where user_id = p_user and body is not null;
  update events set body = null where resource in ('user:' || p_user, 'relation:' || p_user) and body is not null;
  -- Of servers that it has left, the log knows by what told the account itself of them.
  update events set body = null where type in ('member.joined', 'member.updated') and body is not null and resource in (
    select 'member:' || server_id || ':' || p_user from members where user_id = p_user
    union select 'member:' || server_id || ':' || p_user from events where user_id = p_user and server_id is not null);
  update events e set body = message_json(m) from messages m
    where e.type = 'message.updated' and e.body is not null and (e.body -> 'author' ->> 'id')::bigint = p_user
      and m.id = substr(e.resource, length('message:') + 1)::bigint;
  -- The ids of messages and of their events are drawn together, but for what happens at the same time.
  return (select substr(resource, length('message:') + 1)::bigint - 10000
    from events where type = 'message.created' order by id limit 1);
end $$;

-- The same for what it has sent, so many messages at a time. Returns the last of them, or null behind the last.
create function forget_sent(p_user bigint, p_after bigint, p_count int) returns bigint language sql as $$
  with page as (
    select id from messages where author_id = p_user and id > p_after order by id limit p_count
  ), written as (
    update events e set body = message_json(m) from page join messages m using (id)
    where e.resource = 'message:' || page.id and e.type = 'message.created' and e.body is not null
  )
  select max(id) from page;
$$;
