comment on table emojis is 'Custom emoji of servers.';
comment on column emojis.id is 'Primary key.';
comment on column emojis.server_id is 'The server.';
comment on column emojis.name is 'Name between the colons.';
comment on column emojis.key is 'Where the picture is in the object store.';
comment on column emojis.creator_id is 'Who made it.';
comment on column emojis.created_at is 'When the row was made.';
comment on column emojis.deleted_at is 'When it was deleted; messages that use it still show it.';
comment on column emojis.size is 'Bytes of the picture, which count for the server; 0 for an emoji from before.';
