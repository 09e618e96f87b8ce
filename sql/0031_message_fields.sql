-- What messages of every kind of channel carry besides text and files, and one function that sends them all.

alter table channels
  add column slowmode_seconds int not null default 0
    constraint slowmode_range check (slowmode_seconds between 0 and 21600),
  -- The following in threads alone. The message that it began at, if that is still there.
  add column message_id bigint references messages on delete set null,
  add column message_count int not null default 0,
  add column archived_at timestamptz(3),
  add column locked boolean not null default false,
  add column archive_after_seconds int;
create unique index one_thread_a_message on channels (message_id) where message_id is not null;

alter table messages
  add column mention_role_ids bigint[] not null default '{}',
  add column mention_everyone boolean not null default false,
  add column mention_here boolean not null default false,
  -- Whether a reply mentions whom it answers.
  add column reply_mention boolean not null default true,
  add column pinned_at timestamptz(3),
  -- Whether a thread began at it.
  add column began_thread boolean not null default false,
  -- Of a forwarded message of the same server its id; of others what it said.
  add column forwarded_id bigint,
  add column forwarded json,
  -- What a message of another kind than `default` tells.
  add column data json;

-- When an account wrote last in a channel with slowmode: kept apart, so that deleting the message changes nothing.
create table slowmode_marks (
  user_id bigint not null references users (living_id) on delete cascade,
  channel_id bigint not null references channels on delete cascade,
  sent_at timestamptz(3) not null,
  primary key (user_id, channel_id)
);
create index on slowmode_marks (channel_id);
create index on slowmode_marks (sent_at);

-- What other tables add to a message. Their migrations replace these.
create function thread_json(m messages) returns json language sql stable return null::json;
create function reactions_json(m messages) returns json language sql stable return '[]'::json;
create function embeds_json(m messages) returns json language sql stable return '[]'::json;
create function forwarded_json(m messages) returns json language sql stable return null::json;

