-- A row for insert_messages: what the caller leaves out is null there, and becomes the default of its column. PostgreSQL
-- puts this in place of the call, so that it costs nothing. The order is that of the table's columns.
create or replace function new_message(
  channel_id bigint, author_id bigint, content text, id bigint default null, kind text default null,
  mention_ids bigint[] default null, mention_role_ids bigint[] default null, mention_everyone boolean default null,
  mention_here boolean default null, reply_to_id bigint default null, reply_mention boolean default null,
  nonce text default null, created_at timestamptz default null, edited_at timestamptz default null,
  recipient_id bigint default null, read_at timestamptz default null, pinned_at timestamptz default null,
  forwarded_id bigint default null, forwarded json default null, data json default null,
  reacted boolean default null, embeds json default null, embeds_suppressed boolean default null,
  author_name text default null, polled boolean default null, sticker_id bigint default null
) returns messages language sql immutable as $$
  select row(id, channel_id, kind, author_id, content, mention_ids, reply_to_id, nonce, created_at, edited_at,
    recipient_id, read_at, null, mention_role_ids, mention_everyone, mention_here, reply_mention, pinned_at, null,
    forwarded_id, forwarded, data, reacted, embeds, embeds_suppressed, null, author_name, null, polled, sticker_id)::messages
$$;
