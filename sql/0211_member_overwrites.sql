-- Overwrites for single members. They are resolved after those of roles.
create table member_overwrites (
  server_id bigint not null,
  channel_id bigint not null,
  user_id bigint not null references users (living_id) on delete cascade,
  allow bigint not null,
  deny bigint not null check (allow & deny = 0),
  primary key (channel_id, user_id),
  foreign key (server_id, channel_id) references channels (server_id, id) on delete cascade
);
create index on member_overwrites (user_id, server_id);

-- True if the channel or its category has any, so that permissions cost what they did everywhere else.
alter table channels add column has_member_overwrites boolean not null default false;

create function mark_member_overwrites(p_channels bigint[]) returns void language sql as $$
  update channels c set has_member_overwrites = not c.has_member_overwrites
  where (c.id = any (p_channels) or c.parent_id = any (p_channels)) and c.type <> 'thread'
    and c.has_member_overwrites <> exists (
      select from member_overwrites o where o.channel_id in (c.id, c.parent_id));
$$;

create function member_overwrites_changed() returns trigger language plpgsql as $$
begin
  perform mark_member_overwrites(array(select distinct channel_id from changed));
  return null;
end $$;
create trigger member_overwrites_inserted after insert on member_overwrites
  referencing new table as changed for each statement execute function member_overwrites_changed();
create trigger member_overwrites_deleted after delete on member_overwrites
  referencing old table as changed for each statement execute function member_overwrites_changed();
