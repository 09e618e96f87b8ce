comment on table scheduled_messages is 'Messages that are sent at a later time.';
comment on column scheduled_messages.id is 'Primary key; the message gets the nonce scheduled:<id>.';
comment on column scheduled_messages.author_id is 'Who wrote it.';
comment on column scheduled_messages.channel_id is 'Where it goes; null once the channel is deleted.';
comment on column scheduled_messages.content is 'Text.';
comment on column scheduled_messages.reply_to_id is 'The message that it answers.';
comment on column scheduled_messages.reply_mention is 'The reply mentions the author of what it answers.';
comment on column scheduled_messages.nonce is 'The client''s name for the request, so that a repeated one adds nothing.';
comment on column scheduled_messages.send_at is 'When to send it.';
comment on column scheduled_messages.state is
  'waiting; held, until the author confirms it; or returned, because it could not be sent.';
comment on column scheduled_messages.reason is 'Error code of the refused send.';
comment on column scheduled_messages.version is 'Counts changes, so that a send never takes an earlier text.';
comment on column scheduled_messages.due_at is 'When a process may try; after a claim, when another one may.';
comment on column scheduled_messages.attempts is 'Attempts so far.';
comment on column scheduled_messages.created_at is 'When the row was made.';
