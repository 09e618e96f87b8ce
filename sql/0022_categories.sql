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