-- As in 0024, with the new fields.
create or replace function message_wire(m messages, p_viewer bigint)
returns table (body json) language sql stable rows 1 as $$
  select case when m.recipient_id is null then wire else (left(wire::text, -1)
    || ',"sender_id":' || m.author_id || ',"recipient_id":' || m.recipient_id || ',"read_at":'
    || coalesce('"' || iso(case when p_viewer = m.recipient_id then m.read_at
      else nullif(coalesce(m.receipt_at, m.read_at), 'infinity') end) || '"', 'null') || '}')::json end
  from (select row_to_json(wire) as wire from (
    select m.id, m.channel_id, m.kind, (select public_user(u) from users u where u.id = m.author_id) as author,
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

-- What a message mentions of what its text names: people who see the channel; roles that are mentionable, and everyone,
-- as its author may.
create function resolved_mentions(
  home channels, p_held bigint, p_people bigint[], p_roles bigint[], p_everyone boolean, p_here boolean)
returns table (people bigint[], roles bigint[], everyone boolean, here boolean) language sql stable rows 1 as $$
  select mentioned(home.id, p_people),
    case when cardinality(p_roles) = 0 or home.server_id is null then '{}' else array(
      select r.id from roles r where r.server_id = home.server_id and r.id = any (p_roles) and not r.is_everyone
        and (r.mentionable or holds(p_held, 'mention_everyone')) order by r.id) end,
    p_everyone and home.server_id is not null and holds(p_held, 'mention_everyone'),
    p_here and home.server_id is not null and holds(p_held, 'mention_everyone')
$$;

-- In a dm, what tells of an event of the server, as messages of another kind do, is not unread.
create or replace function count_dm() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update participants p set last_message_id = new.id, is_open = true,
      unread_count = unread_count + (p.user_id <> new.author_id and new.read_at is null)::int
      where p.channel_id = new.channel_id;
  else
    update participants p set
      unread_count = unread_count - (p.user_id = old.recipient_id and old.read_at is null)::int,
      last_message_id = case when p.last_message_id <> old.id then p.last_message_id
        else (select max(m.id) from messages m where m.channel_id = old.channel_id) end
      where p.channel_id = old.channel_id;
  end if;
  return null;
end $$;

-- A message that is to be sent. people, roles, everyone, here: what its text names. old_hash: the hash of the same
-- request in the form that direct messages had before there was one table.
create type message_draft as (
  author_id bigint, channel_id bigint, recipient_id bigint, content text,
  people bigint[], roles bigint[], everyone boolean, here boolean,
  reply_to_id bigint, reply_mention boolean, forward_message_id bigint, file_ids bigint[],
  nonce text, hash text, old_hash text,
  -- Of a bot's message: components, and the command that it answers.
  data json
);

drop function send_messages(json);
drop function send_dm(bigint, bigint, text, bigint[], bigint, bigint[], text, bytea, bytea);
drop function send_message(bigint, bigint, text, bigint[], bigint, bigint[], text, bytea, bytea, boolean);

-- Each index names one nonce: the other one read all those of a channel.
alter table message_nonces drop constraint message_nonces_pkey, add primary key (channel_id, author_id, nonce);
drop index message_nonces_channel_id_idx;
create unique index on message_nonces (author_id, channel_id, nonce);

-- The earlier use of a nonce. A plan that was made while there were few nonces would read all of them at each send.
create function used_nonce(p_author bigint, p_channel bigint, p_nonce text) returns message_nonces
language plpgsql stable set enable_seqscan = off as $$
declare
  used message_nonces;
begin
  select * into used from message_nonces mn
    where mn.author_id = p_author and mn.channel_id = p_channel and mn.nonce = p_nonce;
  return used;
end $$;

-- Writes a message in a channel of any type, whose locks are held: permission, nonce, message and files.
-- recipient: in a dm, the other person. held: the author's permissions there. p_tries: no lock is waited for.
-- outcome: created · repeated (the same nonce and request: body) · nonce_conflict · reply_unknown · forward_unknown
-- · file_unknown · already_attached · missing_permission (missing names the bit) · slowmode (retry_after, in seconds)
-- · is_category · cannot_contact · not_found
-- · busy (with p_tries alone: it would have waited for a lock; nothing is written)
create function write_message(
  draft message_draft, home channels, recipient bigint, held bigint, p_tries boolean,
  out outcome text, out missing text, out retry_after int, out body text, out sent messages
) language plpgsql as $$
declare
  seen message_nonces;
  forwarded_id bigint;
  forwarded json;
  attached bigint[];
  own_files int;
  key_lock bigint;
begin
  if held is null or not can_view(held) then
    outcome := 'not_found';
    return;
  end if;
  if home.type = 'category' then
    outcome := 'is_category';
    return;
  end if;
  -- The author of a direct message may have been deleted since it was let in.
  if recipient is not null and (not takes_dm(draft.author_id, recipient) or exists (
    select from users u where u.id = draft.author_id and u.deleted_at is not null)) then
    outcome := 'cannot_contact';
    return;
  end if;
  -- Constant names are bits once it is planned.
  missing := case
    when home.type = 'thread' and not holds(held, 'send_in_threads') then 'send_in_threads'
    when home.type <> 'thread' and not holds(held, 'send_messages') then 'send_messages'
    when cardinality(draft.file_ids) > 0 and not holds(held, 'attach_files') then 'attach_files' end;
  if missing is not null then
    outcome := 'missing_permission';
    return;
  end if;
  if draft.nonce is not null then
    -- One sender's uses of one nonce wait for each other here; the loser sees what the winner committed.
    key_lock := hashtextextended(draft.nonce, draft.author_id * 1000003 + home.id);
    if not p_tries then
      perform pg_advisory_xact_lock(key_lock);
    elsif not pg_try_advisory_xact_lock(key_lock) then
      outcome := 'busy';
      return;
    end if;
    seen := used_nonce(draft.author_id, home.id, draft.nonce);
    if seen.created_at > now() - interval '24 hours' then
      select message_json(m)::text into body from messages m where m.id = seen.message_id;
      outcome := case when body is not null
          and seen.request_hash in (decode(draft.hash, 'hex'), decode(draft.old_hash, 'hex'))
        then 'repeated' else 'nonce_conflict' end;
      if outcome = 'nonce_conflict' then body := null; end if;
      return;
    end if;
    -- What has run out is being deleted: to replace it may mean to wait.
    if p_tries and seen.author_id is not null then
      outcome := 'busy';
      return;
    end if;
  end if;
  if home.slowmode_seconds > 0 and not holds(held, 'manage_messages') then
    -- An account's sends in this channel, on whatever node, wait for each other.
    key_lock := hashtextextended('slowmode', draft.author_id * 1000003 + home.id);
    if not p_tries then
      perform pg_advisory_xact_lock(key_lock);
    elsif not pg_try_advisory_xact_lock(key_lock) then
      outcome := 'busy';
      return;
    end if;
    select ceil(extract(epoch from sm.sent_at - clock_timestamp()) + home.slowmode_seconds) into retry_after
      from slowmode_marks sm where sm.user_id = draft.author_id and sm.channel_id = home.id;
    if retry_after > 0 then
      outcome := 'slowmode';
      return;
    end if;
    retry_after := null;
  end if;
  if draft.reply_to_id is not null and not exists (
    select from messages m where m.id = draft.reply_to_id and m.channel_id = home.id) then
    outcome := 'reply_unknown';
    return;
  end if;
  if home.type = 'thread' then
    -- Brings it back from the archive; of one that is locked, only for whoever manages threads.
    select * into outcome, missing from enter_thread(home, held, draft.author_id, p_tries);
    if outcome is not null then return; end if;
  end if;
  if draft.forward_message_id is not null then
    -- outcome: forward_unknown, where the author may not read it
    select * into outcome, forwarded_id, forwarded
      from forwardable(draft.forward_message_id, draft.author_id, home);
    if outcome is not null then return; end if;
  end if;
  if cardinality(draft.file_ids) > 0 then
    if p_tries and cardinality(draft.file_ids) > (
      select count(*) from (select from files f where f.id = any (draft.file_ids) and f.uploader_id = draft.author_id
        for update skip locked) free) then
      outcome := 'busy';
      return;
    end if;
    -- Locked, so that of two messages only one gets them.
    select array_agg(locked.id) filter (where locked.is_attached), count(*) into attached, own_files from (
        select f.id, f.message_id is not null as is_attached from files f
        where f.id = any (draft.file_ids) and f.uploader_id = draft.author_id for update
      ) locked;
    outcome := case when own_files < cardinality(draft.file_ids) then 'file_unknown'
      when attached is not null then 'already_attached' end;
    if outcome is not null then return; end if;
  end if;
  if draft.reply_to_id is not null and draft.reply_mention then
    draft.people := draft.people || array(
      select m.author_id from messages m where m.id = draft.reply_to_id and m.author_id <> draft.author_id);
  end if;
  if cardinality(draft.people) > 0 or cardinality(draft.roles) > 0 or draft.everyone or draft.here then
    select * into draft.people, draft.roles, draft.everyone, draft.here
      from resolved_mentions(home, held, draft.people, draft.roles, draft.everyone, draft.here);
  end if;
  insert into messages (channel_id, author_id, recipient_id, content, mention_ids, mention_role_ids, mention_everyone,
      mention_here, reply_to_id, reply_mention, forwarded_id, forwarded, nonce, data)
    values (home.id, draft.author_id, recipient, draft.content, draft.people, draft.roles, draft.everyone,
      draft.here, draft.reply_to_id, draft.reply_mention, forwarded_id, forwarded, draft.nonce, draft.data)
    returning * into sent;
  if draft.nonce is not null then
    insert into message_nonces
      values (draft.author_id, home.id, draft.nonce, decode(draft.hash, 'hex'), sent.id, now())
      on conflict (author_id, channel_id, nonce) do update
      set request_hash = excluded.request_hash, message_id = excluded.message_id, created_at = excluded.created_at;
  end if;
  if home.slowmode_seconds > 0 then
    insert into slowmode_marks values (draft.author_id, home.id, clock_timestamp())
      on conflict (user_id, channel_id) do update set sent_at = excluded.sent_at;
  end if;
  if cardinality(draft.file_ids) > 0 then
    update files f set message_id = sent.id, ordinal = array_position(draft.file_ids, f.id)
      where f.id = any (draft.file_ids);
  end if;
  if home.type = 'thread' then perform note_in_thread(home.id, sent); end if;
  outcome := 'created';
end $$;

-- What became of a message. audience, event_ids, topics, bodies: the events that tell of it.
create type send_result as (
  outcome text, missing text, retry_after int,
  audience bigint, body text, event_ids bigint[], topics text[], bodies text[]
);

-- Sends a message in its channel, or to a person: in the dm with them, which is made if there is none. Whoever waits for
-- a lock gives up soon, and is tried again after the others who wait.
-- p_tries: no lock is waited for; what would wait, and the first message of a dm, is busy.
create function send_message(draft message_draft, p_tries boolean default false) returns send_result
language plpgsql set lock_timeout = '500ms' set plan_cache_mode = force_generic_plan as $$
declare
  home_id bigint := draft.channel_id;
  home channels;
  recipient bigint;
  held bigint;
  written record;
  logged record;
  result send_result;
begin
  if draft.recipient_id is not null and p_tries then
    select p.channel_id into home_id from participants p
      where p.user_id = draft.author_id and p.other_id = draft.recipient_id and p.is_open;
  elsif draft.recipient_id is not null then
    select o.outcome, o.channel_id into result.outcome, home_id from open_dm(draft.author_id, draft.recipient_id) o;
    if home_id is null or result.outcome = 'cannot_contact' then return result; end if;
  end if;
  if not p_tries then
    perform share_channel(c) from channels c where c.id = home_id;
  elsif home_id is null or not (select try_share_channel(c) from channels c where c.id = home_id) then
    result.outcome := 'busy';
    return result;
  end if;
  select * into home from channels c where c.id = home_id;
  if home.type = 'dm' then
    select p.other_id into recipient from participants p where p.channel_id = home_id and p.user_id = draft.author_id;
  end if;
  -- Until this has ended neither is deleted; who is deleted already is no member and in no group any more.
  if not p_tries then
    perform from users u where u.id in (draft.author_id, recipient) order by u.id for key share;
  else
    perform from users u where u.id = draft.author_id for key share skip locked;
    if found and recipient is not null then
      perform from users u where u.id = recipient for key share skip locked;
    end if;
    if not found then
      result.outcome := 'busy';
      return result;
    end if;
  end if;
  select ca.permissions into held from channel_access(home_id, draft.author_id) ca;
  written := write_message(draft, home, recipient, held, p_tries);
  result.outcome := written.outcome;
  result.missing := written.missing;
  result.retry_after := written.retry_after;
  result.body := written.body;
  if written.outcome = 'created' then
    logged := log_sent(home, written.sent);
    result.audience := logged.audience;
    result.body := logged.body;
    result.event_ids := logged.event_ids;
    result.topics := logged.topics;
    result.bodies := logged.bodies;
  end if;
  return result;
end $$;

-- Sends messages in their order, each with an outcome of its own, and costs less than each alone. None waits for a lock: so nothing that holds one
-- stalls the others, and no two groups wait for each other. Behind a busy message its author's later ones are busy too;
-- so is the first message of a dm. An error undoes the whole group.
create function send_messages(p_drafts json) returns setof send_result
-- A group of one would be planned anew each time, since such a plan costs less than that of a large group; and plans that
-- were made while tables were small would read the whole of them.
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  drafts message_draft[] := array(select d from json_populate_recordset(null::message_draft, p_drafts) d);
  homes bigint[];
  recipients bigint[];
  locked bigint[];
  people bigint[];
  late bigint[] := '{}';
  results send_result[] := '{}';
  -- The messages in channels of servers, which are logged together, and which result is whose.
  ids bigint[] := '{}';
  places int[] := '{}';
  one record;
  written record;
  logged record;
  result send_result;
begin
  select array_agg(coalesce(d.channel_id, side.channel_id) order by d.ordinality),
      array_agg(side.other_id order by d.ordinality)
    into homes, recipients
    from unnest(drafts) with ordinality d
    left join lateral (
      select p.channel_id, p.other_id from participants p
      where p.user_id = d.author_id and p.other_id = d.recipient_id and p.is_open
      union all
      select p.channel_id, p.other_id from participants p
      where p.channel_id = d.channel_id and p.user_id = d.author_id
    ) side on true;
  locked := array(
    select (home).id from (select c as home from channels c where c.id = any (homes) offset 0) free
    where try_share_channel(home));
  -- Until this has ended none of them is deleted; who is deleted already is no member and in no group any more.
  people := array(
    select u.id from users u where u.id = any (array(select d.author_id from unnest(drafts) d) || recipients)
    for key share skip locked);
  -- After the locks. A limit keeps the planner from joining whole tables.
  for one in
    select h.n, drafts[h.n] as draft, its.home, recipients[h.n] as recipient, ca.permissions as held
    from unnest(homes) with ordinality h (id, n)
    left join lateral (select c as home from channels c where c.id = h.id limit 1) its on true
    left join lateral (
      select access.permissions from channel_access(h.id, (drafts[h.n]).author_id) access limit 1) ca on true
    order by h.n
  loop
    result := null;
    if homes[one.n] is null or (one.draft).author_id = any (late)
      or (one.home).id <> all (locked) or (one.draft).author_id <> all (people) or one.recipient <> all (people)
    then
      result.outcome := 'busy';
    else
      written := write_message(one.draft, one.home, one.recipient, one.held, true);
      result.outcome := written.outcome;
      result.missing := written.missing;
      result.retry_after := written.retry_after;
      result.body := written.body;
      if written.outcome = 'created' and (one.home).server_id is not null then
        ids := ids || (written.sent).id;
        places := places || one.n::int;
      elsif written.outcome = 'created' then
        -- Before the next one, which changes the unread count that the event tells.
        logged := log_sent(one.home, written.sent);
        result.audience := logged.audience;
        result.body := logged.body;
        result.event_ids := logged.event_ids;
        result.topics := logged.topics;
        result.bodies := logged.bodies;
      end if;
    end if;
    if result.outcome = 'busy' then late := late || (one.draft).author_id; end if;
    results := results || result;
  end loop;
  logged := log_sent(ids);
  for at in 1 .. cardinality(ids) loop
    result := results[places[at]];
    result.audience := logged.audiences[at];
    result.body := logged.bodies[at];
    result.event_ids := array[logged.event_ids[at]];
    result.topics := array[logged.topics[at]];
    result.bodies := array[logged.bodies[at]];
    results[places[at]] := result;
  end loop;
  return query select * from unnest(results);
end $$;
