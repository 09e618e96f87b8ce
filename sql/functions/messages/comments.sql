comment on table messages is 'Messages of all channels.';
comment on column messages.id is 'Primary key.';
comment on column messages.channel_id is 'The channel.';
comment on column messages.kind is 'default, or a notice such as joined, pinned or call.';
comment on column messages.author_id is 'Author: a person, a bot or a webhook.';
comment on column messages.content is 'Text.';
comment on column messages.mention_ids is 'Accounts that the text mentions.';
comment on column messages.reply_to_id is 'The message that it answers; kept after that one is gone.';
comment on column messages.nonce is 'The client''s name for the send.';
comment on column messages.created_at is 'When the row was made.';
comment on column messages.edited_at is 'Last edit.';
comment on column messages.recipient_id is 'The other account, in a dm.';
comment on column messages.read_at is 'When the recipient read it, in a dm.';
comment on column messages.receipt_at is 'When the sender heard of that, where it differs: infinity until then.';
comment on column messages.mention_role_ids is 'Roles that the text mentions.';
comment on column messages.mention_everyone is 'The text mentions everyone.';
comment on column messages.mention_here is 'The text mentions here.';
comment on column messages.reply_mention is 'The reply mentions the author of what it answers.';
comment on column messages.pinned_at is 'When it was pinned.';
comment on column messages.began_thread is 'A thread began at it.';
comment on column messages.forwarded_id is 'The message that it forwards; kept after that one is gone.';
comment on column messages.forwarded is 'Text and emoji of the forwarded message as of the forward.';
comment on column messages.data is 'Facts of a notice, or components of a bot''s message.';
comment on column messages.reacted is 'It has reactions.';
comment on column messages.embeds is 'Cards: of a webhook or bot, or previews of links.';
comment on column messages.embeds_suppressed is 'Somebody removed the previews.';
comment on column messages.previewed_version is
  'The version, by time of sending or edit, whose links have been fetched.';
comment on column messages.author_name is 'Name of the author in this message, of a webhook or import.';
comment on column messages.polled is 'It has a poll.';
comment on column messages.sticker_id is 'Its sticker, which may be gone.';
comment on column messages.calls_by_edit is
  'Roles that edits added (0 for everyone, -1 for here): they push no notice.';

comment on table forward_checks is 'Deleted messages and files of which forwards and copies may have to be emptied.';
comment on column forward_checks.id is 'Primary key.';
comment on column forward_checks.original_id is 'The message; null for a file.';
comment on column forward_checks.file_id is 'The file; null for a message.';
comment on column forward_checks.due_at is 'When to look.';

comment on table message_nonces is 'Nonces of the last day, so that a repeated send answers the first message.';
comment on column message_nonces.author_id is 'Who sent it.';
comment on column message_nonces.channel_id is 'The channel.';
comment on column message_nonces.nonce is 'The client''s name for the send.';
comment on column message_nonces.request_hash is 'Hash of the request: another one with the nonce is refused.';
comment on column message_nonces.message_id is 'The message.';
comment on column message_nonces.created_at is 'When the row was made.';

comment on table mentions is 'Mentions of accounts by name or reply.';
comment on column mentions.channel_id is 'The channel.';
comment on column mentions.message_id is 'The message.';
comment on column mentions.user_id is 'The account.';
comment on column mentions.by_edit is 'An edit brought the mention: it pushes no notice.';

comment on table message_emojis is 'Custom emoji that a message shows.';
comment on column message_emojis.message_id is 'The message.';
comment on column message_emojis.emoji_id is 'The emoji.';

comment on table message_pictures is 'Pictures that previews of a message use.';
comment on column message_pictures.message_id is 'The message.';
comment on column message_pictures.picture_id is 'The picture.';

comment on table message_reactions is 'Who reacted to a message with what.';
comment on column message_reactions.message_id is 'The message.';
comment on column message_reactions.emoji is 'The emoji, or the id of a custom one.';
comment on column message_reactions.user_id is 'The account.';
comment on column message_reactions.created_at is 'When the row was made.';

comment on table reaction_counts is 'How many reacted with an emoji.';
comment on column reaction_counts.id is 'New when the first of an emoji comes again after the last one went.';
comment on column reaction_counts.message_id is 'The message.';
comment on column reaction_counts.emoji is 'The emoji, or the id of a custom one.';
comment on column reaction_counts.count is 'How many.';

comment on table saved_messages is 'Messages that accounts have saved for later.';
comment on column saved_messages.user_id is 'The account.';
comment on column saved_messages.message_id is 'The message.';
comment on column saved_messages.note is 'The account''s note.';
comment on column saved_messages.remind_at is 'When to remind the account; in the past, until it deals with that.';
comment on column saved_messages.is_announced is 'The event of the due reminder has been sent.';
comment on column saved_messages.saved_at is 'When it was saved first.';
