comment on table users is
  'Accounts: people, bots and webhooks. A deleted account keeps its row, without personal data.';
comment on column users.public_name is 'Public pages show the name of the account.';
comment on column users.id is 'Primary key.';
comment on column users.username is 'Login name, visible only to the owner.';
comment on column users.email is 'Address for login and mail, visible only to the owner.';
comment on column users.password_hash is 'argon2id; null for bots, webhooks and accounts that log in elsewhere.';
comment on column users.display_name is 'Name that everybody sees.';
comment on column users.avatar_file_id is 'Picture of the account.';
comment on column users.server_count is 'Servers that the account is a member of; bounded by a constraint.';
comment on column users.created_at is 'When the row was made.';
comment on column users.updated_at is 'Last change of the profile.';
comment on column users.stored_bytes is 'Bytes of the account''s files.';
comment on column users.dms_from is 'Who may write direct messages to the account: everyone, servers or friends.';
comment on column users.requests is 'Direct messages of strangers wait as requests; dms_from then does not matter.';
comment on column users.friend_requests_from is 'Who may ask the account to be friends.';
comment on column users.friend_count is 'Friends and requests, in either direction; bounded by a constraint.';
comment on column users.block_count is 'Accounts that this one blocks.';
comment on column users.deleted_at is 'When the account was deleted.';
comment on column users.living_id is
  'The id while the account exists. Rows that refer to it go when the account is deleted.';
comment on column users.suspended_at is 'When an operator suspended the account.';
comment on column users.suspended_reason is 'Why; shown to its owner.';
comment on column users.group_count is 'Groups that the account is in.';
comment on column users.link_previews is 'Whether links in its direct messages get previews.';
comment on column users.kind is 'person, bot, webhook, imported or guest.';
comment on column users.guest_until is 'When the account of a guest ends; null for all others.';
comment on column users.email_verified_at is 'When a link proved that the address is the account''s.';
comment on column users.verification_required is 'Registered while EMAIL_VERIFICATION was `required`.';
comment on column users.operator_since is 'When the account became an operator; null for all others.';
comment on column users.own_status is 'The status that the account chose; null until it chooses one.';
comment on column users.status_text is 'What the account says with its status.';
comment on column users.status_emoji is 'The emoji next to it.';
comment on column users.status_until is 'When the chosen status ends.';
comment on column users.status_set_at is 'When it was chosen, ms since the epoch; each choice has a greater number.';

comment on table dnd_callers is 'Friends whose calls ring while the account does not want to be disturbed.';
comment on column dnd_callers.user_id is 'The account.';
comment on column dnd_callers.caller_id is 'The friend.';

comment on table profiles is 'What accounts say about themselves, besides name and picture.';
comment on column profiles.user_id is 'The account.';
comment on column profiles.bio is 'Text with line breaks.';
comment on column profiles.pronouns is 'Pronouns; null: none.';

comment on table banners is 'Pictures above profiles.';
comment on column banners.id is 'Primary key.';
comment on column banners.user_id is 'The account.';
comment on column banners.key is 'Unguessable last part of its URL; its object is banners/<key>.';
comment on column banners.size is 'Bytes.';
comment on column banners.width is 'Pixels.';
comment on column banners.height is 'Pixels.';
comment on column banners.file_id is 'The upload that it was made from, which is gone.';
comment on column banners.created_at is 'When the row was made.';

comment on table sessions is 'Logins. The token itself is not stored: `ver` and `refreshed_at` make it.';
comment on column sessions.id is 'Primary key.';
comment on column sessions.user_id is 'The account.';
comment on column sessions.ver is 'Version of the token; a refresh adds one.';
comment on column sessions.created_at is 'When the row was made.';
comment on column sessions.refreshed_at is 'When the current token was issued.';
comment on column sessions.last_used_at is 'About when the session was last used.';
comment on column sessions.expires_at is 'When the token ends.';
comment on column sessions.user_agent is 'The device, as the browser names itself.';
comment on column sessions.ip is 'Address of the login.';
comment on column sessions.proven_at is 'When the session last proved who uses it.';
comment on column sessions.device_key is 'Public key (Ed25519) of the device, by which it confirms its part in encrypted calls.';

comment on table ws_tickets is 'One-time tickets with which a browser opens a WebSocket.';
comment on column ws_tickets.hash is 'SHA-256 of the ticket.';
comment on column ws_tickets.session_id is 'The session that the socket belongs to.';
comment on column ws_tickets.expires_at is 'When the ticket ends.';

comment on table known_addresses is
  'Addresses that an account has logged in from. Failures from elsewhere do not lock them out.';
comment on column known_addresses.user_id is 'The account.';
comment on column known_addresses.ip is 'The address.';
comment on column known_addresses.seen_at is 'Last login from it.';

