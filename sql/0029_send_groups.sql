-- Many messages by one statement: what waits while a commit is under way goes with the next one.

-- Sends messages in their order, each as send_message or send_dm does, and with an outcome of its own. None waits for a
-- lock: so nothing that holds one stalls the others, and no two groups wait for each other. Behind a busy message its
-- author's later ones are busy too; so is the first message of a dm. An error undoes the whole group.
create function send_messages(p_drafts json)
returns table (outcome text, missing text, body text, event_ids bigint[], topics text[], bodies text[])
language plpgsql as $$
declare
  draft record;
  home bigint;
  late bigint[] := '{}';
begin
  for draft in select * from json_to_recordset(p_drafts) as given (
    author_id bigint, channel_id bigint, recipient_id bigint, content text, mentions bigint[], reply_to_id bigint,
    file_ids bigint[], nonce text, hash text, old_hash text) loop
    home := draft.channel_id;
    if draft.recipient_id is not null then
      select p.channel_id into home from participants p
        where p.user_id = draft.author_id and p.other_id = draft.recipient_id and p.is_open;
    end if;
    if home is null or draft.author_id = any (late) then
      outcome := 'busy';
    else
      select * into outcome, missing, body, event_ids, topics, bodies from send_message(
        draft.author_id, home, draft.content, draft.mentions, draft.reply_to_id, draft.file_ids, draft.nonce,
        decode(draft.hash, 'hex'), decode(draft.old_hash, 'hex'), true);
    end if;
    if outcome = 'busy' then late := late || draft.author_id; end if;
    return next;
  end loop;
end $$;
