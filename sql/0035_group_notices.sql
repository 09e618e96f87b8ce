-- Where a server tells who has joined; nothing is told without it.
alter table servers add column system_channel_id bigint references channels on delete set null;
create index servers_by_system_channel on servers (system_channel_id) where system_channel_id is not null;

-- Dms without a message, of whoever opened them: a job deletes those that never got one.
create index dms_without_messages on participants (channel_id)
  where other_id is not null and last_message_id is null and is_open;
