-- Data as version 0.14.0 wrote it, on its schema: sql/0001 to sql/0018.
-- alice 1, bob 2, carol 3 and dora 4 are members of one server; 5 is an erased account; bob blocks mallory 6.

insert into users (id, username, email, password_hash, display_name, dms_from) overriding system value values
  (1, 'alice', 'alice@example.org', 'none', 'Alice', 'servers'),
  (2, 'bob', 'bob@example.org', 'none', 'Bob', 'everyone'),
  (3, 'carol', 'carol@example.org', 'none', 'Carol', 'servers'),
  (4, 'dora', 'dora@example.org', 'none', 'Dora', 'servers'),
  (5, 'erin', 'erin@example.org', 'none', 'Erin', 'everyone'),
  (6, 'mallory', 'mallory@example.org', 'none', 'Mallory', 'everyone');
select setval('users_id_seq', 6);

insert into servers (id, name, owner_id) overriding system value values (1, 'Birdwatchers', 1);
select setval('servers_id_seq', 1);
-- view_channel, send_messages, attach_files, read_history, connect, speak, share_screen and create_invite.
insert into roles (id, server_id, name, permissions, position, is_everyone) overriding system value values
  (1, 1, 'everyone', 3247617, 0, true);
select setval('roles_id_seq', 1);
insert into channels (id, server_id, name, type, position, created_at, updated_at) overriding system value values
  (1, 1, 'general', 'text', 0, '2026-01-01', '2026-01-01'),
  (7, 1, 'Hide', 'voice', 1, '2026-01-01', '2026-01-01');
select setval('channels_id_seq', 7);
insert into members (server_id, user_id) values (1, 1), (1, 2), (1, 3), (1, 4);

insert into messages (id, channel_id, author_id, content, mention_ids, reply_to_id, nonce, created_at)
overriding system value values
  (3, 1, 1, 'A kingfisher, <@2>!', '{2}', null, 'kingfisher', '2026-03-01T10:00:00Z'),
  (4, 1, 2, 'Where?', '{}', 3, null, '2026-03-01T10:01:00Z'),
  (9, 1, 5, 'Behind you', '{}', null, null, '2026-03-01T10:02:00Z'),
  (12, 1, 3, 'A picture', '{}', null, null, '2026-03-05T10:02:00Z');
select setval('messages_id_seq', 15);
insert into message_nonces (author_id, channel_id, nonce, request_hash, message_id, created_at) values
  (1, 1, 'kingfisher', sha256('["A kingfisher, <@2>!",null,[]]'), 3, now());
insert into read_marks (user_id, channel_id, message_id) values (1, 1, 9), (3, 1, 12);

insert into conversations (id, low, high) overriding system value values
  (1, 1, 2), (2, 1, 3), (4, 1, 5), (5, 2, 6), (6, 3, 4);
select setval('conversations_id_seq', 6);
insert into participants (conversation_id, user_id, other_id) values
  (1, 1, 2), (1, 2, 1), (2, 1, 3), (2, 3, 1), (4, 1, 5), (4, 5, 1), (5, 2, 6), (5, 6, 2), (6, 3, 4), (6, 4, 3);

insert into dm_messages (id, conversation_id, sender_id, recipient_id, content, nonce, created_at, edited_at, read_at,
  receipt_at) overriding system value values
  (1, 1, 1, 2, 'Hello Bob', null, '2026-02-01T10:00:00Z', null, '2026-02-01T10:05:00Z', null),
  (2, 1, 2, 1, 'Hello Alice', null, '2026-02-01T10:06:00Z', '2026-02-01T10:07:00Z', '2026-02-01T10:08:00Z', null),
  (3, 2, 1, 3, 'Carol?', null, '2026-02-02T10:00:00Z', null, null, null),
  (4, 2, 3, 1, 'Yes', null, '2026-02-02T10:01:00Z', null, '2026-02-02T10:02:00Z', null),
  (6, 4, 5, 1, 'I am leaving', null, '2026-02-03T10:00:00Z', null, null, null),
  (7, 4, 1, 5, 'A pity', null, '2026-02-03T10:01:00Z', null, null, null),
  -- Bob read this one before he blocked mallory, the next one after it, and the last one not at all.
  (8, 5, 6, 2, 'Hey', null, '2026-02-04T10:00:00Z', null, '2026-02-04T10:01:00Z', null),
  (9, 5, 6, 2, 'Hey!', null, '2026-02-04T10:02:00Z', null, '2026-02-04T10:03:00Z', 'infinity'),
  (10, 5, 6, 2, 'Hey!!', null, '2026-02-04T10:04:00Z', null, null, null),
  -- Receipts that came later than the reading.
  (11, 6, 3, 4, 'Once blocked', null, '2026-02-05T10:00:00Z', null, '2026-02-05T10:01:00Z', '2026-02-05T10:09:00Z'),
  (12, 1, 1, 2, 'A feather', 'feather', '2026-03-06T10:00:00Z', null, null, null),
  (15, 6, 4, 3, 'All is well', null, '2026-03-07T10:00:00Z', null, null, null);
select setval('dm_messages_id_seq', 20);
-- The second nonce's message has been deleted.
insert into dm_nonces (author_id, conversation_id, nonce, request_hash, message_id, created_at) values
  (1, 1, 'feather', sha256('["A feather",[2]]'), 12, now()),
  (1, 1, 'regretted', sha256('["Regretted",[]]'), 14, now());
update participants p set unread_count = (select count(*) from dm_messages d
  where d.conversation_id = p.conversation_id and d.recipient_id = p.user_id and d.read_at is null);
-- Alice hides Carol, and Dora hid Carol before she wrote again herself.
update participants set hidden_id = 4 where user_id = 1 and other_id = 3;
update participants set hidden_id = 11 where user_id = 4 and other_id = 3;

insert into files (id, uploader_id, message_id, dm_message_id, ordinal, filename, content_type, size, key, created_at)
overriding system value values
  (1, 3, 12, null, 1, 'owl.txt', 'text/plain', 3, 'files/1', '2026-03-05T10:00:00Z'),
  (2, 1, null, 12, 1, 'feather.txt', 'text/plain', 5, 'files/2', '2026-03-06T10:00:00Z'),
  (3, 1, null, null, 0, 'draft.txt', 'text/plain', 7, 'files/3', now()),
  (4, 6, null, 10, 1, 'hey.txt', 'text/plain', 9, 'files/4', '2026-02-04T10:04:00Z');
select setval('files_id_seq', 4);

insert into relations (low, high, bond, bond_since, low_blocked_at) values
  (1, 2, 'friends', '2026-01-02', null), (2, 6, 'none', '2026-02-04', '2026-02-04T10:02:30Z');
insert into events (type, topic, user_id, resource, body) values
  ('dm.created', 'user:2', 2, 'dm:12', '{"id":12,"sender_id":1,"recipient_id":2}');

delete from relations where 5 in (low, high);
update users set username = 'deleted:5', email = 'deleted:5', display_name = 'Deleted user', deleted_at = '2026-02-04'
  where id = 5;
