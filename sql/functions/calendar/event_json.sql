-- An event as p_viewer sees it, with those of its dates that touch a span of time.
create or replace function event_json(
  e calendar_events, p_viewer bigint, p_from timestamptz, p_to timestamptz
) returns json language sql stable
  return (select row_to_json(wire) from (
    select e.id, e.server_id, (select public_user(u) from users u where u.id = e.creator_id) as creator,
      e.title, e.description, iso(e.starts_at) as starts_at, iso(e.ends_at) as ends_at, e.time_zone, e.recurrence,
      json_strip_nulls(json_build_object('channel_id', e.channel_id, 'text', e.place_text, 'url', e.place_url)) as place,
      (select i.file_id from event_images i where i.event_id = e.id) as image_file_id,
      e.signup, e.sequence, coalesce((
        select json_agg(json_build_object('n', d.n, 'starts_at', iso(d.starts_at), 'ends_at', iso(d.ends_at),
          'yes', s.yes, 'maybe', s.maybe, 'waiting', s.waiting,
          'mine', (select json_build_object('status', own.status, 'role', own.role, 'remind', own.remind_minutes)
            from event_signups own where own.event_id = e.id and own.n = d.n and own.user_id = p_viewer))
          order by d.starts_at)
        from event_dates d cross join lateral (
          select count(*) filter (where su.status = 'yes') as yes, count(*) filter (where su.status = 'maybe') as maybe,
            count(*) filter (where su.status = 'waiting') as waiting
          from event_signups su where su.event_id = e.id and su.n = d.n) s
        where d.event_id = e.id and not d.is_cancelled and d.ends_at > p_from and d.starts_at < p_to), '[]') as dates
  ) wire);
