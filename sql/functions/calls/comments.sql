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
