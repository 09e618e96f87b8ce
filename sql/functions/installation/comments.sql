comment on table migrations is 'Migrations that ran.';
comment on column migrations.name is 'File.';
comment on column migrations.digest is 'SHA-256 of its source.';
comment on column migrations.ran_at is 'When.';
comment on column migrations.version is 'Version of the program that ran it.';

comment on table installed_functions is 'Files of sql/functions as they are installed.';
comment on column installed_functions.name is 'File, without the ending.';
comment on column installed_functions.digest is 'SHA-256 of its source.';

comment on table secrets is 'Secrets that the processes of an installation share.';
comment on column secrets.name is 'Name.';
comment on column secrets.value is 'Value.';

comment on table installation_settings is 'Settings that operators change at run time.';
comment on column installation_settings.name is 'Name.';
comment on column installation_settings.value is 'Value.';

comment on table admin_log is 'What operators did.';
comment on column admin_log.id is 'Primary key.';
comment on column admin_log.created_at is 'When the row was made.';
comment on column admin_log.operator is 'Name of the operator, or of the command line.';
comment on column admin_log.action is 'What.';
comment on column admin_log.target_type is 'The kind of thing that was changed.';
comment on column admin_log.target_id is 'Its id.';
comment on column admin_log.changes is 'Details.';
comment on column admin_log.operator_id is 'The operator''s account.';

comment on table backups is 'Backups that the server made.';
comment on column backups.id is 'Primary key.';
comment on column backups.at is 'When it began.';
comment on column backups.finished_at is 'When it was complete.';
comment on column backups.kind is 'manual, automatic or upgrade.';
comment on column backups.file is 'Name of the file.';
comment on column backups.bytes is 'Size.';
comment on column backups.is_encrypted is 'Under a passphrase.';
comment on table backup_checks is 'Checks of backups by VERIFY_EVERY.';
comment on column backup_checks.id is 'Primary key.';
comment on column backup_checks.at is 'When it ended.';
comment on column backup_checks.file is 'Name of the file in BACKUP_DIR.';
comment on column backup_checks.problem is 'Why the backup is not intact; null if it is.';

comment on table samples is 'Figures of the operator''s page, a row a minute, thinned out with age.';
comment on column samples.at is 'When.';
comment on column samples.seconds is 'Seconds that the row covers.';
comment on column samples.sockets is 'Open sockets.';
comment on column samples.requests is 'Requests.';
comment on column samples.failures is 'Answers with 5xx.';
comment on column samples.lag_ms is 'Largest delay of the event loop.';
comment on column samples.memory_bytes is 'Resident memory.';
comment on column samples.messages is 'Messages sent.';
comment on column samples.free_bytes is 'Free bytes of DATA_DIR.';
comment on column samples.accounts is 'Accounts.';
comment on column samples.database_bytes is 'Size of the database.';

comment on table imports is 'Imports from Discord.';
comment on column imports.id is 'Primary key.';
comment on column imports.server_id is 'The server.';
comment on column imports.source is 'Id of the source.';
comment on column imports.begun_at is 'When.';
comment on column imports.finished_at is 'When it was complete.';

comment on table import_parts is 'What an import made of each part of the source.';
comment on column import_parts.import_id is 'The import.';
comment on column import_parts.kind is 'channel, author, role or emoji.';
comment on column import_parts.source is 'Id in the source.';
comment on column import_parts.target_id is 'Id here.';
comment on column import_parts.done_until is 'Of a channel: the last imported message, by its id in the source.';

comment on table import_messages is 'Imported messages, for replies and repeated runs.';
comment on column import_messages.import_id is 'The import.';
comment on column import_messages.source is 'Id in the source.';
comment on column import_messages.message_id is 'The message.';
