-- The JSON of a message of a server, of the parts that other tables hold.
create or replace function wire_of(m messages, p_author json, p_member json, p_files json) returns json language sql stable
  return row_to_json(row(
    m.id, m.channel_id, m.kind, p_author, p_member, m.content, m.mention_ids, m.mention_role_ids, m.mention_everyone,
    m.mention_here, m.reply_to_id, p_files, embeds_json(m), reactions_json(m),
    -- A function that holds a query is called only where it is needed: the planner does not inline it.
    case when m.forwarded is not null then forwarded_json(m) end,
    case when m.began_thread then thread_json(m) end, m.data, iso(m.pinned_at), m.nonce,
    iso(m.created_at), iso(m.edited_at))::wire_message);
