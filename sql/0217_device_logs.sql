-- kind: expand
-- The log of each account's devices for encrypted calls: a chain of hashes that clients remember (docs/voice.md).
create table device_logs (
  -- Not living_id: servers of an earlier version delete accounts without deleting their logs.
  user_id bigint primary key references users (id),
  length int not null default 0 check (length >= 0),
  head bytea not null default decode(repeat('00', 32), 'hex') check (octet_length(head) = 32),
  keys bytea[] not null default '{}'
);
create table device_log_entries (
  user_id bigint not null references device_logs (user_id) on delete cascade,
  position int not null check (position > 0),
  is_added boolean not null,
  key bytea not null check (octet_length(key) = 32),
  head bytea not null check (octet_length(head) = 32),
  created_at timestamptz(3) not null default now(),
  primary key (user_id, position)
);
-- Devices that are registered already begin the logs.
with recursive devices as (
  select user_id, key, row_number() over (partition by user_id order by key)::int as position
  from (select distinct user_id, device_key as key from sessions
    where device_key is not null and expires_at > now()) live
), chain as (
  select distinct user_id, 0 as position, null::bytea as key, decode(repeat('00', 32), 'hex') as head,
    '{}'::bytea[] as keys
  from devices
  union all
  select c.user_id, d.position, d.key, sha256(convert_to('parley device log' || chr(10) || encode(c.head, 'hex') ||
    chr(10) || c.user_id || ' ' || d.position || chr(10) || array_to_string(array(select encode(k.key, 'hex')
      from unnest(array_append(c.keys, d.key)) with ordinality k (key, at) order by k.at), ' '), 'UTF8')),
    array_append(c.keys, d.key)
  from chain c join devices d on d.user_id = c.user_id and d.position = c.position + 1
), logs as (
  insert into device_logs (user_id, length, head, keys)
  select distinct on (user_id) user_id, position, head, keys from chain order by user_id, position desc
)
insert into device_log_entries (user_id, position, is_added, key, head)
select user_id, position, true, key, head from chain where position > 0;
