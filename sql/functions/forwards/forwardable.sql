-- What a forward stores of the message that it forwards: text and emoji as of now.
-- outcome: null, or forward_unknown if the author may not read the message.
create or replace function forwardable(
  p_message bigint, p_author bigint, home channels,
  out outcome text, out forwarded_id bigint, out forwarded json
) language plpgsql as $$
declare
  original messages;
  takes_external boolean;
  sticker stickers;
  shown_sticker bigint;
begin
  select m.* into original from messages m cross join lateral channel_access(m.channel_id, p_author) ca
    where m.id = p_message and m.kind = 'default' and can_view(ca.permissions) and holds(ca.permissions, 'read_history');
  if original.id is null then
    outcome := 'forward_unknown';
    return;
  end if;
  takes_external := home.server_id is null or coalesce((
    select holds(ca.permissions, 'use_external_emoji') from channel_access(home.id, p_author) ca), false);
  -- Without the permission for a sticker of another server its description goes along as text.
  select s.* into sticker from stickers s
    where s.id = coalesce(original.sticker_id, case when original.content = '' then forwarded_sticker(original) end);
  shown_sticker := case when takes_external or sticker.server_id = home.server_id then sticker.id end;
  -- What only forwards another message stands for that one.
  forwarded_id := coalesce(
    case when original.content = '' and original.sticker_id is null then original.forwarded_id end, original.id);
  forwarded := jsonb_build_object(
      'content', coalesce(nullif(concat_ws(E'\n', nullif(original.content, ''), poll_text(original),
          case when shown_sticker is null then sticker.alt end), ''),
        case when original.forwarded is not null then forwarded_json(original, null) ->> 'content' end, ''),
      'emoji_ids', array(
        select e.id from said_emojis(original) said (id) join emojis e on e.id = said.id
        where takes_external or e.server_id = home.server_id order by e.id limit 50))
    || case when shown_sticker is null then '{}' else jsonb_build_object('sticker_id', shown_sticker) end
    -- It was named to nobody, and stays so.
    || case when original.content = '' and original.forwarded ->> 'unnamed' is not null
      then '{"unnamed":true}' else '{}' end::jsonb;
  -- A deletion that is under way sees nothing of this forward.
  insert into forward_checks (original_id, due_at) values (forwarded_id, now() + interval '1 minute');
end $$;
