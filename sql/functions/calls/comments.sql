comment on table calls is 'Calls in dms and groups.';
comment on column calls.channel_id is 'The channel.';
comment on column calls.started_by is 'Who began it.';
comment on column calls.started_at is 'When.';
comment on column calls.participant_ids is 'Everybody who was in it.';
comment on column calls.rung_at is 'When it last rang the others.';
comment on column calls.alive_at is 'Last sign of the process that holds it.';
comment on column calls.ended_at is 'When it ended.';

comment on table call_rings is 'Accounts that a call rings.';
comment on column call_rings.user_id is 'The account.';
comment on column call_rings.channel_id is 'The channel.';
comment on column call_rings.until is 'When the ringing ends.';
comment on column call_rings.silent is 'The account does not want to be disturbed by the caller.';

comment on table device_logs is 'The newest state of each account''s log of devices for encrypted calls.';
comment on column device_logs.user_id is 'The account.';
comment on column device_logs.length is 'Changes so far, including those that are no longer kept.';
comment on column device_logs.head is 'Hash of the last change, which commits to all before it; zeros: none.';
comment on column device_logs.keys is 'Public keys of the devices after the last change, in ascending order.';

comment on table device_log_entries is 'The last changes in the logs of devices.';
comment on column device_log_entries.user_id is 'The account.';
comment on column device_log_entries.position is 'Number of the change, from 1.';
comment on column device_log_entries.is_added is 'The device was added; otherwise it was removed.';
comment on column device_log_entries.key is 'Public key of the device.';
comment on column device_log_entries.head is 'Head of the log after this change.';
comment on column device_log_entries.created_at is 'When the change was logged.';
