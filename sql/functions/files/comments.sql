comment on table files is 'Uploaded files, in messages, or as avatars and icons.';
comment on column files.id is 'Primary key.';
comment on column files.uploader_id is 'Who uploaded it.';
comment on column files.message_id is 'The message that carries it.';
comment on column files.scheduled_id is 'The scheduled message that it waits with.';
comment on column files.ordinal is 'Order in the message.';
comment on column files.filename is 'Name for downloads.';
comment on column files.content_type is 'Media type, as the server recognised it.';
comment on column files.size is 'Bytes.';
comment on column files.width is 'Pixels, of a picture.';
comment on column files.height is 'Pixels, of a picture.';
comment on column files.key is 'Where the bytes are in the object store.';
comment on column files.thumbnail_key is 'Where the thumbnail is.';
comment on column files.created_at is 'When the row was made.';
comment on column files.duration_ms is 'Length of a sound.';
comment on column files.waveform is 'Loudness of a sound over time.';
comment on column files.alt is 'What it shows, for those who do not see it.';
comment on column files.copied_from is 'The file at the beginning of a chain of copies, for a forward''s file.';
comment on column files.keeps_metadata is 'The uploader wanted place, camera and the like to stay in it.';

comment on table favourites is 'Pictures that accounts keep for themselves.';
comment on column favourites.id is 'Primary key.';
comment on column favourites.user_id is 'The account.';
comment on column favourites.file_id is 'Its copy of the picture.';
comment on column favourites.source_id is 'The file that was copied; it may be gone.';
comment on column favourites.created_at is 'When the row was made.';

comment on table file_cleanings is 'Files from before version 0.16 whose metadata an operator wants removed.';
comment on column file_cleanings.file_id is 'The file.';
comment on column file_cleanings.due_at is 'Next attempt.';
comment on column file_cleanings.attempts is 'Attempts so far.';

comment on table uploads is 'Uploads that have a URL and no file yet.';
comment on column uploads.key is 'Where the bytes go in the object store.';
comment on column uploads.user_id is 'The account.';
comment on column uploads.filename is 'Name that was asked for.';
comment on column uploads.content_type is 'Media type that was asked for.';
comment on column uploads.size is 'Bytes that were asked for; the URL takes no more.';
comment on column uploads.created_at is 'When the row was made.';
comment on column uploads.expires_at is 'When the URL ends.';

comment on table object_outbox is 'Objects to delete. A later due_at protects an object that is being made.';
comment on column object_outbox.key is 'The object.';
comment on column object_outbox.due_at is 'When to delete it.';
comment on column object_outbox.attempts is 'Failed attempts.';
