comment on table servers is 'Communities.';
comment on column servers.public is 'Channels of the server may be public pages.';
comment on column servers.public_indexed is 'Search engines may list its public pages.';
comment on column servers.id is 'Primary key.';
comment on column servers.name is 'Name.';
comment on column servers.description is 'What the server is about.';
comment on column servers.owner_id is 'The owner; null once the server is deleted and its content waits to go.';
comment on column servers.icon_file_id is 'Picture of the server.';
comment on column servers.member_count is 'Members; bounded by a constraint.';
comment on column servers.channel_count is 'Text and voice channels; bounded by a constraint.';
comment on column servers.created_at is 'When the row was made.';
comment on column servers.updated_at is 'Last change.';
comment on column servers.role_count is 'Roles; bounded by a constraint.';
comment on column servers.message_retention_days is 'Messages older than this are deleted; null keeps them.';
comment on column servers.category_count is 'Categories; bounded by a constraint.';
comment on column servers.system_channel_id is 'Text channel in which new members are announced.';
comment on column servers.afk_channel_id is 'Voice channel for members who are idle in a call; null: none.';
comment on column servers.afk_minutes is 'Minutes without speech or input after which a member is idle.';
comment on column servers.calls_encryption is
  'End-to-end encryption of its calls: required, preferred (if all members can) or off.';
comment on column servers.default_notifications is
  'Level of members who have chosen none: all, mentions or nothing.';

comment on column servers.appeal_contact is 'Whom to ask about decisions of moderators; shown to banned accounts too.';
comment on column servers.verification is 'Who may write right after joining: none, mail, account_minutes or member_minutes.';
comment on column servers.verification_minutes is 'The age of the account or membership that is needed.';

comment on column servers.rules_version is 'Version of the rules; null: none.';

comment on table server_rules is 'Rules that new members accept.';
comment on column server_rules.server_id is 'The server.';
comment on column server_rules.content is 'Markdown; empty: no rules.';
comment on column server_rules.version is 'Grows with each change.';
comment on column server_rules.updated_at is 'When they were changed last.';

comment on table members is 'Accounts in servers.';
comment on column members.rules_version is 'Newest version of the rules that the member has accepted; null: none.';
comment on column members.is_arriving is 'The member has not accepted the rules or answered the required questions since it joined.';
comment on column members.is_guest is 'The account is a guest, whose permissions are masked.';
comment on column members.server_id is 'The server.';
comment on column members.user_id is 'The account.';
comment on column members.joined_at is 'When.';
comment on column members.voice_muted is 'A moderator muted the member in calls.';
comment on column members.voice_deafened is 'A moderator deafened the member in calls.';
comment on column members.nickname is 'Name in this server.';
comment on column members.floor_id is
  'Messages up to this id count as read: they were there before the member joined.';
comment on column members.camera_stopped is 'A moderator stopped the member''s camera.';
comment on column members.held_back is
  'Why the member only looks and reads: pending, unverified or quarantined; null for other members.';

comment on table quarantines is
  'Accounts that are quarantined in a server, also after they left it or were deleted.';
comment on column quarantines.server_id is 'The server.';
comment on column quarantines.user_id is 'The account.';
comment on column quarantines.until is 'When it ends; null until a moderator lifts it.';
comment on column quarantines.created_at is 'When it began.';

comment on table onboardings is 'Questions to new members.';
comment on column onboardings.server_id is 'The server.';
comment on column onboardings.questions is 'A list of questions with their options.';
comment on column onboardings.next_id is 'Above the ids of its questions and options, also of deleted ones.';
comment on column onboardings.is_required is 'One of the questions has to be answered.';

comment on table chosen_options is 'Answers of members.';
comment on column chosen_options.server_id is 'The server.';
comment on column chosen_options.user_id is 'The account.';
comment on column chosen_options.option_id is 'The option.';

comment on table welcomes is 'What new members of a server see first.';
comment on column welcomes.server_id is 'The server.';
comment on column welcomes.content is 'A text.';
comment on column welcomes.channels is 'Up to five channels, each with an emoji and a line.';

comment on table bans is 'Accounts that may not join a server.';
comment on column bans.server_id is 'The server.';
comment on column bans.user_id is 'The account.';
comment on column bans.reason is 'Shown to the account and to moderators.';
comment on column bans.banned_by is 'The moderator.';
comment on column bans.created_at is 'When the row was made.';
comment on column bans.until is 'When it ends; null for one without end.';
comment on column bans.was_member is 'The account was a member when it was banned; others do not read of it.';

comment on table ban_sweeps is 'Banned accounts whose last messages are being deleted.';
comment on column ban_sweeps.server_id is 'The server.';
comment on column ban_sweeps.user_id is 'The account.';
comment on column ban_sweeps.actor_id is 'The moderator, who stands in the audit log.';
comment on column ban_sweeps.since is 'Messages from this time on are deleted.';
comment on column ban_sweeps.before_id is 'Messages from this id on are deleted already.';

comment on table author_prunes is 'Messages of one author that a moderator deletes; a row goes when its work is done.';
comment on column author_prunes.id is 'Primary key.';
comment on column author_prunes.server_id is 'The server.';
comment on column author_prunes.user_id is 'The author.';
comment on column author_prunes.actor_id is 'The moderator, who stands in the audit log.';
comment on column author_prunes.channel_ids is
  'Channels in which the moderator saw and managed messages; of a thread, its parent.';