comment on table known_devices is 'Devices that an account has logged in from; others are reported to the account.';
comment on column known_devices.user_id is 'The account.';
comment on column known_devices.device is 'Hash of what identifies the device.';
comment on column known_devices.seen_at is 'Last login from it.';

comment on table identities is 'Accounts at an OpenID Connect provider that log in to accounts here.';
comment on column identities.id is 'Primary key.';
comment on column identities.user_id is 'The account.';
comment on column identities.issuer is 'The provider.';
comment on column identities.subject is 'The provider''s id of the person.';
comment on column identities.name is 'The person''s name there, for the settings.';
comment on column identities.created_at is 'When the row was made.';
comment on column identities.last_used_at is 'Last login by it.';

comment on table passkeys is 'WebAuthn credentials.';
comment on column passkeys.id is 'Primary key.';
comment on column passkeys.user_id is 'The account.';
comment on column passkeys.credential_id is 'The credential''s id, base64url.';
comment on column passkeys.public_key is 'COSE key.';
comment on column passkeys.sign_count is 'The authenticator''s counter; one that does not grow is refused.';
comment on column passkeys.transports is 'How the browser may reach the authenticator.';
comment on column passkeys.name is 'Name that the owner gave it.';
comment on column passkeys.created_at is 'When the row was made.';
comment on column passkeys.last_used_at is 'Last login by it.';

comment on table pending_logins is 'Logins that have passed the password and wait for the second factor.';
comment on column pending_logins.hash is 'SHA-256 of the pending token.';
comment on column pending_logins.user_id is 'The account.';
comment on column pending_logins.tries is 'Wrong codes so far.';
comment on column pending_logins.expires_at is 'When it has to begin again.';

comment on table totp is 'Authenticator apps; one an account.';
comment on column totp.user_id is 'The account.';
comment on column totp.secret is 'Encrypted with a key from `secrets`.';
comment on column totp.last_step is 'Last time step whose code was used: a code counts once.';
comment on column totp.created_at is 'When the row was made.';
comment on column totp.confirmed_at is 'When the first code proved the set-up; null until then.';

comment on table recovery_codes is 'Unused recovery codes.';
comment on column recovery_codes.user_id is 'The account.';
comment on column recovery_codes.hash is 'Hash of the code.';

comment on table spent_challenges is 'WebAuthn challenges that were answered: each counts once.';
comment on column spent_challenges.hash is 'SHA-256 of the challenge.';
comment on column spent_challenges.expires_at is 'After this the challenge is refused anyway.';

comment on table mail_outbox is 'Mail that waits to be sent.';
comment on column mail_outbox.id is 'Primary key.';
comment on column mail_outbox.user_id is 'The account.';
comment on column mail_outbox.address is 'Where it goes.';
comment on column mail_outbox.template is 'Which mail it is.';
comment on column mail_outbox.parameters is 'Values of the template.';
comment on column mail_outbox.created_at is 'When the row was made.';
comment on column mail_outbox.due_at is 'Next attempt.';
comment on column mail_outbox.attempts is 'Attempts so far.';

comment on table mail_tokens is 'Links in mail: reset, confirmation, change of address.';
comment on column mail_tokens.hash is 'SHA-256 of the token.';
comment on column mail_tokens.user_id is 'The account.';
comment on column mail_tokens.purpose is 'What the link does.';
comment on column mail_tokens.email is 'The new address, where the link changes it.';
comment on column mail_tokens.expires_at is 'When the link ends.';

comment on table relations is 'Two accounts that know each other: friends, a request, or a block.';
comment on column relations.low is 'The account with the smaller id.';
comment on column relations.high is 'The account with the larger id.';
comment on column relations.bond is 'none, asked_by_low, asked_by_high or friends.';
comment on column relations.bond_since is 'Since when.';
comment on column relations.low_blocked_at is 'When `low` blocked `high`.';
comment on column relations.high_blocked_at is 'When `high` blocked `low`.';

comment on table profile_announcements is 'Changed profiles that conversation partners have not been sent yet.';
comment on column profile_announcements.user_id is 'The account.';
comment on column profile_announcements.after_id is 'Partners up to this id have been sent it.';

comment on table erasures is 'Deleted accounts whose files are still to go, in batches.';
comment on column erasures.user_id is 'The account.';

comment on table author_claims is 'Imported authors that an account has claimed; their messages move to it.';
comment on column author_claims.placeholder_id is 'The imported author.';
comment on column author_claims.user_id is 'The account.';
comment on column author_claims.claimed_at is 'When.';

comment on table claim_links is 'Links with which somebody claims an imported author.';
comment on column claim_links.hash is 'SHA-256 of the token.';
comment on column claim_links.placeholder_id is 'The imported author.';
comment on column claim_links.user_id is 'The account.';
comment on column claim_links.expires_at is 'When the link ends.';
