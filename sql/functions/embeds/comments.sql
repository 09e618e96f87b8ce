comment on table webhooks is 'Webhooks: other programs write in a channel by a URL.';
comment on column webhooks.id is 'The account that writes.';
comment on column webhooks.channel_id is 'The channel.';
comment on column webhooks.creator_id is 'Who made or renewed the URL.';
comment on column webhooks.mentions_everyone is 'The creator may mention everyone, so may the webhook.';
comment on column webhooks.created_at is 'When the row was made.';

comment on table webhook_tokens is 'Secrets of the URLs.';
comment on column webhook_tokens.webhook_id is 'The webhook.';
comment on column webhook_tokens.hash is 'SHA-256 of the token.';

comment on table preview_jobs is 'Messages whose links are to be fetched.';
comment on column preview_jobs.message_id is 'The message.';
comment on column preview_jobs.author_id is 'Whose share of the queue the job takes.';
comment on column preview_jobs.queued_at is 'Set anew when the message changes.';
comment on column preview_jobs.due_at is 'Next attempt, or when another process may take the job over.';
comment on column preview_jobs.attempts is 'Attempts so far.';

comment on table preview_pages is 'What a page gave for its preview, for an hour.';
comment on column preview_pages.hash is 'SHA-256 of the address.';
comment on column preview_pages.asked_by is 'Whose link caused the request.';
comment on column preview_pages.fetched_at is 'When.';
comment on column preview_pages.leased_until is 'A process fetches it until then.';
comment on column preview_pages.preview is 'Title, text and the like; null if the page gave nothing.';
comment on column preview_pages.picture_id is 'Its picture.';

comment on table preview_pictures is 'Pictures of previews, made anew by the server.';
comment on column preview_pictures.id is 'Primary key.';
comment on column preview_pictures.key is 'Where the picture is in the object store.';
comment on column preview_pictures.width is 'Pixels.';
comment on column preview_pictures.height is 'Pixels.';
comment on column preview_pictures.created_at is 'When the row was made.';
comment on column preview_pictures.url_hash is 'SHA-256 of its address.';
comment on column preview_pictures.bytes_hash is 'SHA-256 of its bytes: equal pictures are stored once.';

comment on table preview_picture_checks is 'Pictures that may be unused by now.';
comment on column preview_picture_checks.id is 'Primary key.';
comment on column preview_picture_checks.picture_id is 'The picture.';
comment on column preview_picture_checks.due_at is 'When to look.';

comment on table preview_position is 'How far the event log has been read for links. One row.';
comment on column preview_position.single is 'Always true: there is one row.';
comment on column preview_position.xid is 'Transaction of the last event.';
comment on column preview_position.id is 'Primary key.';

comment on table wanted_pictures is 'Pictures that a webhook''s message names and the server has to fetch.';
comment on column wanted_pictures.message_id is 'The message.';
comment on column wanted_pictures.at is 'Number of the embed.';
comment on column wanted_pictures.place is 'image, thumbnail or avatar.';
comment on column wanted_pictures.url is 'Address.';
comment on column wanted_pictures.author_id is 'Whose share of the queue it takes.';
