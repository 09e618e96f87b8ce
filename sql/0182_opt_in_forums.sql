-- Forums, too, may be channels that members list by choice.
alter table channels drop constraint channels_opt_in_check,
  add constraint channels_opt_in_check check (opt_in_since is null or type in ('text', 'voice', 'forum'));
