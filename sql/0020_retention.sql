-- How long messages are kept: a server and a channel may say so, beside the operator; the shortest time counts.

alter table servers
  add column message_retention_days int check (message_retention_days between 1 and 36500);
alter table channels
  add column message_retention_days int check (message_retention_days between 1 and 36500),
  -- Messages with smaller ids have been deleted by their age.
  add column pruned_before_id bigint;

create index files_by_age on files (created_at);
