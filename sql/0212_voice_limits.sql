-- How many people a voice channel takes, and the bits per second of each microphone.
alter table channels
  add column user_limit smallint check (user_limit between 1 and 99),
  add column bitrate int check (bitrate between 8000 and 384000),
  add constraint voice_has_limits check (type = 'voice' or num_nonnulls(user_limit, bitrate) = 0);
