-- Categories: channels that hold other channels of their server. What a category's overwrites say of a bit holds for a
-- role in its channels too, where their own overwrites say nothing of that bit.

alter table channels drop constraint channels_type_check,
  add constraint channels_type_check check (type in ('text', 'voice', 'category')),
  add column parent_id bigint,
  add constraint channels_of_server unique (server_id, id),
  -- In the same server. A category lets go of its channels before it is deleted.
  add constraint channel_parent foreign key (server_id, parent_id) references channels (server_id, id),
  drop constraint channel_name_taken,
  -- Judged at the end of a statement: channels may exchange their places.
  add constraint channel_name_taken exclude using btree
    (server_id with =, (coalesce(parent_id, 0)) with =, name with =) where (type in ('text', 'voice')) deferrable;
create index channels_of_parent on channels (parent_id) where parent_id is not null;

alter table servers add column category_count int not null default 0
  constraint too_many_categories check (category_count <= 50);

create or replace function count_channel() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update servers set channel_count = channel_count + (new.type in ('text', 'voice'))::int,
      category_count = category_count + (new.type = 'category')::int where id = new.server_id;
  else
    update servers set channel_count = channel_count - (old.type in ('text', 'voice'))::int,
      category_count = category_count - (old.type = 'category')::int where id = old.server_id;
  end if;
  return null;
end $$;

-- What decides in a channel: its own overwrites, and those bits of its category's that its own say nothing of. `at_id`
-- is the channel or the category whose overwrite it is.
create function overwrites_in(p_channel bigint, p_parent bigint)
  returns table (role_id bigint, allow bigint, deny bigint, at_id bigint) language sql stable begin atomic
  select own.role_id, own.allow, own.deny, own.channel_id from overwrites own where own.channel_id = p_channel
  union all
  select up.role_id, up.allow & ~coalesce(own.allow | own.deny, 0), up.deny & ~coalesce(own.allow | own.deny, 0),
    up.channel_id
  from overwrites up left join overwrites own on own.channel_id = p_channel and own.role_id = up.role_id
  where up.channel_id = p_parent;
end;

-- The same as one row a role, kept by the triggers below: permissions are read far more often than they change.
create table effective_overwrites (
  channel_id bigint not null references channels on delete cascade,
  role_id bigint not null references roles on delete cascade,
  allow bigint not null,
  deny bigint not null,
  primary key (channel_id, role_id)
);
create index on effective_overwrites (role_id);
insert into effective_overwrites select channel_id, role_id, allow, deny from overwrites;

-- Makes the effective overwrites of some roles in some channels anew.
create function refresh_overwrites(p_channels bigint[], p_roles bigint[]) returns void language sql as $$
  delete from effective_overwrites where channel_id = any (p_channels) and role_id = any (p_roles);
  insert into effective_overwrites
    select c.id, o.role_id, bit_or(o.allow), bit_or(o.deny)
    from channels c cross join unnest(p_roles) changed (role_id)
    cross join lateral (select * from overwrites_in(c.id, c.parent_id) e where e.role_id = changed.role_id) o
    where c.id = any (p_channels) group by c.id, o.role_id;
$$;

create function overwrites_changed() returns trigger language plpgsql as $$
begin
  perform refresh_overwrites(array(
    select c.id from channels c where c.id in (select channel_id from changed)
    union select c.id from channels c where c.parent_id in (select channel_id from changed)),
    array(select distinct role_id from changed));
  return null;
end $$;
create trigger overwrites_inserted after insert on overwrites
  referencing new table as changed for each statement execute function overwrites_changed();
create trigger overwrites_updated after update on overwrites
  referencing new table as changed for each statement execute function overwrites_changed();
create trigger overwrites_deleted after delete on overwrites
  referencing old table as changed for each statement execute function overwrites_changed();

create function parent_changed() returns trigger language plpgsql as $$
begin
  perform refresh_overwrites(array[new.id], array(
    select role_id from overwrites where channel_id in (new.id, new.parent_id)
    union select role_id from effective_overwrites where channel_id = new.id));
  return null;
end $$;
create trigger channel_created after insert on channels for each row when (new.parent_id is not null)
  execute function parent_changed();
create trigger channel_moved after update of parent_id on channels for each row
  when (old.parent_id is distinct from new.parent_id) execute function parent_changed();

-- What permissions_of says of every member in every channel.
create view resolved_permissions as
  select mp.server_id, c.id as channel_id, mp.user_id, mp.is_owner, mp.position, c.type, c.parent_id,
    permissions_of(mp.is_owner, mp.base, o.everyone_allow, o.everyone_deny, o.roles_allow, o.roles_deny) as permissions
  from member_permissions mp
  join channels c on c.server_id = mp.server_id
  cross join lateral (
    select coalesce(bit_or(ow.allow) filter (where role.is_everyone), 0) as everyone_allow,
      coalesce(bit_or(ow.deny) filter (where role.is_everyone), 0) as everyone_deny,
      coalesce(bit_or(ow.allow) filter (where not role.is_everyone), 0) as roles_allow,
      coalesce(bit_or(ow.deny) filter (where not role.is_everyone), 0) as roles_deny
    from effective_overwrites ow join roles role on role.id = ow.role_id
    where ow.channel_id = c.id and (role.is_everyone or exists (
      select from member_roles mr
      where mr.server_id = mp.server_id and mr.user_id = mp.user_id and mr.role_id = role.id))
  ) o;

