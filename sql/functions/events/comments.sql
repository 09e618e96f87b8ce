comment on table events is 'The event log: durable events, from which clients resume and processes catch up.';
comment on column events.id is 'Primary key.';
comment on column events.xid is 'Transaction that wrote it.';
comment on column events.xmin_then is 'Oldest running transaction at that time: what a reader could not see yet.';
comment on column events.created_at is 'When the row was made.';
comment on column events.type is 'Type of the event.';
comment on column events.topic is 'Topic that it is published to.';
comment on column events.user_id is 'Account that receives it, for events of one account.';
comment on column events.server_id is 'The server.';
comment on column events.channel_id is 'The channel.';
comment on column events.resource is
  'The message, channel or the like that it is about: deleting that empties the event.';
comment on column events.body is 'The event as sent; null once it has been emptied.';

comment on table event_log_origin is 'The database system that the event log belongs to. A log restored elsewhere is emptied. One row.';
comment on column event_log_origin.single is 'Always true: there is one row.';
comment on column event_log_origin.system_identifier is 'PostgreSQL''s identifier of the cluster.';
comment on column event_log_origin.since is 'When the log began.';
