-- Reading a direct message gives no receipt to an account that the reader has blocked. The reader's own side knows
-- `read_at` all the same.

alter table dm_messages
  -- When the sender got the receipt, where that is not `read_at`: `infinity` until there is one.
  add column receipt_at timestamptz(3);
create index dm_messages_read_quietly on dm_messages (conversation_id, recipient_id, id) where receipt_at = 'infinity';

-- A direct message as it goes on the wire to one of its two people.
create function dm_json(d dm_messages, p_viewer bigint) returns json language sql stable begin atomic
  select row_to_json(wire) from (
    select d.id, d.sender_id, d.recipient_id, d.content,
      coalesce((select json_agg(file_json(f) order by f.ordinal) from files f where f.dm_message_id = d.id), '[]'::json)
        as files, d.nonce,
      iso(d.created_at) as created_at, iso(d.edited_at) as edited_at,
      iso(case when p_viewer = d.recipient_id then d.read_at
        else nullif(coalesce(d.receipt_at, d.read_at), 'infinity') end) as read_at
  ) wire;
end;

-- The same as its sender sees it.
create or replace function dm_json(d dm_messages) returns json language sql stable
  return dm_json(d, d.sender_id);

-- Accounts whose profile has changed and is still to be announced to the partners of their conversations, in the order
-- of the partners' ids.
create table profile_announcements (
  user_id bigint primary key references users on delete cascade,
  after_id bigint not null default 0
);
