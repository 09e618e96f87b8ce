comment on table search_documents is 'Index terms of a message.';
comment on column search_documents.message_id is 'The message.';
comment on column search_documents.place_id is 'Channel, dm or group whose readers may find it.';
comment on column search_documents.created_at is 'When the row was made.';
comment on column search_documents.thread_id is 'The thread, for a message in one.';
comment on column search_documents.terms is 'Terms, in the order of the text.';

comment on table search_progress is 'How far the index is. One row.';
comment on column search_progress.is_only is 'Always true: there is one row.';
comment on column search_progress.log_since is 'Beginning of the event log that was read.';
comment on column search_progress.xid is 'Transaction of the last event that was indexed.';
comment on column search_progress.event_id is 'The last event that was indexed.';
comment on column search_progress.below_id is 'Older messages are indexed down to this id; null when done.';
comment on column search_progress.above_id is 'Down to here they are indexed anew; null for all.';
comment on column search_progress.rules is
  'Version of the rules by which terms are made; others than the program''s are made anew.';
comment on column search_progress.whole_rules is 'Rules that every document meets; null while they are made anew.';