comment on column author_prunes.since is 'Messages from this time on are deleted.';
comment on column author_prunes.until_id is 'Messages from this id on stay: they came later.';
comment on column author_prunes.before_id is 'Messages from this id on are deleted already.';

comment on table timeouts is 'Members who may only read for a while.';
comment on column timeouts.server_id is 'The server.';
comment on column timeouts.user_id is 'The account.';
comment on column timeouts.until is 'When it ends.';

comment on table invites is 'Links to join a server.';
comment on column invites.id is 'Primary key.';
comment on column invites.code is 'The part of the link.';
comment on column invites.server_id is 'The server.';
comment on column invites.creator_id is 'Who made it.';
comment on column invites.expires_at is 'When it ends; null never.';
comment on column invites.max_uses is 'Joins at most; 0 for any number.';
comment on column invites.role_id is 'A self-assignable role that it gives.';
comment on column invites.guest is 'People may come by it without an account, as guests.';
comment on column invites.temporary is 'The membership ends after a call or a day; null: it stays.';
comment on column invites.uses is 'Joins so far.';
comment on column invites.deleted_at is 'When it was deleted.';
comment on column invites.created_at is 'When the row was made.';

comment on table audit_log is 'What moderators and managers did in a server.';
comment on column audit_log.id is 'Primary key.';
comment on column audit_log.server_id is 'The server.';
comment on column audit_log.actor_id is 'Who.';
comment on column audit_log.action is 'What, such as role.updated.';
comment on column audit_log.target_type is 'The kind of thing that was changed.';
comment on column audit_log.target_id is 'Its id.';
comment on column audit_log.target_created_at is
  'When it was made, as far as the change knew that; null for the role everyone.';
comment on column audit_log.changes is 'Fields with the values before and after.';
comment on column audit_log.created_at is 'When the row was made.';
comment on column members.held_until is 'When a member who is held back is let in; null until somebody does.';
comment on column quarantines.by_raid is 'Ends with the raid.';

comment on table raid_guards is 'How servers notice raids, and raids that are going on.';
comment on column raid_guards.server_id is 'The server.';
comment on column raid_guards.alert_channel_id is 'Where moderators are alerted; null: raid mode never begins by itself.';
comment on column raid_guards.raid_joins is 'Joins that are allowed within raid_seconds.';
comment on column raid_guards.raid_seconds is 'The period in which joins are counted.';
comment on column raid_guards.raid_minutes is 'How long raid mode lasts.';
comment on column raid_guards.until is 'Until then nobody joins.';
comment on column raid_guards.since is 'The first join of the raid.';

comment on table server_joins is 'Joins of the last day, also of accounts that have left.';
comment on column server_joins.server_id is 'The server.';
comment on column server_joins.user_id is 'The account.';
comment on column server_joins.joined_at is 'The latest join.';

comment on table prunes is 'Removals of many members.';
comment on column prunes.id is 'Primary key.';
comment on column prunes.server_id is 'The server.';
comment on column prunes.actor_id is 'The moderator.';
comment on column prunes.action is 'kick or ban.';
comment on column prunes.reason is 'Reason; null for none.';
comment on column prunes.user_ids is 'Members who are still to be removed.';
comment on column prunes.token_hash is 'SHA-256 of the token that begins it.';
comment on column prunes.is_begun is 'False after the dry run.';
comment on column prunes.created_at is 'When the row was made.';

comment on column members.was_unverified is 'The quarantine began while the member was not verified.';

comment on table verification_sweeps is 'Servers whose members are judged anew after a change of verification.';
comment on column verification_sweeps.server_id is 'The server.';
comment on column verification_sweeps.binds_all is 'Members who are not held back are judged too.';
comment on column verification_sweeps.after_id is 'The last member that was judged.';

comment on table temporary_members is 'Members who came by an invite for a call or a day.';
comment on column temporary_members.server_id is 'The server.';
comment on column temporary_members.user_id is 'The account.';
comment on column temporary_members.ends is 'What it came for: call or day.';
comment on column temporary_members.due_at is 'When the member is removed; calls that go on postpone it.';

comment on table guests is 'Accounts that are guests.';
comment on column guests.user_id is 'The account.';
comment on column guests.server_id is 'The one server that it is in.';
comment on column guests.address is 'Keyed hash of the server and the address that it came from.';

comment on table guest_doors is 'Addresses from which a server lets in no guests, after a guest was kicked or banned.';
comment on column guest_doors.server_id is 'The server.';
comment on column guest_doors.address is 'Keyed hash of the server and the address.';
comment on column guest_doors.until is 'When guests may come from there again.';

comment on table server_assets is 'Bytes of the pictures and sounds of servers; bounded by a constraint.';
comment on column server_assets.server_id is 'The server.';
comment on column server_assets.bytes is 'Bytes of its emoji, stickers, sounds, banners, role and event pictures.';
comment on column server_assets.bytes_max is 'SERVER_ASSETS_BYTES_MAX at the last charge.';

comment on table server_files is 'Files of accounts that count for a server too, because it shows them.';
comment on column server_files.file_id is 'The file.';
comment on column server_files.server_id is 'The server.';
comment on column server_files.size is 'Bytes that were counted.';
