comment on table channels is 'Text and voice channels, forums, categories, dms, groups and threads, of which some are posts.';
comment on column channels.id is 'Primary key.';
comment on column channels.server_id is 'The server; null for dms and groups.';
comment on column channels.name is 'Name; empty for dms.';
comment on column channels.type is 'text, voice, stage, forum, category, dm, group or thread.';
comment on column channels.topic is 'What the channel is for.';
comment on column channels.position is 'Order in the category or server.';
comment on column channels.has_member_overwrites is
  'The channel or its category has overwrites for single members; kept by triggers.';
comment on column channels.restricted is
  'Not every member of the server sees it: its events have a topic of their own.';
comment on column channels.newest_deleted_id is
  'Largest id of a deleted message, so that last_message_id never falls.';
comment on column channels.created_at is 'When the row was made.';
comment on column channels.updated_at is 'Last change.';
comment on column channels.message_retention_days is
  'Messages older than this are deleted; null follows the server.';
comment on column channels.opt_in_since is 'Who joined the server later lists the channel only by choice.';
comment on column channels.pruned_before_id is 'Messages before this id were deleted by age.';
comment on column channels.parent_id is 'The category of a channel, or the channel of a thread.';
comment on column channels.owner_id is 'Who owns the group or thread.';
comment on column channels.icon_file_id is 'Picture of the group.';
comment on column channels.participant_count is 'Accounts in the group.';
comment on column channels.slowmode_seconds is 'Seconds between two messages of a member; 0 for none.';
comment on column channels.message_id is 'The message that the thread began at.';
comment on column channels.message_count is 'Messages in the thread.';
comment on column channels.archived_at is 'When the thread was archived.';
comment on column channels.locked is 'Only members with manage_threads write in the thread.';
comment on column channels.archive_after_seconds is 'The thread is archived after this time without messages.';
comment on column channels.audience_id is
  'The channel whose permissions and topic count: a thread''s parent, otherwise itself.';
comment on column channels.active_at is 'Last message in the thread, or when it was begun or brought back.';
comment on column channels.archive_active_at is
  'active_at of an archived thread, so that other threads change no index.';
comment on column channels.pin_count is 'Pinned messages; bounded by a constraint.';
comment on column channels.tags is 'Tags of a forum: [{id, name, emoji, moderated}].';
comment on column channels.tag_required is 'A new post of the forum needs a tag.';
comment on column channels.user_limit is 'People that a voice channel takes; null: no limit.';
comment on column channels.stage is 'What a running stage is about: its id, topic, the account that started it, and when; null: it does not run.';
comment on column channels.bitrate is 'Bits per second of each microphone in a voice channel; null: chosen by clients.';
comment on column channels.guidelines is 'What people read before they post in the forum.';
comment on column channels.default_sort is 'How the forum is sorted at first: latest, created or votes.';
comment on column channels.layout is 'How the forum is shown: list or gallery.';
comment on column channels.default_reaction is 'The reaction that counts as a vote in the forum.';
comment on column channels.post_slowmode_seconds is 'slowmode_seconds of new posts of the forum.';
comment on column channels.first_message_id is 'The message that is the content of the post.';
comment on column channels.tag_ids is 'Tags of the post, perhaps none; null for what is no post.';
comment on column channels.answer_message_id is 'The message that answers the post.';
comment on column channels.pinned is 'The post comes first in its forum.';
comment on column channels.votes is 'Accounts that gave the first message of the post the default reaction.';
comment on column channels.public_since is
  'Since then everybody reads the channel without an account, if its server is public; null: no.';
comment on column channels.public_older is 'So are messages from before that.';
comment on column channels.hidden is 'Only members with manage_threads see the post listed.';
comment on column channels.flipped_at is
  'When `restricted` last changed: a process that missed the notice reads it here.';

comment on table slowmode_marks is
  'When an account last wrote where slowmode is on. Deleting the message changes nothing.';
comment on column slowmode_marks.user_id is 'The account.';
comment on column slowmode_marks.channel_id is 'The channel.';
comment on column slowmode_marks.sent_at is 'When.';

comment on table notification_settings is 'What an account wants to be notified of, for a server, channel or category.';
comment on column notification_settings.id is 'Primary key.';
comment on column notification_settings.user_id is 'The account.';
comment on column notification_settings.server_id is 'The server.';
comment on column notification_settings.channel_id is 'The channel.';
comment on column notification_settings.level is 'all, mentions or nothing; of a forum also all_posts; null inherits.';
comment on column notification_settings.muted_until is 'Muted until then.';
comment on column notification_settings.listed is 'A channel to choose is listed; null: as its opt_in_since says.';
comment on column notification_settings.suppress_everyone is 'Ignore @everyone and @here; null inherits.';

comment on table read_marks is 'How far an account has read a channel.';
comment on column read_marks.user_id is 'The account.';
comment on column read_marks.channel_id is 'The channel.';
comment on column read_marks.message_id is 'Read up to this id.';
comment on column read_marks.moved_back is 'The account marked later messages as unread.';

comment on table thread_followers is 'Accounts that follow a thread.';
comment on column thread_followers.channel_id is 'The channel.';
comment on column thread_followers.user_id is 'The account.';

comment on table thread_changes is 'Threads whose changed counts are still to be published.';
comment on column thread_changes.channel_id is 'The channel.';
comment on column thread_changes.is_back is
  'The thread came back from the archive: clients must learn who follows it.';
comment on column thread_changes.hides is 'The post was hidden, which is still to be published to those who do not see it.';
comment on column thread_changes.is_told is 'The change was published.';
comment on column thread_changes.due_at is 'When to publish.';
comment on column thread_changes.called_ids is
  'Accounts that a mentioned role made followers and that have not been sent it.';
