-- Channels that members list by choice.
alter table channels add column opt_in_since timestamptz(3)
  constraint channels_opt_in_check check (opt_in_since is null or type in ('text', 'voice'));
alter table notification_settings add column listed boolean;
