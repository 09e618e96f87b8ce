-- As in 0047. With a content go the emoji that it shows: those of other servers where the author may use such.
create or replace function forwardable(
  p_message bigint, p_author bigint, home channels,
  out outcome text, out forwarded_id bigint, out forwarded json
) language plpgsql as $$
declare
  original messages;
  -- What says what the original shows.
  source messages;
  takes_external boolean;
begin
  select m.* into original from messages m cross join lateral channel_access(m.channel_id, p_author) ca
    where m.id = p_message and m.kind = 'default' and can_view(ca.permissions) and holds(ca.permissions, 'read_history');
  if original.id is null then
    outcome := 'forward_unknown';
    return;
  end if;
  takes_external := home.server_id is null or coalesce((
    select holds(ca.permissions, 'use_external_emoji') from channel_access(home.id, p_author) ca), false);
  if home.server_id = (select c.server_id from channels c where c.id = original.channel_id) then
    -- What only forwards another message stands for that one.
    forwarded_id := coalesce(case when original.content = '' then original.forwarded_id end, original.id);
    forwarded := case when takes_external then '{}' else '{"external": false}' end;
  else
    source := original;
    if original.content = '' and original.forwarded_id is not null then
      select m.* into source from messages m where m.id = original.forwarded_id;
    end if;
    forwarded := json_build_object('content', coalesce(nullif(original.content, ''),
      forwarded_json(original) ->> 'content', ''), 'emoji_ids', array(
        select e.id from said_emojis(source) said (id) join emojis e on e.id = said.id
        where takes_external or e.server_id = home.server_id order by e.id limit 50));
  end if;
end $$;
