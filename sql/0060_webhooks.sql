-- Webhooks: other programs write in a channel by a URL.

-- A webhook has an account, which is the author of its messages and has the webhook's id. That account is never alive:
-- it is found by no search, and has no session, membership, relation or dm. It stays, with its name, as long as there
-- are messages of it.
alter table users drop constraint tombstone_is_blank,
  add constraint tombstone_is_blank check (deleted_at is null or kind = 'webhook' or (username = 'deleted:' || id::text
    and email = 'deleted:' || id::text and display_name = 'Deleted user' and avatar_file_id is null)),
  add constraint webhook_is_not_alive check (kind <> 'webhook' or deleted_at is not null);

create table webhooks (
  id bigint primary key references users,
  channel_id bigint not null references channels on delete cascade,
  -- Who made it or renewed its URL last: what it uploads is theirs. Null in a server that has been deleted.
  creator_id bigint references users (living_id),
  -- Whether its messages may mention everyone, and roles that not everyone may mention.
  mentions_everyone boolean not null default false,
  created_at timestamptz(3) not null default now()
);
create index on webhooks (channel_id);
create index on webhooks (creator_id);

-- SHA-256 of the token in the URL. Apart from the webhooks, since it does not come back from a backup.
create table webhook_tokens (
  webhook_id bigint primary key references webhooks on delete cascade,
  hash bytea not null
);

create function webhook_gone() returns trigger language plpgsql as $$
begin
  delete from users u where u.id = old.id and not exists (select from messages m where m.author_id = u.id);
  return null;
end $$;
-- At the end: a channel takes its webhooks and its messages along in either order.
create constraint trigger webhook_gone after delete on webhooks deferrable initially deferred
  for each row execute function webhook_gone();

-- Of a webhook's message that came with a name of its own: that name.
alter table messages add column author_name text;

-- The author of a message as it shows.
create function shown_author(u users, p_name text) returns json language sql stable
  return (select row_to_json(wire) from (select u.id, p_name as display_name, u.avatar_file_id, u.kind) wire);

-- As in 0031, with that author.
create or replace function message_wire(m messages, p_viewer bigint)
returns table (body json) language sql stable rows 1 as $$
  select case when m.recipient_id is null then wire else (left(wire::text, -1)
    || ',"sender_id":' || m.author_id || ',"recipient_id":' || m.recipient_id || ',"read_at":'
    || coalesce('"' || iso(case when p_viewer = m.recipient_id then m.read_at
      else nullif(coalesce(m.receipt_at, m.read_at), 'infinity') end) || '"', 'null') || '}')::json end
  from (select row_to_json(wire) as wire from (
    select m.id, m.channel_id, m.kind, (
        select case when m.author_name is null then public_user(u) else shown_author(u, m.author_name) end
        from users u where u.id = m.author_id) as author,
      case when m.recipient_id is null then (
        select row_to_json(mine) from (
          select mem.nickname, array(
            select mr.role_id from member_roles mr where mr.server_id = mem.server_id and mr.user_id = mem.user_id
            order by mr.role_id) as role_ids
          from members mem where mem.user_id = m.author_id
            and mem.server_id = (select c.server_id from channels c where c.id = m.channel_id)) mine) end as member,
      m.content, m.mention_ids, m.mention_role_ids, m.mention_everyone, m.mention_here, m.reply_to_id,
      coalesce((select json_agg(file_json(f) order by f.ordinal) from files f where f.message_id = m.id), '[]'::json)
        as files,
      embeds_json(m) as embeds, reactions_json(m) as reactions,
      -- A function that holds a query is called only where it is needed: the planner does not inline it.
      case when m.forwarded is not null then forwarded_json(m) end as forwarded,
      case when m.began_thread then thread_json(m) end as thread, m.data, iso(m.pinned_at) as pinned_at, m.nonce,
      iso(m.created_at) as created_at, iso(m.edited_at) as edited_at
  -- Not merged into the case, which would make the message twice.
  ) wire offset 0) wire
$$;

-- As in 0047, with that author.
create or replace function forwarded_json(m messages) returns json language sql stable
  return case when m.forwarded is null then null when m.forwarded_id is null
    then json_build_object('message_id', null, 'channel_id', null, 'author', null, 'content', m.forwarded ->> 'content')
    else (
      select json_build_object('message_id', m.forwarded_id, 'channel_id', o.channel_id,
        'author', case when u.id is null then null
          when o.author_name is null then public_user(u) else shown_author(u, o.author_name) end,
        'content', coalesce(nullif(o.content, ''), o.forwarded ->> 'content', o.content))
      from (select) one left join messages o on o.id = m.forwarded_id left join users u on u.id = o.author_id) end;

-- What the embeds of a message say that no link made: it is found by that too.
create function rich_text(m messages) returns text language sql stable
  return case when m.embeds is not null then (
    select string_agg(concat_ws(' ', e.embed ->> 'title', e.embed ->> 'description', e.embed -> 'author' ->> 'name',
        e.embed ->> 'footer', (select string_agg(concat_ws(' ', f.field ->> 'name', f.field ->> 'value'), ' ')
          from json_array_elements(e.embed -> 'fields') f (field))), ' ')
    from json_array_elements(embeds_json(m)) e (embed) where e.embed ->> 'type' = 'rich') end;