-- Whether the member sees a channel of the category. Its cost keeps the planner from taking a query that asks for few
-- categories for a long one.
create function sees_within(p_category bigint, p_user bigint) returns boolean language plpgsql stable cost 1000 as $$
begin
  return exists (select from resolved_permissions rp
    where rp.parent_id = p_category and rp.user_id = p_user and can_view(rp.permissions));
end $$;

-- The same with the view of categories: who sees a channel sees its category.
create or replace view channel_permissions as
  select rp.server_id, rp.channel_id, rp.user_id, rp.is_owner, rp.position,
    rp.permissions | case
      when rp.type = 'category' and not can_view(rp.permissions) and sees_within(rp.channel_id, rp.user_id)
      then permission_bit('view_channel') else 0 end as permissions
  from resolved_permissions rp;

-- Updates which channels not every member sees: everyone lacks view_channel, or an overwrite that decides in
-- the channel names that bit. Returns the channels of which that has changed.
create or replace function refresh_restricted(p_server bigint) returns setof channels language sql as $$
  update channels c set restricted = not c.restricted
  where c.server_id = p_server and c.restricted <> (
    is_hidden(p_server) or exists (
      select from effective_overwrites o where o.channel_id = c.id and holds(o.allow | o.deny, 'view_channel')))
  returning c.*;
$$;

-- Sends a message: permission, nonce, message and event in one statement. As in 0016; a category takes no messages.
-- outcome: created · repeated (the same nonce and request) · nonce_conflict · reply_unknown · file_unknown
-- · already_attached · missing_permission (missing names the bit) · is_category · not_found
create or replace function send_message(
  p_author bigint, p_channel bigint, p_content text, p_mentions bigint[], p_reply_to bigint,
  p_file_ids bigint[], p_nonce text, p_request_hash bytea,
  out outcome text, out missing text, out event_id bigint, out topic text, out body text
) language plpgsql as $$
declare
  held bigint;
  home channels;
  seen message_nonces;
  sent messages;
  attached bigint[];
  own_files int;
begin
  perform share_access(c.server_id) from channels c where c.id = p_channel;
  -- Until this has ended the author is not deleted; who is deleted already has no membership any more.
  perform from users u where u.id = p_author for key share;
  select cp.permissions into held from channel_permissions cp
    where cp.user_id = p_author and cp.channel_id = p_channel;
  if held is null or not can_view(held) then
    outcome := 'not_found';
    return;
  end if;
  select * into home from channels c where c.id = p_channel;
  if home.type = 'category' then
    outcome := 'is_category';
    return;
  end if;
  if not holds(held, 'send_messages') then
    outcome := 'missing_permission';
    missing := 'send_messages';
    return;
  end if;
  if cardinality(p_file_ids) > 0 and not holds(held, 'attach_files') then
    outcome := 'missing_permission';
    missing := 'attach_files';
    return;
  end if;
  if p_nonce is not null then
    -- One sender's uses of one nonce wait for each other here; the loser sees what the winner committed.
    perform pg_advisory_xact_lock(hashtextextended(p_nonce, p_author * 1000003 + p_channel));
    select * into seen from message_nonces mn
      where mn.author_id = p_author and mn.channel_id = p_channel and mn.nonce = p_nonce;
    if seen.created_at > now() - interval '24 hours' then
      select message_json(m)::text into body from messages m where m.id = seen.message_id;
      outcome := case when body is null or seen.request_hash <> p_request_hash
        then 'nonce_conflict' else 'repeated' end;
      if outcome = 'nonce_conflict' then body := null; end if;
      return;
    end if;
  end if;
  if p_reply_to is not null and not exists (
    select from messages m where m.id = p_reply_to and m.channel_id = p_channel) then
    outcome := 'reply_unknown';
    return;
  end if;
  if cardinality(p_file_ids) > 0 then
    -- Locked, so that of two messages only one gets them.
    select array_agg(locked.id) filter (where locked.is_attached), count(*) into attached, own_files from (
        select f.id, coalesce(f.message_id, f.dm_message_id) is not null as is_attached from files f
        where f.id = any (p_file_ids) and f.uploader_id = p_author for update
      ) locked;
    outcome := case when own_files < cardinality(p_file_ids) then 'file_unknown'
      when attached is not null then 'already_attached' end;
    if outcome is not null then return; end if;
  end if;
  insert into messages (channel_id, author_id, content, mention_ids, reply_to_id, nonce)
    values (p_channel, p_author, p_content, mentioned(p_channel, p_mentions), p_reply_to, p_nonce) returning * into sent;
  if p_nonce is not null then
    insert into message_nonces values (p_author, p_channel, p_nonce, p_request_hash, sent.id, now())
      on conflict (author_id, channel_id, nonce) do update
      set request_hash = excluded.request_hash, message_id = excluded.message_id, created_at = excluded.created_at;
  end if;
  if cardinality(p_file_ids) > 0 then
    update files f set message_id = sent.id, ordinal = array_position(p_file_ids, f.id) where f.id = any (p_file_ids);
  end if;
  body := message_json(sent)::text;
  topic := channel_topic(home);
  insert into events (type, topic, server_id, channel_id, resource, body)
    values ('message.created', topic, home.server_id, p_channel, 'message:' || sent.id, body::json)
    returning id into event_id;
  outcome := 'created';
end $$;
