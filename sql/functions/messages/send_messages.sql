-- Sends a group of messages in one transaction. The result has a row for each draft, in order; see send_message.
create or replace function send_messages(p_drafts json) returns setof send_result
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off as $$
declare
  drafts message_draft[] := array(select d from json_populate_recordset(null::message_draft, p_drafts) d);
  homes bigint[];
  recipients bigint[];
  with_nonces int[];
  locked bigint[];
  people bigint[];
  -- Of the messages with a nonce: whose nonce nobody else uses at this moment, and of these, whose was used before or is
  -- another one's of the group too.
  held_nonces int[] := '{}';
  used_nonces int[] := '{}';
  late bigint[] := '{}';
  results send_result[] := '{}';
  -- The messages in channels of servers, which are logged together, and which result is whose.
  ids bigint[] := '{}';
  places int[] := '{}';
  -- Those of them that are plain, which are written together, and those that may have files.
  plain_ids bigint[] := '{}';
  plain int[] := '{}';
  filed bigint[] := '{}';
  one record;
  written record;
  logged record;
  result send_result;
begin
  select array_agg(coalesce(d.channel_id, side.channel_id) order by d.ordinality),
      array_agg(side.other_id order by d.ordinality), array_agg(d.ordinality) filter (where d.nonce is not null)
    into homes, recipients, with_nonces
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
  if with_nonces is not null then
    select coalesce(array_agg(n), '{}'), coalesce(array_agg(n) filter (where cardinality(numbers) > 1), '{}')
      into held_nonces, used_nonces
      from (
        select array_agg(given.n order by given.n) as numbers, d.author_id, homes[given.n] as home, d.nonce
        from unnest(with_nonces) given (n) cross join lateral (select (drafts[given.n]).*) d
        group by d.author_id, homes[given.n], d.nonce offset 0
      ) same cross join unnest(same.numbers) n
      where pg_try_advisory_xact_lock(hashtextextended(same.nonce, same.author_id * 1000003 + same.home));
    used_nonces := used_nonces || array(
      select given.n from unnest(held_nonces) given (n) cross join lateral (select (drafts[given.n]).*) d
      cross join lateral (
        select from message_nonces mn
        where mn.author_id = d.author_id and mn.channel_id = homes[given.n] and mn.nonce = d.nonce limit 1) used);
  end if;
  -- After the locks. A limit keeps the planner from joining whole tables.
  for one in
    select d.n::int, d.draft, its.home, recipients[d.n] as recipient, ca.permissions as held,
      (d.draft).author_id as author_id,
      homes[d.n] is null or (its.home).id <> all (locked) or (d.draft).author_id <> all (people)
        or recipients[d.n] <> all (people) or (d.draft).nonce is not null and d.n <> all (held_nonces) as is_busy,
      is_plain(d.draft, its.home, ca.permissions) and d.n <> all (used_nonces) as is_plain
    from (select given.n, drafts[given.n] as draft from unnest(homes) with ordinality given (id, n) offset 0) d
    left join lateral (select c as home from channels c where c.id = homes[d.n] limit 1) its on true
    left join lateral (
      select access.permissions from channel_access(homes[d.n], (d.draft).author_id) access limit 1) ca on true
    order by d.n
  loop
    result := null;
    if one.is_busy or one.author_id = any (late) then
      result.outcome := 'busy';
      late := late || one.author_id;
    elsif one.is_plain then
      result.outcome := 'created';
      plain := plain || one.n;
      plain_ids := plain_ids || nextval('messages_id_seq');
      places := places || one.n;
      ids := ids || plain_ids[cardinality(plain_ids)];
    else
      written := write_message(one.draft, one.home, one.recipient, one.held, true);
      result.outcome := written.outcome;
      result.missing := written.missing;
      result.retry_after := written.retry_after;
      result.body := written.body;
      if written.outcome = 'busy' then
        late := late || one.author_id;
      elsif written.outcome = 'created' and (one.home).server_id is not null and (one.home).hidden is not true then
        ids := ids || (written.sent).id;
        filed := filed || (written.sent).id;
        places := places || one.n;
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
    results := results || result;
  end loop;
  perform from insert_messages(array(
    select new_message(id => written_as.id, channel_id => d.channel_id, author_id => d.author_id,
      content => d.content, reply_mention => d.reply_mention, nonce => d.nonce, data => d.data)
    from unnest(plain, plain_ids) written_as (n, id) cross join lateral (select (drafts[written_as.n]).*) d));
  if with_nonces is not null then
    insert into message_nonces
      select d.author_id, d.channel_id, d.nonce, decode(d.hash, 'hex'), written_as.id, now()
      from unnest(plain, plain_ids) written_as (n, id) cross join lateral (select (drafts[written_as.n]).*) d
      where d.nonce is not null;
  end if;
  logged := log_sent(ids, filed);
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
