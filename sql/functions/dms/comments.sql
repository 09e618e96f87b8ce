comment on table participants is 'Accounts in dms and groups.';
comment on column participants.channel_id is 'The channel.';
comment on column participants.user_id is 'The account.';
comment on column participants.other_id is 'The other account of a dm; null in a group.';
comment on column participants.last_message_id is 'Newest message of the dm.';
comment on column participants.unread_count is 'Unread messages of the dm.';
comment on column participants.hidden_id is 'The dm is hidden until a message after this id.';
comment on column participants.request is
  'What the account makes of a dm that a stranger began: waiting, ignored or accepted; null: no stranger did.';
comment on column participants.request_id is 'The newest message when that changed.';
comment on column participants.requested_at is 'When the stranger began it.';
comment on column participants.is_open is 'False while the dm has no message and the account did not open it.';
comment on column participants.joined_at is 'When the account came into the group.';

comment on table group_departures is 'Accounts that left a group or were removed: only its owner adds them again.';
comment on column group_departures.channel_id is 'The channel.';
comment on column group_departures.user_id is 'The account.';

comment on table group_nonces is 'Nonces of groups that were made, so that a repeated request makes one group.';
comment on column group_nonces.owner_id is 'Who made it.';
comment on column group_nonces.nonce is 'The client''s name for the request.';
comment on column group_nonces.request_hash is 'Hash of the request: another one with the nonce is refused.';
comment on column group_nonces.channel_id is 'The channel.';
comment on column group_nonces.created_at is 'When the row was made.';
