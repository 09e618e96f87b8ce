comment on table push_subscriptions is 'Devices that get notices by Web Push.';
comment on column push_subscriptions.id is 'Primary key.';
comment on column push_subscriptions.session_id is 'The session of the device; the subscription ends with it.';
comment on column push_subscriptions.user_id is 'The account.';
comment on column push_subscriptions.endpoint is 'Address at the push service.';
comment on column push_subscriptions.p256dh is 'The device''s public key.';
comment on column push_subscriptions.auth is 'The device''s shared secret.';
comment on column push_subscriptions.created_at is 'When the row was made.';
comment on column push_subscriptions.failing_since is
  'Since when the push service has taken nothing; null if the last attempt worked.';

comment on table push_settings is 'What an account wants on its devices.';
comment on column push_settings.user_id is 'The account.';
comment on column push_settings.hide_content is 'Leave out names and text.';
comment on column push_settings.quiet_hours is 'Hours without notices.';

comment on table push_places is 'Unread channels of accounts with devices.';
comment on column push_places.user_id is 'The account.';
comment on column push_places.channel_id is 'The channel.';
comment on column push_places.due_at is 'When to decide; null until something happens.';
comment on column push_places.told_id is 'Newest message that the account was notified of; 0 for none.';
comment on column push_places.changed_at is 'Last change.';

comment on table push_outbox is 'Notices that wait to be sent.';
comment on column push_outbox.id is 'Primary key.';
comment on column push_outbox.subscription_id is 'The device.';
comment on column push_outbox.channel_id is 'The channel.';
comment on column push_outbox.kind is 'message, call, reminder, event, promoted, or over (withdraws the one before).';
comment on column push_outbox.is_call is 'It rings.';
comment on column push_outbox.remind_id is 'The saved message of a reminder, and of its end; 0 for others.';
comment on column push_outbox.message_id is 'The message.';
comment on column push_outbox.event_id is 'The event of a reminder or of a place that became free; 0 for others.';
comment on column push_outbox.event_n is 'The date of the event.';
comment on column push_outbox.due_at is 'Next attempt.';
comment on column push_outbox.expires_at is 'After this nobody needs it.';
comment on column push_outbox.attempts is 'Attempts so far.';

comment on table push_position is 'How far the event log has been read for notices. One row.';
comment on column push_position.single is 'Always true: there is one row.';
comment on column push_position.xid is 'Transaction of the last event.';
comment on column push_position.id is 'Primary key.';
