-- Writes messages as they are, in order: the one place where messages come into being. The caller has decided that the
-- author may, and holds the locks; triggers count, and record mentions and emoji. See new_message for the rows.
-- receipt_at, began_thread, previewed_version and calls_by_edit are set later in a message's life.
create or replace function insert_messages(p_rows messages[]) returns setof messages language sql as $$
  insert into messages (id, channel_id, kind, author_id, content, mention_ids, mention_role_ids, mention_everyone,
      mention_here, reply_to_id, reply_mention, nonce, created_at, edited_at, recipient_id, read_at, pinned_at,
      forwarded_id, forwarded, data, reacted, embeds, embeds_suppressed, author_name, polled, sticker_id)
      overriding system value
    select coalesce(m.id, nextval('messages_id_seq')), m.channel_id, coalesce(m.kind, 'default'), m.author_id,
      m.content, coalesce(m.mention_ids, '{}'), coalesce(m.mention_role_ids, '{}'),
      coalesce(m.mention_everyone, false), coalesce(m.mention_here, false), m.reply_to_id,
      coalesce(m.reply_mention, true), m.nonce, coalesce(m.created_at, now()), m.edited_at, m.recipient_id, m.read_at,
      m.pinned_at, m.forwarded_id, m.forwarded, m.data, coalesce(m.reacted, false), m.embeds,
      coalesce(m.embeds_suppressed, false), m.author_name, coalesce(m.polled, false), m.sticker_id
    from unnest(p_rows) m
    returning *
$$;
