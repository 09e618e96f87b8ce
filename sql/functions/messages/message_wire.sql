-- A message as JSON, as p_viewer sees it; as everybody who sees it, if p_viewer is null. In a message request its
-- recipient sees no previews and no pins.
create or replace function message_wire(m messages, p_viewer bigint)
returns table (body json) language sql stable rows 1 as $$
  select case when m.recipient_id is null and not m.embeds_suppressed and not m.polled
      and m.sticker_id is null then wire else (left(
    case when p_viewer = m.recipient_id and (m.embeds is not null or m.pinned_at is not null)
        and is_requested(p_viewer, m.channel_id)
      then (wire::jsonb || '{"embeds": [], "pinned_at": null}')::text else wire::text end, -1)
    || case when m.embeds_suppressed then ',"embeds_suppressed":true' else '' end
    || case when m.polled then coalesce(',"poll":' || poll_json(m.id)::text, '') else '' end
    || case when m.sticker_id is null then '' else ',"sticker":' || coalesce(sticker_json(m.sticker_id)::text, 'null') end
    || case when m.recipient_id is null then '' else
      ',"sender_id":' || m.author_id || ',"recipient_id":' || m.recipient_id || ',"read_at":'
      || coalesce('"' || iso(case when p_viewer = m.recipient_id then m.read_at
        else nullif(coalesce(m.receipt_at, m.read_at), 'infinity') end) || '"', 'null') end || '}')::json end
  from (select wire_of(m,
    (select case when m.author_name is null then public_user(u) else shown_author(u, m.author_name) end
      from users u where u.id = m.author_id),
    case when m.recipient_id is null then (
      select row_to_json(row(mem.nickname, array(
        select mr.role_id from member_roles mr where mr.server_id = mem.server_id and mr.user_id = mem.user_id
        order by mr.role_id))::wire_member)
      from members mem where mem.user_id = m.author_id
        and mem.server_id = (select c.server_id from channels c where c.id = m.channel_id)) end,
    coalesce((select json_agg(file_json(f) order by f.ordinal) from files f
      where f.message_id = m.id and (f.copied_from is null or copy_stands(f))), '[]'::json),
    p_viewer
  -- Not merged into the case, which would make the message twice.
  ) as wire offset 0) wire
$$;
