-- kind: break
-- Stages: channels with a call in which few speak and many listen. `stage` is what a running one is about.
alter table channels
  add column stage json,
  drop constraint channels_type_check,
  add constraint channels_type_check
    check (type in ('text', 'voice', 'category', 'thread', 'dm', 'group', 'forum', 'stage')),
  add constraint stage_of_stage check (stage is null or type = 'stage'),
  drop constraint channels_opt_in_check,
  add constraint channels_opt_in_check
    check (opt_in_since is null or type in ('text', 'voice', 'forum', 'stage')),
  drop constraint channel_name_taken,
  add constraint channel_name_taken exclude using btree
    (server_id with =, coalesce(parent_id, 0::bigint) with =, name with =)
    where (type in ('text', 'voice', 'forum', 'stage')) deferrable;
