-- The tables of Parley as the migrations leave them, printed from a database. Nothing runs this file.
-- UPDATE_SCHEMA=1 bun test test/database/schema.test.ts prints it anew. Functions and views are in sql/functions.

-- ## accounts

-- Accounts: people, bots and webhooks. A deleted account keeps its row, without personal data.
create table users (
  -- Primary key.
  id bigint not null generated always as identity,
  -- Login name, visible only to the owner.
  username text not null,
  -- Address for login and mail, visible only to the owner.
  email text not null,
  -- argon2id; null for bots, webhooks and accounts that log in elsewhere.
  password_hash text,
  -- Name that everybody sees.
  display_name text not null,
  -- Picture of the account.
  avatar_file_id bigint,
  -- Servers that the account is a member of; bounded by a constraint.
  server_count integer not null default 0,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Last change of the profile.
  updated_at timestamp(3) with time zone not null default now(),
  -- Bytes of the account's files.
  stored_bytes bigint not null default 0,
  -- Who may write direct messages to the account: everyone, servers or friends.
  dms_from text not null default 'servers'::text,
  -- Who may ask the account to be friends.
  friend_requests_from text not null default 'everyone'::text,
  -- Friends and requests, in either direction; bounded by a constraint.
  friend_count integer not null default 0,
  -- Accounts that this one blocks.
  block_count integer not null default 0,
  -- When the account was deleted.
  deleted_at timestamp(3) with time zone,
  -- The id while the account exists. Rows that refer to it go when the account is deleted.
  living_id bigint generated always as (
CASE
    WHEN (deleted_at IS NULL) THEN id
    ELSE NULL::bigint
END) stored,
  -- When an operator suspended the account.
  suspended_at timestamp(3) with time zone,
  -- Why; shown to its owner.
  suspended_reason text,
  -- Groups that the account is in.
  group_count integer not null default 0,
  -- Whether links in its direct messages get previews.
  link_previews boolean not null default false,
  -- person, bot, webhook, imported or guest.
  kind text not null default 'person'::text,
  -- When a link proved that the address is the account's.
  email_verified_at timestamp(3) with time zone,
  -- Registered while EMAIL_VERIFICATION was `required`.
  verification_required boolean not null default false,
  -- When the account became an operator; null for all others.
  operator_since timestamp(3) with time zone,
  -- When the account of a guest ends; null for all others.
  guest_until timestamp(3) with time zone,
  -- Public pages show the name of the account.
  public_name boolean not null default false,
  -- The status that the account chose; null until it chooses one.
  own_status text,
  -- What the account says with its status.
  status_text text,
  -- The emoji next to it.
  status_emoji text,
  -- When the chosen status ends.
  status_until timestamp(3) with time zone,
  -- When it was chosen, ms since the epoch; each choice has a greater number.
  status_set_at bigint,
  -- Direct messages of strangers wait as requests; dms_from then does not matter.
  requests boolean not null default false,
  constraint living UNIQUE (living_id),
  constraint username_taken UNIQUE (username),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_avatar_file_id_fkey FOREIGN KEY (avatar_file_id) REFERENCES files(id) ON DELETE SET NULL,
  constraint guests_end CHECK ((((kind = 'guest'::text) AND (deleted_at IS NULL)) = (guest_until IS NOT NULL))),
  constraint operators_are_people CHECK (((kind = 'person'::text) OR (operator_since IS NULL))),
  constraint status_is_whole CHECK (
CASE
    WHEN (own_status IS NULL) THEN (num_nonnulls(status_text, status_emoji, status_until, status_set_at) = 0)
    ELSE (status_set_at IS NOT NULL)
END),
  constraint suspended_for_a_reason CHECK (((suspended_at IS NULL) = (suspended_reason IS NULL))),
  constraint tombstone_is_blank CHECK (((deleted_at IS NULL) OR (kind = 'webhook'::text) OR ((username = ('deleted:'::text || (id)::text)) AND (email = ('deleted:'::text || (id)::text)) AND (avatar_file_id IS NULL) AND (display_name =
CASE kind
    WHEN 'guest'::text THEN 'Guest'::text
    ELSE 'Deleted user'::text
END)))),
  constraint too_many_blocks CHECK ((block_count <= 10000)),
  constraint too_many_friends CHECK ((friend_count <= 1000)),
  constraint too_many_groups CHECK ((group_count <= 200)),
  constraint too_many_servers CHECK ((server_count <=
CASE kind
    WHEN 'bot'::text THEN 1000
    ELSE 100
END)),
  constraint user_kind CHECK ((kind = ANY (ARRAY['person'::text, 'bot'::text, 'webhook'::text, 'imported'::text, 'guest'::text]))),
  constraint users_dms_from_check CHECK ((dms_from = ANY (ARRAY['everyone'::text, 'servers'::text, 'friends'::text]))),
  constraint users_friend_requests_from_check CHECK ((friend_requests_from = ANY (ARRAY['everyone'::text, 'servers'::text, 'nobody'::text]))),
  constraint users_own_status_check CHECK ((own_status = ANY (ARRAY['online'::text, 'idle'::text, 'dnd'::text, 'invisible'::text]))),
  constraint users_status_emoji_check CHECK ((char_length(status_emoji) <= 64)),
  constraint users_status_text_check CHECK (((char_length(status_text) >= 1) AND (char_length(status_text) <= 128))),
  constraint webhook_is_not_alive CHECK (((kind <> 'webhook'::text) OR (deleted_at IS NOT NULL)))
);
CREATE UNIQUE INDEX email_taken ON users USING btree (lower(email));
CREATE INDEX users_avatar_file_id_idx ON users USING btree (avatar_file_id) WHERE (avatar_file_id IS NOT NULL);
CREATE INDEX users_by_bigram ON users USING gin (bigrams(name_key(display_name))) WHERE (deleted_at IS NULL);
CREATE INDEX users_by_display_name ON users USING btree (name_key(display_name) COLLATE "C") WHERE (deleted_at IS NULL);
CREATE INDEX users_by_trigram ON users USING gin (name_key(display_name) gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE INDEX users_guest_until_idx ON users USING btree (guest_until) WHERE (guest_until IS NOT NULL);
CREATE INDEX users_id_idx ON users USING btree (id) WHERE (suspended_at IS NOT NULL);
CREATE INDEX users_id_idx1 ON users USING btree (id) WHERE (operator_since IS NOT NULL);
CREATE INDEX users_status_until_idx ON users USING btree (status_until) WHERE (status_until IS NOT NULL);
CREATE INDEX users_storing ON users USING btree (stored_bytes DESC, id) WHERE ((stored_bytes > 0) AND (deleted_at IS NULL));
CREATE TRIGGER end_pending_logins AFTER UPDATE OF password_hash ON users FOR EACH ROW WHEN ((old.password_hash IS DISTINCT FROM new.password_hash)) EXECUTE FUNCTION end_pending_logins();
CREATE TRIGGER void_mail_links AFTER UPDATE OF password_hash, email ON users FOR EACH ROW WHEN (((new.password_hash IS DISTINCT FROM old.password_hash) OR (new.email <> old.email))) EXECUTE FUNCTION void_mail_links();

-- Friends whose calls ring while the account does not want to be disturbed.
create table dnd_callers (
  -- The account.
  user_id bigint not null,
  -- The friend.
  caller_id bigint not null,
  constraint dnd_callers_pkey PRIMARY KEY (user_id, caller_id),
  constraint dnd_callers_caller_id_fkey FOREIGN KEY (caller_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint dnd_callers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX dnd_callers_caller_id_idx ON dnd_callers USING btree (caller_id);

-- What accounts say about themselves, besides name and picture.
create table profiles (
  -- The account.
  user_id bigint not null,
  -- Text with line breaks.
  bio text not null default ''::text,
  -- Pronouns; null: none.
  pronouns text,
  constraint profiles_pkey PRIMARY KEY (user_id),
  constraint profiles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Pictures above profiles.
create table banners (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The account.
  user_id bigint not null,
  -- Unguessable last part of its URL; its object is banners/<key>.
  key text not null,
  -- Bytes.
  size bigint not null,
  -- Pixels.
  width integer not null,
  -- Pixels.
  height integer not null,
  -- The upload that it was made from, which is gone.
  file_id bigint not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  constraint banners_key_key UNIQUE (key),
  constraint banners_user_id_key UNIQUE (user_id),
  constraint banners_pkey PRIMARY KEY (id),
  constraint banners_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE TRIGGER banner_gone AFTER DELETE ON banners FOR EACH ROW EXECUTE FUNCTION banner_gone();

-- Logins. The token itself is not stored: `ver` and `refreshed_at` make it.
create table sessions (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The account.
  user_id bigint not null,
  -- Version of the token; a refresh adds one.
  ver integer not null default 1,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- When the current token was issued.
  refreshed_at timestamp(3) with time zone not null default now(),
  -- About when the session was last used.
  last_used_at timestamp(3) with time zone not null default now(),
  -- When the token ends.
  expires_at timestamp(3) with time zone not null,
  -- The device, as the browser names itself.
  user_agent text,
  -- Address of the login.
  ip text not null,
  -- When the session last proved who uses it.
  proven_at timestamp(3) with time zone,
  -- Public key (Ed25519) of the device, by which it confirms its part in encrypted calls.
  device_key bytea,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint sessions_device_key_check CHECK ((octet_length(device_key) = 32))
);
CREATE INDEX sessions_expires_at_idx ON sessions USING btree (expires_at);
CREATE INDEX sessions_user_id_id_idx ON sessions USING btree (user_id, id);

-- One-time tickets with which a browser opens a WebSocket.
create table ws_tickets (
  -- SHA-256 of the ticket.
  hash bytea not null,
  -- The session that the socket belongs to.
  session_id bigint not null,
  -- When the ticket ends.
  expires_at timestamp(3) with time zone not null,
  constraint ws_tickets_pkey PRIMARY KEY (hash),
  constraint ws_tickets_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX ws_tickets_expires_at_idx ON ws_tickets USING btree (expires_at);
CREATE INDEX ws_tickets_session_id_idx ON ws_tickets USING btree (session_id);

-- Addresses that an account has logged in from. Failures from elsewhere do not lock them out.
create table known_addresses (
  -- The account.
  user_id bigint not null,
  -- The address.
  ip text not null,
  -- Last login from it.
  seen_at timestamp(3) with time zone not null default now(),
  constraint known_addresses_pkey PRIMARY KEY (user_id, ip),
  constraint known_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);

-- Devices that an account has logged in from; others are reported to the account.
create table known_devices (
  -- The account.
  user_id bigint not null,
  -- Hash of what identifies the device.
  device text not null,
  -- Last login from it.
  seen_at timestamp(3) with time zone not null default now(),
  constraint known_devices_pkey PRIMARY KEY (user_id, device),
  constraint known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX known_devices_seen_at_idx ON known_devices USING btree (seen_at);

-- Accounts at an OpenID Connect provider that log in to accounts here.
create table identities (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The account.
  user_id bigint not null,
  -- The provider.
  issuer text not null,
  -- The provider's id of the person.
  subject text not null,
  -- The person's name there, for the settings.
  name text not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Last login by it.
  last_used_at timestamp(3) with time zone,
  constraint identity_linked UNIQUE (user_id, issuer),
  constraint identity_taken UNIQUE (issuer, subject),
  constraint identities_pkey PRIMARY KEY (id),
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);

-- WebAuthn credentials.
create table passkeys (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The account.
  user_id bigint not null,
  -- The credential's id, base64url.
  credential_id text not null,
  -- COSE key.
  public_key bytea not null,
  -- The authenticator's counter; one that does not grow is refused.
  sign_count bigint not null,
  -- How the browser may reach the authenticator.
  transports text[] not null,
  -- Name that the owner gave it.
  name text not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Last login by it.
  last_used_at timestamp(3) with time zone,
  constraint passkey_taken UNIQUE (credential_id),
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX passkeys_user_id_id_idx ON passkeys USING btree (user_id, id);

-- Logins that have passed the password and wait for the second factor.
create table pending_logins (
  -- SHA-256 of the pending token.
  hash bytea not null,
  -- The account.
  user_id bigint not null,
  -- Wrong codes so far.
  tries integer not null default 0,
  -- When it has to begin again.
  expires_at timestamp(3) with time zone not null,
  constraint pending_logins_pkey PRIMARY KEY (hash),
  constraint pending_logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX pending_logins_expires_at_idx ON pending_logins USING btree (expires_at);
CREATE INDEX pending_logins_user_id_idx ON pending_logins USING btree (user_id);

-- Authenticator apps; one an account.
create table totp (
  -- The account.
  user_id bigint not null,
  -- Encrypted with a key from `secrets`.
  secret bytea not null,
  -- Last time step whose code was used: a code counts once.
  last_step bigint not null default 0,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- When the first code proved the set-up; null until then.
  confirmed_at timestamp(3) with time zone,
  constraint totp_pkey PRIMARY KEY (user_id),
  constraint totp_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);

-- Unused recovery codes.
create table recovery_codes (
  -- The account.
  user_id bigint not null,
  -- Hash of the code.
  hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);

-- WebAuthn challenges that were answered: each counts once.
create table spent_challenges (
  -- SHA-256 of the challenge.
  hash bytea not null,
  -- After this the challenge is refused anyway.
  expires_at timestamp(3) with time zone not null,
  constraint spent_challenges_pkey PRIMARY KEY (hash)
);
CREATE INDEX spent_challenges_expires_at_idx ON spent_challenges USING btree (expires_at);

-- Mail that waits to be sent.
create table mail_outbox (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The account.
  user_id bigint,
  -- Where it goes.
  address text not null,
  -- Which mail it is.
  template text not null,
  -- Values of the template.
  parameters jsonb not null default '{}'::jsonb,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Next attempt.
  due_at timestamp(3) with time zone not null default now(),
  -- Attempts so far.
  attempts integer not null default 0,
  constraint mail_outbox_pkey PRIMARY KEY (id),
  constraint mail_outbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint mail_outbox_check CHECK (((user_id IS NOT NULL) OR (template = 'reset'::text)))
);
CREATE INDEX mail_outbox_due_at_idx ON mail_outbox USING btree (due_at);
CREATE INDEX mail_outbox_lower_idx ON mail_outbox USING btree (lower(address));
CREATE INDEX mail_outbox_user_id_idx ON mail_outbox USING btree (user_id);

-- Links in mail: reset, confirmation, change of address.
create table mail_tokens (
  -- SHA-256 of the token.
  hash bytea not null,
  -- The account.
  user_id bigint not null,
  -- What the link does.
  purpose text not null,
  -- The new address, where the link changes it.
  email text,
  -- When the link ends.
  expires_at timestamp(3) with time zone not null,
  constraint mail_tokens_pkey PRIMARY KEY (hash),
  constraint mail_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint mail_tokens_check CHECK (((email IS NOT NULL) OR (purpose = 'reset'::text))),
  constraint mail_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['reset'::text, 'verify'::text, 'change'::text])))
);
CREATE INDEX mail_tokens_expires_at_idx ON mail_tokens USING btree (expires_at);
CREATE INDEX mail_tokens_user_id_idx ON mail_tokens USING btree (user_id);

-- Two accounts that know each other: friends, a request, or a block.
create table relations (
  -- The account with the smaller id.
  low bigint not null,
  -- The account with the larger id.
  high bigint not null,
  -- none, asked_by_low, asked_by_high or friends.
  bond text not null default 'none'::text,
  -- Since when.
  bond_since timestamp(3) with time zone not null default clock_timestamp(),
  -- When `low` blocked `high`.
  low_blocked_at timestamp(3) with time zone,
  -- When `high` blocked `low`.
  high_blocked_at timestamp(3) with time zone,
  constraint relations_pkey PRIMARY KEY (low, high),
  constraint relations_high_fkey FOREIGN KEY (high) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint relations_low_fkey FOREIGN KEY (low) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint block_ends_bond CHECK (((bond = 'none'::text) OR ((low_blocked_at IS NULL) AND (high_blocked_at IS NULL)))),
  constraint relations_bond_check CHECK ((bond = ANY (ARRAY['none'::text, 'asked_by_low'::text, 'asked_by_high'::text, 'friends'::text]))),
  constraint relations_check CHECK ((low < high)),
  constraint something_stands CHECK (((bond <> 'none'::text) OR (low_blocked_at IS NOT NULL) OR (high_blocked_at IS NOT NULL)))
);
CREATE INDEX relations_high_idx ON relations USING btree (high);
CREATE TRIGGER count_relation AFTER INSERT OR DELETE OR UPDATE ON relations FOR EACH ROW EXECUTE FUNCTION count_relation();

-- Changed profiles that conversation partners have not been sent yet.
create table profile_announcements (
  -- The account.
  user_id bigint not null,
  -- Partners up to this id have been sent it.
  after_id bigint not null default 0,
  constraint profile_announcements_pkey PRIMARY KEY (user_id),
  constraint profile_announcements_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Deleted accounts whose files are still to go, in batches.
create table erasures (
  -- The account.
  user_id bigint not null,
  constraint erasures_pkey PRIMARY KEY (user_id),
  constraint erasures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

-- Imported authors that an account has claimed; their messages move to it.
create table author_claims (
  -- The imported author.
  placeholder_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- When.
  claimed_at timestamp(3) with time zone not null default now(),
  constraint author_claims_pkey PRIMARY KEY (placeholder_id),
  constraint author_claims_placeholder_id_fkey FOREIGN KEY (placeholder_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint author_claims_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX author_claims_user_id_idx ON author_claims USING btree (user_id);

-- Links with which somebody claims an imported author.
create table claim_links (
  -- SHA-256 of the token.
  hash bytea not null,
  -- The imported author.
  placeholder_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- When the link ends.
  expires_at timestamp(3) with time zone not null,
  constraint claim_links_placeholder_id_key UNIQUE (placeholder_id),
  constraint claim_links_pkey PRIMARY KEY (hash),
  constraint claim_links_placeholder_id_fkey FOREIGN KEY (placeholder_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint claim_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX claim_links_expires_at_idx ON claim_links USING btree (expires_at);
CREATE INDEX claim_links_user_id_idx ON claim_links USING btree (user_id);

-- ## automod

-- Rules that judge what members write.
create table automod_rules (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The server.
  server_id bigint not null,
  -- Name.
  name text not null,
  -- False while the rule does nothing.
  enabled boolean not null,
  -- What the rule looks for.
  trigger json not null,
  -- What happens then.
  actions json not null,
  -- Roles whose members the rule leaves alone.
  exempt_role_ids bigint[] not null,
  -- Channels, and categories with their channels, that the rule leaves alone.
  exempt_channel_ids bigint[] not null,
  -- The rule judges bots too.
  covers_bots boolean not null,
  -- The rule judges webhooks too.
  covers_webhooks boolean not null,
  -- When the row was made.
  created_at timestamp with time zone not null default now(),
  -- Last change.
  updated_at timestamp with time zone not null default now(),
  constraint automod_rules_pkey PRIMARY KEY (id),
  constraint automod_rules_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE
);
CREATE INDEX automod_rules_server_id_idx ON automod_rules USING btree (server_id);
CREATE TRIGGER demand_modest_role BEFORE INSERT OR UPDATE ON automod_rules FOR EACH ROW WHEN ((new.exempt_role_ids <> '{}'::bigint[])) EXECUTE FUNCTION demand_modest_role();

-- Texts that broke automod rules, by rule, person and minute.
create table automod_hits (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The server.
  server_id bigint not null,
  -- The rule, which may be gone.
  rule_id bigint not null,
  -- The name of the rule at that time.
  rule_name text not null,
  -- The account that wrote.
  user_id bigint not null,
  -- The channel; null for names.
  channel_id bigint,
  -- How often within the minute.
  count integer not null default 1,
  -- The first texts.
  texts json not null,
  -- Hash of the last one and its nonce; null without a nonce.
  last_hash text,
  -- The message that alerts moderators.
  alert_id bigint,
  -- When the row was made.
  created_at timestamp with time zone not null default now(),
  -- Last change.
  updated_at timestamp with time zone not null default now(),
  constraint automod_hits_pkey PRIMARY KEY (id),
  constraint automod_hits_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES messages(id) ON DELETE SET NULL,
  constraint automod_hits_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint automod_hits_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint automod_hits_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX automod_hits_alert_id_idx ON automod_hits USING btree (alert_id);
CREATE INDEX automod_hits_channel_id_idx ON automod_hits USING btree (channel_id);
CREATE INDEX automod_hits_created_at_idx ON automod_hits USING btree (created_at);
CREATE INDEX automod_hits_server_id_id_idx ON automod_hits USING btree (server_id, id);
CREATE INDEX automod_hits_user_id_rule_id_id_idx ON automod_hits USING btree (user_id, rule_id, id);

-- ## bots

-- Programs with a bot. The id is the bot's account.
create table applications (
  -- Primary key.
  id bigint not null,
  -- Who owns it.
  owner_id bigint,
  -- What it does.
  description text not null default ''::text,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Where interactions are posted; null for the gateway.
  interactions_url text,
  constraint applications_pkey PRIMARY KEY (id),
  constraint applications_id_fkey FOREIGN KEY (id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint applications_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(living_id)
);
CREATE INDEX applications_owner_id_id_idx ON applications USING btree (owner_id, id);

-- Commands of bots.
create table bot_commands (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The application.
  application_id bigint not null,
  -- The server that the command is for; null for all.
  server_id bigint,
  -- chat, message or user.
  kind text not null,
  -- Name.
  name text not null,
  -- What it does.
  description text not null,
  -- Its options or subcommands.
  options json not null,
  -- Bits that a member needs unless the server says otherwise.
  default_permissions bigint not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  constraint bot_commands_application_id_server_id_kind_name_key UNIQUE NULLS NOT DISTINCT (application_id, server_id, kind, name),
  constraint bot_commands_pkey PRIMARY KEY (id),
  constraint bot_commands_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(id) ON DELETE CASCADE,
  constraint bot_commands_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint bot_commands_kind_check CHECK ((kind = ANY (ARRAY['chat'::text, 'message'::text, 'user'::text])))
);
CREATE INDEX bot_commands_server_id_idx ON bot_commands USING btree (server_id) WHERE (server_id IS NOT NULL);

-- Sessions of bots on Discord's gateway, which they resume.
create table discord_sessions (
  -- Its id on that gateway.
  id text not null,
  -- The bot.
  user_id bigint not null,
  -- The login of the bot's token.
  session_id bigint not null,
  -- The event of the log from which it counts its own numbers.
  base_id bigint not null,
  -- Bits of what it is sent.
  intents integer not null,
  -- The part of the servers that it covers.
  shard_id integer not null,
  -- Number of such parts.
  shard_count integer not null,
  -- The newest events that were sent; null while the bot is connected.
  sent_ids bigint[],
  -- When it was last opened or kept.
  seen_at timestamp(3) with time zone not null default now(),
  -- The call that the bot is in, and enters again after a restart.
  voice jsonb,
  constraint discord_sessions_pkey PRIMARY KEY (id),
  constraint discord_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint discord_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX discord_sessions_session_id_idx ON discord_sessions USING btree (session_id);
CREATE INDEX discord_sessions_user_id_seen_at_idx ON discord_sessions USING btree (user_id, seen_at);

-- Uses of commands, buttons, selects and modals, for fifteen minutes.
create table interactions (
  -- Primary key.
  id bigint not null generated always as identity,
  -- SHA-256 of the token that answers.
  hash bytea not null,
  -- The bot.
  bot_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- The channel.
  channel_id bigint not null,
  -- command, component, modal or autocomplete.
  kind text not null,
  -- The command.
  name text,
  -- The message whose component was used.
  message_id bigint,
  -- The first answer was given.
  is_answered boolean not null default false,
  -- Only the person sees the answers.
  is_ephemeral boolean not null default false,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Custom ids shown to the person only, by number of the answer, as hashes.
  offers jsonb not null default '{}'::jsonb,
  -- Answers to the person only after the first.
  whispers integer not null default 0,
  -- The interaction whose ephemeral answer was used.
  asked_on_id bigint,
  -- Number of that answer.
  asked_on_answer integer,
  -- The message that is the first answer.
  answer_id bigint,
  -- The bot said that it needs time.
  is_deferred boolean not null default false,
  -- The answer changes the message of the component.
  updates boolean not null default false,
  constraint interactions_pkey PRIMARY KEY (id),
  constraint interactions_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint interactions_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint interactions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint interactions_kind_check CHECK ((kind = ANY (ARRAY['command'::text, 'component'::text, 'modal'::text, 'autocomplete'::text])))
);
CREATE INDEX interactions_bot_id_idx ON interactions USING btree (bot_id);
CREATE INDEX interactions_channel_id_idx ON interactions USING btree (channel_id);
CREATE INDEX interactions_created_at_idx ON interactions USING btree (created_at);
CREATE INDEX interactions_user_id_idx ON interactions USING btree (user_id);

-- ## calendar

-- Events of servers.
create table calendar_events (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The server.
  server_id bigint not null,
  -- Who created it.
  creator_id bigint not null,
  -- Title.
  title text not null,
  -- What it is about.
  description text not null,
  -- When its first date begins.
  starts_at timestamp(3) with time zone not null,
  -- When its first date ends.
  ends_at timestamp(3) with time zone not null,
  -- The zone whose clocks its dates follow.
  time_zone text not null,
  -- The rule of its dates, of RFC 5545; null for one date.
  recurrence text,
  -- The channel where it is, whose members alone see it.
  channel_id bigint,
  -- Where it is.
  place_text text,
  -- Where it is, as an address.
  place_url text,
  -- Who may sign up, in which roles; null: nobody does.
  signup json,
  -- Counts the changes.
  sequence integer not null default 0,
  -- When it was cancelled.
  cancelled_at timestamp(3) with time zone,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Last change.
  updated_at timestamp(3) with time zone not null default now(),
  constraint calendar_events_pkey PRIMARY KEY (id),
  constraint calendar_events_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint calendar_events_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES users(id),
  constraint calendar_events_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint calendar_events_check CHECK ((num_nonnulls(channel_id, place_text, place_url) = 1))
);
CREATE INDEX calendar_events_channel_id_idx ON calendar_events USING btree (channel_id) WHERE (channel_id IS NOT NULL);
CREATE INDEX calendar_events_creator_id_idx ON calendar_events USING btree (creator_id);
CREATE INDEX calendar_events_server_id_idx ON calendar_events USING btree (server_id);

-- Pictures of events.
create table event_images (
  -- The event.
  event_id bigint not null,
  -- The picture.
  file_id bigint not null,
  constraint event_images_pkey PRIMARY KEY (event_id),
  constraint event_images_event_id_fkey FOREIGN KEY (event_id) REFERENCES calendar_events(id) ON DELETE CASCADE,
  constraint event_images_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id) ON DELETE CASCADE
);
CREATE INDEX event_images_file_id_idx ON event_images USING btree (file_id);

-- Dates of events.
create table event_dates (
  -- The event.
  event_id bigint not null,
  -- Names the date, also after it has been moved.
  n integer not null,
  -- When it begins.
  starts_at timestamp(3) with time zone not null,
  -- When it ends.
  ends_at timestamp(3) with time zone not null,
  -- The event no longer has this date.
  is_cancelled boolean not null default false,
  constraint event_dates_pkey PRIMARY KEY (event_id, n),
  constraint event_dates_event_id_fkey FOREIGN KEY (event_id) REFERENCES calendar_events(id) ON DELETE CASCADE
);
CREATE INDEX event_dates_event_id_starts_at_idx ON event_dates USING btree (event_id, starts_at);
CREATE INDEX event_dates_starts_at_idx ON event_dates USING btree (starts_at);

-- Accounts that have signed up for a date of an event.
create table event_signups (
  -- The event.
  event_id bigint not null,
  -- The date.
  n integer not null,
  -- The account.
  user_id bigint not null,
  -- yes, maybe, or waiting for a place.
  status text not null,
  -- The position of its role among those of the event.
  role integer,
  -- Order of arrival in the waiting list.
  turn bigint not null generated always as identity,
  -- How long before the beginning the account is reminded.
  remind_minutes integer[] not null,
  -- When the next reminder is due.
  next_remind_at timestamp(3) with time zone,
  constraint event_signups_pkey PRIMARY KEY (event_id, n, user_id),
  constraint event_signups_event_id_n_fkey FOREIGN KEY (event_id, n) REFERENCES event_dates(event_id, n) ON DELETE CASCADE,
  constraint event_signups_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint event_signups_status_check CHECK ((status = ANY (ARRAY['yes'::text, 'maybe'::text, 'waiting'::text])))
);
CREATE INDEX event_signups_next_remind_at_idx ON event_signups USING btree (next_remind_at) WHERE (next_remind_at IS NOT NULL);
CREATE INDEX event_signups_user_id_idx ON event_signups USING btree (user_id);

-- Secret addresses from which calendars of accounts are read.
create table calendar_feeds (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The account.
  user_id bigint not null,
  -- The server; null for all servers of the account.
  server_id bigint,
  -- SHA-256 of the secret.
  hash bytea not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  constraint calendar_feeds_hash_key UNIQUE (hash),
  constraint calendar_feeds_pkey PRIMARY KEY (id),
  constraint calendar_feeds_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint calendar_feeds_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX calendar_feeds_server_id_idx ON calendar_feeds USING btree (server_id) WHERE (server_id IS NOT NULL);
CREATE INDEX calendar_feeds_user_id_idx ON calendar_feeds USING btree (user_id);

-- ## calls

-- Calls in dms and groups.
create table calls (
  -- The channel.
  channel_id bigint not null,
  -- Who began it.
  started_by bigint not null,
  -- When.
  started_at timestamp(3) with time zone not null default now(),
  -- Everybody who was in it.
  participant_ids bigint[] not null,
  -- When it last rang the others.
  rung_at timestamp(3) with time zone,
  -- Last sign of the process that holds it.
  alive_at timestamp(3) with time zone not null default now(),
  -- When it ended.
  ended_at timestamp(3) with time zone,
  constraint calls_pkey PRIMARY KEY (channel_id),
  constraint calls_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint calls_started_by_fkey FOREIGN KEY (started_by) REFERENCES users(id)
);
CREATE INDEX calls_by_sign_of_life ON calls USING btree (alive_at) WHERE (ended_at IS NULL);

-- Accounts that a call rings.
create table call_rings (
  -- The account.
  user_id bigint not null,
  -- The channel.
  channel_id bigint not null,
  -- When the ringing ends.
  until timestamp(3) with time zone not null,
  -- The account does not want to be disturbed by the caller.
  silent boolean not null default false,
  constraint call_rings_pkey PRIMARY KEY (user_id, channel_id),
  constraint call_rings_channel_id_user_id_fkey FOREIGN KEY (channel_id, user_id) REFERENCES participants(channel_id, user_id) ON DELETE CASCADE
);
CREATE INDEX call_rings_channel_id_idx ON call_rings USING btree (channel_id);
CREATE INDEX call_rings_until_idx ON call_rings USING btree (until);

-- The newest state of each account's log of devices for encrypted calls.
create table device_logs (
  -- The account.
  user_id bigint not null,
  -- Changes so far, including those that are no longer kept.
  length integer not null default 0,
  -- Hash of the last change, which commits to all before it; zeros: none.
  head bytea not null default decode(repeat('00'::text, 32), 'hex'::text),
  -- Public keys of the devices after the last change, in ascending order.
  keys bytea[] not null default '{}'::bytea[],
  constraint device_logs_pkey PRIMARY KEY (user_id),
  constraint device_logs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint device_logs_head_check CHECK ((octet_length(head) = 32)),
  constraint device_logs_length_check CHECK ((length >= 0))
);

-- The last changes in the logs of devices.
create table device_log_entries (
  -- The account.
  user_id bigint not null,
  -- Number of the change, from 1.
  position integer not null,
  -- The device was added; otherwise it was removed.
  is_added boolean not null,
  -- Public key of the device.
  key bytea not null,
  -- Head of the log after this change.
  head bytea not null,
  -- When the change was logged.
  created_at timestamp(3) with time zone not null default now(),
  constraint device_log_entries_pkey PRIMARY KEY (user_id, "position"),
  constraint device_log_entries_user_id_fkey FOREIGN KEY (user_id) REFERENCES device_logs(user_id) ON DELETE CASCADE,
  constraint device_log_entries_head_check CHECK ((octet_length(head) = 32)),
  constraint device_log_entries_key_check CHECK ((octet_length(key) = 32)),
  constraint device_log_entries_position_check CHECK (("position" > 0))
);

-- ## cases

-- What moderators did about a member, and what they noted.
create table cases (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The server.
  server_id bigint not null,
  -- The account, which may have left.
  user_id bigint not null,
  -- warning, note, timeout, kick, ban, report (a resolved one), or automod (a broken rule).
  kind text not null,
  -- The moderator.
  actor_id bigint not null,
  -- Text of the warning or note; reason of the others.
  reason text,
  -- When the timeout or ban ends; null for others, and for a ban without end.
  until timestamp(3) with time zone,
  -- The report.
  report_id bigint,
  -- When the account has read the warning.
  read_at timestamp(3) with time zone,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  constraint cases_pkey PRIMARY KEY (id),
  constraint cases_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
  constraint cases_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE CASCADE,
  constraint cases_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint cases_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint cases_kind_check CHECK ((kind = ANY (ARRAY['warning'::text, 'note'::text, 'timeout'::text, 'kick'::text, 'ban'::text, 'report'::text, 'automod'::text])))
);
CREATE INDEX cases_actor_id_idx ON cases USING btree (actor_id);
CREATE INDEX cases_created_at_idx ON cases USING btree (created_at);
CREATE UNIQUE INDEX cases_of_report ON cases USING btree (report_id) WHERE (report_id IS NOT NULL);
CREATE INDEX cases_server_id_id_idx ON cases USING btree (server_id, id);
CREATE INDEX cases_server_id_user_id_id_idx ON cases USING btree (server_id, user_id, id);
CREATE INDEX cases_user_id_id_idx ON cases USING btree (user_id, id);
CREATE INDEX unread_warnings ON cases USING btree (user_id) WHERE ((kind = 'warning'::text) AND (read_at IS NULL));

-- ## channels

-- Text and voice channels, forums, categories, dms, groups and threads, of which some are posts.
create table channels (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The server; null for dms and groups.
  server_id bigint,
  -- Name; empty for dms.
  name text not null,
  -- text, voice, stage, forum, category, dm, group or thread.
  type text not null,
  -- What the channel is for.
  topic text not null default ''::text,
  -- Order in the category or server.
  position integer not null,
  -- Not every member of the server sees it: its events have a topic of their own.
  restricted boolean not null default false,
  -- Largest id of a deleted message, so that last_message_id never falls.
  newest_deleted_id bigint,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Last change.
  updated_at timestamp(3) with time zone not null default now(),
  -- Messages older than this are deleted; null follows the server.
  message_retention_days integer,
  -- Messages before this id were deleted by age.
  pruned_before_id bigint,
  -- The category of a channel, or the channel of a thread.
  parent_id bigint,
  -- Who owns the group or thread.
  owner_id bigint,
  -- Picture of the group.
  icon_file_id bigint,
  -- Accounts in the group.
  participant_count integer not null default 0,
  -- Seconds between two messages of a member; 0 for none.
  slowmode_seconds integer not null default 0,
  -- The message that the thread began at.
  message_id bigint,
  -- Messages in the thread.
  message_count integer not null default 0,
  -- When the thread was archived.
  archived_at timestamp(3) with time zone,
  -- Only members with manage_threads write in the thread.
  locked boolean not null default false,
  -- The thread is archived after this time without messages.
  archive_after_seconds integer,
  -- The channel whose permissions and topic count: a thread's parent, otherwise itself.
  audience_id bigint generated always as (
CASE
    WHEN (type = 'thread'::text) THEN parent_id
    ELSE id
END) stored,
  -- Last message in the thread, or when it was begun or brought back.
  active_at timestamp(3) with time zone,
  -- active_at of an archived thread, so that other threads change no index.
  archive_active_at timestamp(3) with time zone generated always as (
CASE
    WHEN (archived_at IS NOT NULL) THEN active_at
    ELSE NULL::timestamp with time zone
END) stored,
  -- Pinned messages; bounded by a constraint.
  pin_count integer not null default 0,
  -- When `restricted` last changed: a process that missed the notice reads it here.
  flipped_at timestamp with time zone,
  -- Who joined the server later lists the channel only by choice.
  opt_in_since timestamp(3) with time zone,
  -- Tags of a forum: [{id, name, emoji, moderated}].
  tags json,
  -- A new post of the forum needs a tag.
  tag_required boolean,
  -- What people read before they post in the forum.
  guidelines text,
  -- How the forum is sorted at first: latest, created or votes.
  default_sort text,
  -- How the forum is shown: list or gallery.
  layout text,
  -- The reaction that counts as a vote in the forum.
  default_reaction text,
  -- slowmode_seconds of new posts of the forum.
  post_slowmode_seconds integer,
  -- The message that is the content of the post.
  first_message_id bigint,
  -- Tags of the post, perhaps none; null for what is no post.
  tag_ids bigint[],
  -- The message that answers the post.
  answer_message_id bigint,
  -- The post comes first in its forum.
  pinned boolean,
  -- Accounts that gave the first message of the post the default reaction.
  votes integer,
  -- Only members with manage_threads see the post listed.
  hidden boolean,
  -- Since then everybody reads the channel without an account, if its server is public; null: no.
  public_since timestamp(3) with time zone,
  -- So are messages from before that.
  public_older boolean not null default false,
  -- The channel or its category has overwrites for single members; kept by triggers.
  has_member_overwrites boolean not null default false,
  -- People that a voice channel takes; null: no limit.
  user_limit smallint,
  -- Bits per second of each microphone in a voice channel; null: chosen by clients.
  bitrate integer,
  -- What a running stage is about: its id, topic, the account that started it, and when; null: it does not run.
  stage json,
  constraint channel_name_taken EXCLUDE USING btree (server_id WITH =, COALESCE(parent_id, (0)::bigint) WITH =, name WITH =) WHERE ((type = ANY (ARRAY['text'::text, 'voice'::text, 'forum'::text, 'stage'::text]))) DEFERRABLE,
  constraint channels_of_server UNIQUE (server_id, id),
  constraint channels_pkey PRIMARY KEY (id),
  constraint channel_parent FOREIGN KEY (server_id, parent_id) REFERENCES channels(server_id, id),
  constraint channels_answer_message_id_fkey FOREIGN KEY (answer_message_id) REFERENCES messages(id) ON DELETE SET NULL,
  constraint channels_first_message_id_fkey FOREIGN KEY (first_message_id) REFERENCES messages(id) ON DELETE SET NULL,
  constraint channels_icon_file_id_fkey FOREIGN KEY (icon_file_id) REFERENCES files(id) ON DELETE SET NULL,
  constraint channels_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE SET NULL,
  constraint channels_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint channels_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint archive_after CHECK ((archive_after_seconds = ANY (ARRAY[3600, 86400, 259200, 604800]))),
  constraint channel_of_server CHECK (((server_id IS NULL) = (type = ANY (ARRAY['dm'::text, 'group'::text])))),
  constraint channels_bitrate_check CHECK (((bitrate >= 8000) AND (bitrate <= 384000))),
  constraint channels_default_sort_check CHECK ((default_sort = ANY (ARRAY['latest'::text, 'created'::text, 'votes'::text]))),
  constraint channels_layout_check CHECK ((layout = ANY (ARRAY['list'::text, 'gallery'::text]))),
  constraint channels_message_retention_days_check CHECK (((message_retention_days >= 1) AND (message_retention_days <= 36500))),
  constraint channels_opt_in_check CHECK (((opt_in_since IS NULL) OR (type = ANY (ARRAY['text'::text, 'voice'::text, 'forum'::text, 'stage'::text])))),
  constraint channels_post_slowmode_seconds_check CHECK (((post_slowmode_seconds >= 0) AND (post_slowmode_seconds <= 21600))),
  constraint channels_type_check CHECK ((type = ANY (ARRAY['text'::text, 'voice'::text, 'category'::text, 'thread'::text, 'dm'::text, 'group'::text, 'forum'::text, 'stage'::text]))),
  constraint channels_user_limit_check CHECK (((user_limit >= 1) AND (user_limit <= 99))),
  constraint forum_is_whole CHECK (((type = 'forum'::text) = ((tags IS NOT NULL) AND (tag_required IS NOT NULL) AND (guidelines IS NOT NULL) AND (default_sort IS NOT NULL) AND (layout IS NOT NULL) AND (post_slowmode_seconds IS NOT NULL)))),
  constraint group_has_owner CHECK (((type <> 'group'::text) OR (owner_id IS NOT NULL))),
  constraint post_is_whole CHECK (
CASE
    WHEN (tag_ids IS NULL) THEN ((first_message_id IS NULL) AND (answer_message_id IS NULL) AND (pinned IS NULL) AND (votes IS NULL) AND (hidden IS NULL))
    ELSE ((type = 'thread'::text) AND (pinned IS NOT NULL) AND (votes IS NOT NULL) AND (hidden IS NOT NULL))
END),
  constraint public_place CHECK (((public_since IS NULL) OR (type = ANY (ARRAY['text'::text, 'forum'::text])))),
  constraint slowmode_range CHECK (((slowmode_seconds >= 0) AND (slowmode_seconds <= 21600))),
  constraint stage_of_stage CHECK (((stage IS NULL) OR (type = 'stage'::text))),
  constraint thread_is_whole CHECK (((type <> 'thread'::text) OR ((owner_id IS NOT NULL) AND (archive_after_seconds IS NOT NULL) AND (active_at IS NOT NULL)))),
  constraint too_many_participants CHECK ((participant_count <= 10)),
  constraint too_many_pins CHECK ((pin_count <= 250)),
  constraint voice_has_limits CHECK (((type = 'voice'::text) OR (num_nonnulls(user_limit, bitrate) = 0)))
);
CREATE INDEX channels_besides_threads ON channels USING btree (server_id, id) WHERE (type <> 'thread'::text);
CREATE INDEX channels_by_icon ON channels USING btree (icon_file_id) WHERE (icon_file_id IS NOT NULL);
CREATE INDEX channels_flipped ON channels USING btree (flipped_at) WHERE (flipped_at IS NOT NULL);
CREATE INDEX channels_of_nobody ON channels USING btree (id) WHERE ((type = 'group'::text) AND (participant_count = 0));
CREATE INDEX channels_of_parent ON channels USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX channels_public ON channels USING btree (server_id) WHERE (public_since IS NOT NULL);
CREATE UNIQUE INDEX one_thread_a_message ON channels USING btree (message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX posts_by_age ON channels USING btree (parent_id, id) WHERE (tag_ids IS NOT NULL);
CREATE INDEX posts_by_answer ON channels USING btree (answer_message_id) WHERE (answer_message_id IS NOT NULL);
CREATE INDEX posts_by_first_message ON channels USING btree (first_message_id) WHERE (first_message_id IS NOT NULL);
CREATE INDEX posts_by_votes ON channels USING btree (parent_id, votes, id) WHERE (tag_ids IS NOT NULL);
CREATE INDEX posts_pinned ON channels USING btree (parent_id) WHERE pinned;
CREATE INDEX posts_unarchived ON channels USING btree (parent_id) WHERE ((tag_ids IS NOT NULL) AND (archived_at IS NULL));
CREATE INDEX threads_archived ON channels USING btree (parent_id, archive_active_at, id) WHERE ((type = 'thread'::text) AND (archived_at IS NOT NULL));
CREATE INDEX threads_of_owner ON channels USING btree (owner_id) WHERE (type = 'thread'::text);
CREATE INDEX threads_unarchived ON channels USING btree (server_id) WHERE ((type = 'thread'::text) AND (archived_at IS NULL) AND (tag_ids IS NULL));
CREATE TRIGGER channel_created AFTER INSERT ON channels FOR EACH ROW WHEN (((new.parent_id IS NOT NULL) AND (new.type <> 'thread'::text))) EXECUTE FUNCTION parent_changed();
CREATE TRIGGER channel_moved AFTER UPDATE OF parent_id ON channels FOR EACH ROW WHEN (((old.parent_id IS DISTINCT FROM new.parent_id) AND (new.type <> 'thread'::text))) EXECUTE FUNCTION parent_changed();
CREATE TRIGGER count_channel_in AFTER INSERT ON channels FOR EACH ROW WHEN ((new.type <> 'thread'::text)) EXECUTE FUNCTION count_channel();
CREATE TRIGGER count_channel_out AFTER DELETE ON channels FOR EACH ROW WHEN ((old.type <> 'thread'::text)) EXECUTE FUNCTION count_channel();
CREATE TRIGGER forget_thread_name AFTER UPDATE OF message_id ON channels FOR EACH ROW WHEN (((old.message_id IS NOT NULL) AND (old.message_id IS DISTINCT FROM new.message_id))) EXECUTE FUNCTION forget_thread_name();
CREATE TRIGGER post_lost_message AFTER UPDATE OF first_message_id, answer_message_id ON channels FOR EACH ROW WHEN (((new.parent_id IS NOT NULL) AND (((old.first_message_id IS NOT NULL) AND (new.first_message_id IS NULL)) OR ((old.answer_message_id IS NOT NULL) AND (new.answer_message_id IS NULL))))) EXECUTE FUNCTION thread_lost_message();
CREATE TRIGGER thread_lost_message AFTER UPDATE OF message_id ON channels FOR EACH ROW WHEN (((old.message_id IS NOT NULL) AND (new.message_id IS NULL) AND (new.parent_id IS NOT NULL))) EXECUTE FUNCTION thread_lost_message();

-- When an account last wrote where slowmode is on. Deleting the message changes nothing.
create table slowmode_marks (
  -- The account.
  user_id bigint not null,
  -- The channel.
  channel_id bigint not null,
  -- When.
  sent_at timestamp(3) with time zone not null,
  constraint slowmode_marks_pkey PRIMARY KEY (user_id, channel_id),
  constraint slowmode_marks_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint slowmode_marks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX slowmode_marks_channel_id_idx ON slowmode_marks USING btree (channel_id);
CREATE INDEX slowmode_marks_sent_at_idx ON slowmode_marks USING btree (sent_at);

-- What an account wants to be notified of, for a server, channel or category.
create table notification_settings (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The account.
  user_id bigint not null,
  -- The server.
  server_id bigint,
  -- The channel.
  channel_id bigint,
  -- all, mentions or nothing; of a forum also all_posts; null inherits.
  level text,
  -- Muted until then.
  muted_until timestamp(3) with time zone,
  -- Ignore @everyone and @here; null inherits.
  suppress_everyone boolean,
  -- A channel to choose is listed; null: as its opt_in_since says.
  listed boolean,
  constraint one_setting_a_place UNIQUE NULLS NOT DISTINCT (user_id, server_id, channel_id),
  constraint notification_settings_pkey PRIMARY KEY (id),
  constraint notification_settings_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint notification_settings_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint notification_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint all_posts_of_forum CHECK (((level IS DISTINCT FROM 'all_posts'::text) OR (channel_id IS NOT NULL))),
  constraint notification_settings_check CHECK (((server_id IS NOT NULL) OR (channel_id IS NOT NULL))),
  constraint notification_settings_level_check CHECK ((level = ANY (ARRAY['all'::text, 'mentions'::text, 'nothing'::text, 'all_posts'::text])))
);
CREATE INDEX notification_settings_channel_id_idx ON notification_settings USING btree (channel_id) WHERE (channel_id IS NOT NULL);
CREATE INDEX notification_settings_server_id_idx ON notification_settings USING btree (server_id) WHERE (server_id IS NOT NULL);
CREATE INDEX notification_settings_user_id_channel_id_idx ON notification_settings USING btree (user_id, channel_id);
CREATE INDEX notification_settings_user_id_id_idx ON notification_settings USING btree (user_id, id);

-- How far an account has read a channel.
create table read_marks (
  -- The account.
  user_id bigint not null,
  -- The channel.
  channel_id bigint not null,
  -- Read up to this id.
  message_id bigint not null,
  -- The account marked later messages as unread.
  moved_back boolean not null default false,
  constraint read_marks_pkey PRIMARY KEY (user_id, channel_id),
  constraint read_marks_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint read_marks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX read_marks_channel_id_idx ON read_marks USING btree (channel_id);
CREATE INDEX read_marks_moved_back ON read_marks USING btree (user_id) WHERE moved_back;

-- Accounts that follow a thread.
create table thread_followers (
  -- The channel.
  channel_id bigint not null,
  -- The account.
  user_id bigint not null,
  constraint thread_followers_pkey PRIMARY KEY (user_id, channel_id),
  constraint thread_followers_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint thread_followers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX thread_followers_channel_id_idx ON thread_followers USING btree (channel_id);
CREATE TRIGGER thread_followed AFTER INSERT ON thread_followers FOR EACH ROW EXECUTE FUNCTION mark_followed_thread();

-- Threads whose changed counts are still to be published.
create table thread_changes (
  -- The channel.
  channel_id bigint not null,
  -- The thread came back from the archive: clients must learn who follows it.
  is_back boolean not null default false,
  -- The change was published.
  is_told boolean not null default false,
  -- When to publish.
  due_at timestamp(3) with time zone not null default now(),
  -- Accounts that a mentioned role made followers and that have not been sent it.
  called_ids bigint[] not null default '{}'::bigint[],
  -- The post was hidden, which is still to be published to those who do not see it.
  hides boolean not null default false,
  constraint thread_changes_pkey PRIMARY KEY (channel_id),
  constraint thread_changes_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);
CREATE INDEX thread_changes_due_at_idx ON thread_changes USING btree (due_at);

-- ## dms

-- Accounts in dms and groups.
create table participants (
  -- The channel.
  channel_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- The other account of a dm; null in a group.
  other_id bigint,
  -- Newest message of the dm.
  last_message_id bigint,
  -- Unread messages of the dm.
  unread_count integer not null default 0,
  -- The dm is hidden until a message after this id.
  hidden_id bigint not null default 0,
  -- False while the dm has no message and the account did not open it.
  is_open boolean not null default true,
  -- When the account came into the group.
  joined_at timestamp(3) with time zone not null default now(),
  -- What the account makes of a dm that a stranger began: waiting, ignored or accepted; null: no stranger did.
  request text,
  -- The newest message when that changed.
  request_id bigint,
  -- When the stranger began it.
  requested_at timestamp with time zone,
  constraint one_dm_a_pair UNIQUE (user_id, other_id),
  constraint participants_pkey PRIMARY KEY (channel_id, user_id),
  constraint participants_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint participants_other_id_fkey FOREIGN KEY (other_id) REFERENCES users(id),
  constraint participants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint participants_request_check CHECK ((request = ANY (ARRAY['waiting'::text, 'ignored'::text, 'accepted'::text]))),
  constraint request_is_whole CHECK (((request IS NULL) = (requested_at IS NULL)))
);
CREATE INDEX dms_without_messages ON participants USING btree (channel_id) WHERE ((other_id IS NOT NULL) AND (last_message_id IS NULL) AND is_open);
CREATE INDEX participants_by_newest ON participants USING btree (user_id, last_message_id) WHERE (last_message_id > hidden_id);
CREATE INDEX participants_of_groups ON participants USING btree (user_id, channel_id) WHERE (other_id IS NULL);
CREATE INDEX participants_requested ON participants USING btree (other_id, requested_at) WHERE (requested_at IS NOT NULL);
CREATE TRIGGER count_participant_in AFTER INSERT ON participants FOR EACH ROW WHEN ((new.other_id IS NULL)) EXECUTE FUNCTION count_participant();
CREATE TRIGGER count_participant_out AFTER DELETE ON participants FOR EACH ROW WHEN ((old.other_id IS NULL)) EXECUTE FUNCTION count_participant();
CREATE TRIGGER request_changed BEFORE UPDATE ON participants FOR EACH ROW WHEN ((old.request IS DISTINCT FROM new.request)) EXECUTE FUNCTION request_changed();

-- Accounts that left a group or were removed: only its owner adds them again.
create table group_departures (
  -- The channel.
  channel_id bigint not null,
  -- The account.
  user_id bigint not null,
  constraint group_departures_pkey PRIMARY KEY (channel_id, user_id),
  constraint group_departures_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint group_departures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX group_departures_user_id_idx ON group_departures USING btree (user_id);

-- Nonces of groups that were made, so that a repeated request makes one group.
create table group_nonces (
  -- Who made it.
  owner_id bigint not null,
  -- The client's name for the request.
  nonce text not null,
  -- Hash of the request: another one with the nonce is refused.
  request_hash bytea not null,
  -- The channel.
  channel_id bigint not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  constraint group_nonces_pkey PRIMARY KEY (owner_id, nonce),
  constraint group_nonces_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX group_nonces_created_at_idx ON group_nonces USING btree (created_at);

-- ## embeds

-- Webhooks: other programs write in a channel by a URL.
create table webhooks (
  -- The account that writes.
  id bigint not null,
  -- The channel.
  channel_id bigint not null,
  -- Who made or renewed the URL.
  creator_id bigint,
  -- The creator may mention everyone, so may the webhook.
  mentions_everyone boolean not null default false,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  constraint webhook_gone TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint webhooks_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES users(living_id),
  constraint webhooks_id_fkey FOREIGN KEY (id) REFERENCES users(id)
);
CREATE INDEX webhooks_channel_id_idx ON webhooks USING btree (channel_id);
CREATE INDEX webhooks_creator_id_idx ON webhooks USING btree (creator_id);
CREATE CONSTRAINT TRIGGER webhook_gone AFTER DELETE ON webhooks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION webhook_gone();

-- Secrets of the URLs.
create table webhook_tokens (
  -- The webhook.
  webhook_id bigint not null,
  -- SHA-256 of the token.
  hash bytea not null,
  constraint webhook_tokens_pkey PRIMARY KEY (webhook_id),
  constraint webhook_tokens_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
);

-- Messages whose links are to be fetched.
create table preview_jobs (
  -- The message.
  message_id bigint not null,
  -- Whose share of the queue the job takes.
  author_id bigint not null,
  -- Set anew when the message changes.
  queued_at timestamp with time zone not null default clock_timestamp(),
  -- Next attempt, or when another process may take the job over.
  due_at timestamp(3) with time zone not null default now(),
  -- Attempts so far.
  attempts integer not null default 0,
  constraint preview_jobs_pkey PRIMARY KEY (message_id),
  constraint preview_jobs_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE
);
CREATE INDEX preview_jobs_author_id_idx ON preview_jobs USING btree (author_id);
CREATE INDEX preview_jobs_due_at_idx ON preview_jobs USING btree (due_at);

-- What a page gave for its preview, for an hour.
create table preview_pages (
  -- SHA-256 of the address.
  hash bytea not null,
  -- Whose link caused the request.
  asked_by bigint,
  -- When.
  fetched_at timestamp(3) with time zone not null default now(),
  -- A process fetches it until then.
  leased_until timestamp(3) with time zone,
  -- Title, text and the like; null if the page gave nothing.
  preview json,
  -- Its picture.
  picture_id bigint,
  constraint preview_pages_pkey PRIMARY KEY (hash),
  constraint preview_pages_picture_id_fkey FOREIGN KEY (picture_id) REFERENCES preview_pictures(id)
);
CREATE INDEX preview_pages_asked_by_fetched_at_idx ON preview_pages USING btree (asked_by, fetched_at);
CREATE INDEX preview_pages_fetched_at_idx ON preview_pages USING btree (fetched_at);
CREATE INDEX preview_pages_picture_id_idx ON preview_pages USING btree (picture_id) WHERE (picture_id IS NOT NULL);

-- Pictures of previews, made anew by the server.
create table preview_pictures (
  -- Primary key.
  id bigint not null generated always as identity,
  -- Where the picture is in the object store.
  key text not null,
  -- Pixels.
  width integer not null,
  -- Pixels.
  height integer not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- SHA-256 of its address.
  url_hash bytea,
  -- SHA-256 of its bytes: equal pictures are stored once.
  bytes_hash bytea,
  constraint preview_pictures_key_key UNIQUE (key),
  constraint preview_pictures_pkey PRIMARY KEY (id)
);
CREATE INDEX preview_pictures_url_hash_idx ON preview_pictures USING btree (url_hash) WHERE (url_hash IS NOT NULL);
CREATE TRIGGER preview_picture_gone AFTER DELETE ON preview_pictures FOR EACH ROW EXECUTE FUNCTION preview_picture_gone();

-- Pictures that may be unused by now.
create table preview_picture_checks (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The picture.
  picture_id bigint not null,
  -- When to look.
  due_at timestamp(3) with time zone not null default now(),
  constraint preview_picture_checks_pkey PRIMARY KEY (id)
);
CREATE INDEX preview_picture_checks_due_at_idx ON preview_picture_checks USING btree (due_at);

-- How far the event log has been read for links. One row.
create table preview_position (
  -- Always true: there is one row.
  single boolean not null default true,
  -- Transaction of the last event.
  xid text not null,
  -- Primary key.
  id bigint not null,
  constraint preview_position_pkey PRIMARY KEY (single),
  constraint preview_position_single_check CHECK (single)
);

-- Pictures that a webhook's message names and the server has to fetch.
create table wanted_pictures (
  -- The message.
  message_id bigint not null,
  -- Number of the embed.
  at integer not null,
  -- image, thumbnail or avatar.
  place text not null,
  -- Address.
  url text not null,
  -- Whose share of the queue it takes.
  author_id bigint not null,
  constraint wanted_pictures_pkey PRIMARY KEY (message_id, at, place),
  constraint wanted_pictures_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE,
  constraint wanted_pictures_place_check CHECK ((place = ANY (ARRAY['image'::text, 'thumbnail'::text, 'avatar'::text])))
);
CREATE INDEX wanted_pictures_author_id_message_id_idx ON wanted_pictures USING btree (author_id, message_id) WHERE (place = 'avatar'::text);
CREATE INDEX wanted_pictures_message_id_idx ON wanted_pictures USING btree (message_id) WHERE (place = 'avatar'::text);

-- ## emoji

-- Custom emoji of servers.
create table emojis (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The server.
  server_id bigint not null,
  -- Name between the colons.
  name text not null,
  -- Where the picture is in the object store.
  key text not null,
  -- Who made it.
  creator_id bigint not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- When it was deleted; messages that use it still show it.
  deleted_at timestamp(3) with time zone,
  -- Bytes of the picture, which count for the server; 0 for an emoji from before they did.
  size bigint not null default 0,
  constraint emojis_key_key UNIQUE (key),
  constraint emojis_pkey PRIMARY KEY (id),
  constraint emojis_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES users(id),
  constraint emojis_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX emoji_name_taken ON emojis USING btree (server_id, name) WHERE (deleted_at IS NULL);
CREATE INDEX emojis_creator_id_idx ON emojis USING btree (creator_id);
CREATE INDEX emojis_of_server ON emojis USING btree (server_id, id);
CREATE TRIGGER emoji_gone AFTER DELETE ON emojis FOR EACH ROW EXECUTE FUNCTION emoji_gone();
CREATE TRIGGER emoji_released AFTER DELETE ON emojis FOR EACH ROW WHEN ((old.size > 0)) EXECUTE FUNCTION asset_gone();

-- ## events

-- The event log: durable events, from which clients resume and processes catch up.
create table events (
  -- Primary key.
  id bigint not null generated always as identity,
  -- Transaction that wrote it.
  xid xid8 not null default pg_current_xact_id(),
  -- Oldest running transaction at that time: what a reader could not see yet.
  xmin_then xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
  -- When the row was made.
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  -- Type of the event.
  type text not null,
  -- Topic that it is published to.
  topic text not null,
  -- Account that receives it, for events of one account.
  user_id bigint,
  -- The server.
  server_id bigint,
  -- The channel.
  channel_id bigint,
  -- The message, channel or the like that it is about: deleting that empties the event.
  resource text not null,
  -- The event as sent; null once it has been emptied.
  body json,
  constraint events_pkey PRIMARY KEY (id)
);
CREATE INDEX events_in_order ON events USING btree (xid, id);
CREATE INDEX events_of_author ON events USING btree (((((body -> 'author'::text) ->> 'id'::text))::bigint)) WHERE ((type = 'message.updated'::text) AND (body IS NOT NULL));
CREATE INDEX events_of_resource ON events USING btree (resource);
CREATE INDEX events_of_server ON events USING btree (server_id, xid) WHERE (server_id IS NOT NULL);
CREATE INDEX events_of_user ON events USING btree (user_id, xid) WHERE (user_id IS NOT NULL);
CREATE TRIGGER forget_forwarded BEFORE INSERT OR UPDATE OF body ON events FOR EACH ROW WHEN ((POSITION(('"forwarded":{"'::text) IN ((new.body)::text)) > 0)) EXECUTE FUNCTION forget_forwarded();

-- The database system that the event log belongs to. A log restored elsewhere is emptied. One row.
create table event_log_origin (
  -- Always true: there is one row.
  single boolean not null default true,
  -- PostgreSQL's identifier of the cluster.
  system_identifier bigint not null,
  -- When the log began.
  since timestamp(3) with time zone not null default now(),
  -- Timeline of PostgreSQL that the log was written on; null if the server may not ask.
  timeline integer,
  -- Clients resume from this event on; a failover may have lost earlier ones.
  resumable_from bigint not null default 0,
  constraint event_log_origin_pkey PRIMARY KEY (single),
  constraint event_log_origin_single_check CHECK (single)
);

-- ## files

-- Uploaded files, in messages, or as avatars and icons.
create table files (
  -- Primary key.
  id bigint not null generated always as identity,
  -- Who uploaded it.
  uploader_id bigint not null,
  -- The message that carries it.
  message_id bigint,
  -- Order in the message.
  ordinal integer not null default 0,
  -- Name for downloads.
  filename text not null,
  -- Media type, as the server recognised it.
  content_type text not null,
  -- Bytes.
  size bigint not null,
  -- Pixels, of a picture.
  width integer,
  -- Pixels, of a picture.
  height integer,
  -- Where the bytes are in the object store.
  key text not null,
  -- Where the thumbnail is.
  thumbnail_key text,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Length of a sound.
  duration_ms integer,
  -- Loudness of a sound over time.
  waveform text,
  -- The file at the beginning of a chain of copies, for a forward's file.
  copied_from bigint,
  -- The uploader wanted place, camera and the like to stay in it.
  keeps_metadata boolean not null default false,
  -- The scheduled message that it waits with.
  scheduled_id bigint,
  -- What it shows, for those who do not see it.
  alt text,
  constraint files_key_key UNIQUE (key),
  constraint files_pkey PRIMARY KEY (id),
  constraint files_of_message FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE,
  constraint files_scheduled_id_fkey FOREIGN KEY (scheduled_id) REFERENCES scheduled_messages(id) ON DELETE SET NULL,
  constraint files_uploader_id_fkey FOREIGN KEY (uploader_id) REFERENCES users(id),
  constraint files_alt_check CHECK (((char_length(alt) >= 1) AND (char_length(alt) <= 1000))),
  constraint files_check CHECK (((message_id IS NULL) OR (scheduled_id IS NULL)))
);
CREATE INDEX files_by_age ON files USING btree (created_at);
CREATE INDEX files_by_original ON files USING btree (copied_from) WHERE (copied_from IS NOT NULL);
CREATE INDEX files_message_id_idx ON files USING btree (message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX files_of_uploader ON files USING btree (uploader_id, id);
CREATE INDEX files_scheduled_id_idx ON files USING btree (scheduled_id) WHERE (scheduled_id IS NOT NULL);
CREATE INDEX files_unattached ON files USING btree (created_at) WHERE (message_id IS NULL);
CREATE TRIGGER check_copies AFTER DELETE ON files REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION check_copies();
CREATE TRIGGER file_gone AFTER DELETE ON files FOR EACH ROW EXECUTE FUNCTION file_gone();
CREATE TRIGGER file_stored AFTER INSERT ON files FOR EACH ROW EXECUTE FUNCTION file_stored();

-- Pictures that accounts keep for themselves.
create table favourites (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The account.
  user_id bigint not null,
  -- Its copy of the picture.
  file_id bigint not null,
  -- The file that was copied; it may be gone.
  source_id bigint not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  constraint favourites_file_id_key UNIQUE (file_id),
  constraint one_favourite_a_picture UNIQUE (user_id, source_id),
  constraint favourites_pkey PRIMARY KEY (id),
  constraint favourites_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id) ON DELETE CASCADE,
  constraint favourites_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);

-- Files from before version 0.16 whose metadata an operator wants removed.
create table file_cleanings (
  -- The file.
  file_id bigint not null,
  -- Next attempt.
  due_at timestamp(3) with time zone not null default now(),
  -- Attempts so far.
  attempts integer not null default 0,
  constraint file_cleanings_pkey PRIMARY KEY (file_id),
  constraint file_cleanings_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id) ON DELETE CASCADE
);
CREATE INDEX file_cleanings_due_at_idx ON file_cleanings USING btree (due_at);

-- Uploads that have a URL and no file yet.
create table uploads (
  -- Where the bytes go in the object store.
  key text not null,
  -- The account.
  user_id bigint not null,
  -- Name that was asked for.
  filename text not null,
  -- Media type that was asked for.
  content_type text not null,
  -- Bytes that were asked for; the URL takes no more.
  size bigint not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- When the URL ends.
  expires_at timestamp(3) with time zone not null,
  constraint uploads_pkey PRIMARY KEY (key),
  constraint uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX uploads_expires_at_idx ON uploads USING btree (expires_at);
CREATE INDEX uploads_user_id_idx ON uploads USING btree (user_id);

-- Objects to delete. A later due_at protects an object that is being made.
create table object_outbox (
  -- The object.
  key text not null,
  -- When to delete it.
  due_at timestamp(3) with time zone not null default now(),
  -- Failed attempts.
  attempts integer not null default 0,
  constraint object_outbox_pkey PRIMARY KEY (key)
);
CREATE INDEX object_outbox_due_at_idx ON object_outbox USING btree (due_at);

-- ## installation

-- Migrations that ran.
create table migrations (
  -- File.
  name text not null,
  -- SHA-256 of its source.
  digest text not null,
  -- When.
  ran_at timestamp(3) with time zone not null default now(),
  -- Version of the program that ran it.
  version text,
  constraint migrations_pkey PRIMARY KEY (name)
);

-- Files of sql/functions as they are installed.
create table installed_functions (
  -- File, without the ending.
  name text not null,
  -- SHA-256 of its source.
  digest text not null,
  constraint installed_functions_pkey PRIMARY KEY (name)
);

-- Secrets that the processes of an installation share.
create table secrets (
  -- Name.
  name text not null,
  -- Value.
  value text not null,
  constraint secrets_pkey PRIMARY KEY (name)
);

-- Settings that operators change at run time.
create table installation_settings (
  -- Name.
  name text not null,
  -- Value.
  value text not null,
  constraint installation_settings_pkey PRIMARY KEY (name),
  constraint installation_settings_check CHECK (((name = 'registration'::text) AND (value = ANY (ARRAY['open'::text, 'invite'::text, 'closed'::text]))))
);

-- What operators did.
create table admin_log (
  -- Primary key.
  id bigint not null generated always as identity,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Name of the operator, or of the command line.
  operator text not null,
  -- What.
  action text not null,
  -- The kind of thing that was changed.
  target_type text,
  -- Its id.
  target_id bigint,
  -- Details.
  changes jsonb not null default '{}'::jsonb,
  -- The operator's account.
  operator_id bigint,
  constraint admin_log_pkey PRIMARY KEY (id),
  constraint admin_log_check CHECK (((target_type IS NULL) = (target_id IS NULL)))
);
CREATE INDEX admin_log_target_type_target_id_idx ON admin_log USING btree (target_type, target_id) WHERE (target_id IS NOT NULL);

-- Backups that the server made.
create table backups (
  -- Primary key.
  id bigint not null generated always as identity,
  -- When it began.
  at timestamp(3) with time zone not null,
  -- When it was complete.
  finished_at timestamp(3) with time zone not null default now(),
  -- manual, automatic or upgrade.
  kind text not null,
  -- Name of the file.
  file text,
  -- Size.
  bytes bigint not null,
  -- Under a passphrase.
  is_encrypted boolean not null,
  constraint backups_pkey PRIMARY KEY (id),
  constraint backups_kind_check CHECK ((kind = ANY (ARRAY['manual'::text, 'automatic'::text, 'upgrade'::text])))
);

-- Checks of backups by VERIFY_EVERY.
create table backup_checks (
  -- Primary key.
  id bigint not null generated always as identity,
  -- When it ended.
  at timestamp(3) with time zone not null default now(),
  -- Name of the file in BACKUP_DIR.
  file text not null,
  -- Why the backup is not intact; null if it is.
  problem text,
  constraint backup_checks_pkey PRIMARY KEY (id),
  constraint backup_checks_file_check CHECK (((char_length(file) >= 1) AND (char_length(file) <= 255))),
  constraint backup_checks_problem_check CHECK (((char_length(problem) >= 1) AND (char_length(problem) <= 1000)))
);
CREATE INDEX backup_checks_by_time ON backup_checks USING btree (at);

-- Figures of the operator's page, a row a minute, thinned out with age.
create table samples (
  -- When.
  at timestamp(3) with time zone not null,
  -- Seconds that the row covers.
  seconds integer not null,
  -- Open sockets.
  sockets integer not null,
  -- Requests.
  requests bigint not null,
  -- Answers with 5xx.
  failures bigint not null,
  -- Largest delay of the event loop.
  lag_ms integer not null,
  -- Resident memory.
  memory_bytes bigint not null,
  -- Messages sent.
  messages bigint not null,
  -- Free bytes of DATA_DIR.
  free_bytes bigint,
  -- Accounts.
  accounts integer,
  -- Size of the database.
  database_bytes bigint,
  constraint samples_pkey PRIMARY KEY (seconds, at),
  constraint samples_seconds_check CHECK ((seconds = ANY (ARRAY[60, 3600])))
);

-- Imports from Discord.
create table imports (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The server.
  server_id bigint not null,
  -- Id of the source.
  source text not null,
  -- When.
  begun_at timestamp(3) with time zone not null default now(),
  -- When it was complete.
  finished_at timestamp(3) with time zone,
  constraint imports_server_id_key UNIQUE (server_id),
  constraint imports_pkey PRIMARY KEY (id),
  constraint imports_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE
);
CREATE INDEX imports_source_idx ON imports USING btree (source);

-- What an import made of each part of the source.
create table import_parts (
  -- The import.
  import_id bigint not null,
  -- channel, author, role or emoji.
  kind text not null,
  -- Id in the source.
  source text not null,
  -- Id here.
  target_id bigint not null,
  -- Of a channel: the last imported message, by its id in the source.
  done_until bigint not null default 0,
  constraint import_parts_pkey PRIMARY KEY (import_id, kind, source),
  constraint import_parts_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE,
  constraint import_parts_kind_check CHECK ((kind = ANY (ARRAY['channel'::text, 'author'::text, 'role'::text, 'emoji'::text, 'sticker'::text])))
);

-- Imported messages, for replies and repeated runs.
create table import_messages (
  -- The import.
  import_id bigint not null,
  -- Id in the source.
  source bigint not null,
  -- The message.
  message_id bigint not null,
  constraint import_messages_pkey PRIMARY KEY (import_id, source),
  constraint import_messages_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE
);

-- ## messages

-- Messages of all channels.
create table messages (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The channel.
  channel_id bigint not null,
  -- default, or a notice such as joined, pinned or call.
  kind text not null default 'default'::text,
  -- Author: a person, a bot or a webhook.
  author_id bigint not null,
  -- Text.
  content text not null,
  -- Accounts that the text mentions.
  mention_ids bigint[] not null default '{}'::bigint[],
  -- The message that it answers; kept after that one is gone.
  reply_to_id bigint,
  -- The client's name for the send.
  nonce text,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Last edit.
  edited_at timestamp(3) with time zone,
  -- The other account, in a dm.
  recipient_id bigint,
  -- When the recipient read it, in a dm.
  read_at timestamp(3) with time zone,
  -- When the sender heard of that, where it differs: infinity until then.
  receipt_at timestamp(3) with time zone,
  -- Roles that the text mentions.
  mention_role_ids bigint[] not null default '{}'::bigint[],
  -- The text mentions everyone.
  mention_everyone boolean not null default false,
  -- The text mentions here.
  mention_here boolean not null default false,
  -- The reply mentions the author of what it answers.
  reply_mention boolean not null default true,
  -- When it was pinned.
  pinned_at timestamp(3) with time zone,
  -- A thread began at it.
  began_thread boolean not null default false,
  -- The message that it forwards; kept after that one is gone.
  forwarded_id bigint,
  -- Text and emoji of the forwarded message as of the forward.
  forwarded json,
  -- Facts of a notice, or components of a bot's message.
  data json,
  -- It has reactions.
  reacted boolean not null default false,
  -- Cards: of a webhook or bot, or previews of links.
  embeds json,
  -- Somebody removed the previews.
  embeds_suppressed boolean not null default false,
  -- The version, by time of sending or edit, whose links have been fetched.
  previewed_version timestamp(3) with time zone,
  -- Name of the author in this message, of a webhook or import.
  author_name text,
  -- Roles that edits added (0 for everyone, -1 for here): they push no notice.
  calls_by_edit bigint[],
  -- It has a poll.
  polled boolean not null default false,
  -- Its sticker, which may be gone.
  sticker_id bigint,
  constraint messages_pkey PRIMARY KEY (id),
  constraint messages_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  constraint messages_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint messages_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES users(id)
);
CREATE INDEX messages_by_forwarded ON messages USING btree (forwarded_id, id) WHERE (forwarded_id IS NOT NULL);
CREATE INDEX messages_calling ON messages USING btree (channel_id, id) INCLUDE (author_id, mention_everyone, mention_here, mention_role_ids) WHERE (mention_everyone OR mention_here OR (mention_role_ids <> '{}'::bigint[]));
CREATE INDEX messages_of_author ON messages USING btree (author_id, id);
CREATE INDEX messages_pinned ON messages USING btree (channel_id, pinned_at, id) WHERE (pinned_at IS NOT NULL);
CREATE INDEX messages_read_quietly ON messages USING btree (channel_id, recipient_id, id) WHERE (receipt_at = 'infinity'::timestamp with time zone);
CREATE INDEX messages_unread ON messages USING btree (channel_id, recipient_id, id) WHERE ((recipient_id IS NOT NULL) AND (read_at IS NULL));
CREATE TRIGGER check_forwards AFTER DELETE ON messages REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION check_forwards();
CREATE TRIGGER count_dm_in AFTER INSERT ON messages FOR EACH ROW WHEN ((new.recipient_id IS NOT NULL)) EXECUTE FUNCTION count_dm();
CREATE TRIGGER count_dm_out AFTER DELETE ON messages FOR EACH ROW WHEN ((old.recipient_id IS NOT NULL)) EXECUTE FUNCTION count_dm();
CREATE TRIGGER embeds_of_data BEFORE INSERT ON messages FOR EACH ROW WHEN ((new.data IS NOT NULL)) EXECUTE FUNCTION embeds_of_data();
CREATE TRIGGER emojis_of_changed AFTER UPDATE OF content ON messages FOR EACH ROW WHEN (((old.content ~~ '%<:%'::text) OR (new.content ~~ '%<:%'::text))) EXECUTE FUNCTION note_emojis();
CREATE TRIGGER emojis_of_new AFTER INSERT ON messages FOR EACH ROW WHEN ((new.content ~~ '%<:%'::text)) EXECUTE FUNCTION note_emojis();
CREATE TRIGGER forget_search_document AFTER UPDATE OF content ON messages FOR EACH ROW WHEN ((old.content IS DISTINCT FROM new.content)) EXECUTE FUNCTION forget_search_document();
CREATE TRIGGER forget_search_documents AFTER DELETE ON messages REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_search_documents();
CREATE TRIGGER mentions_edited AFTER UPDATE OF mention_ids ON messages FOR EACH ROW WHEN ((old.mention_ids <> new.mention_ids)) EXECUTE FUNCTION record_mentions();
CREATE TRIGGER mentions_sent AFTER INSERT ON messages FOR EACH ROW WHEN ((new.mention_ids <> '{}'::bigint[])) EXECUTE FUNCTION record_mentions();
CREATE TRIGGER note_edited_calls BEFORE UPDATE OF mention_role_ids, mention_everyone, mention_here ON messages FOR EACH ROW WHEN (((new.mention_role_ids <> '{}'::bigint[]) OR new.mention_everyone OR new.mention_here)) EXECUTE FUNCTION note_edited_calls();
CREATE TRIGGER uncount_thread_messages AFTER DELETE ON messages REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION uncount_thread_messages();
CREATE TRIGGER unpin_deleted AFTER DELETE ON messages FOR EACH ROW WHEN ((old.pinned_at IS NOT NULL)) EXECUTE FUNCTION unpin_deleted();

-- Deleted messages and files of which forwards and copies may have to be emptied.
create table forward_checks (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The message; null for a file.
  original_id bigint,
  -- The file; null for a message.
  file_id bigint,
  -- When to look.
  due_at timestamp(3) with time zone not null default now(),
  constraint forward_checks_pkey PRIMARY KEY (id)
);
CREATE INDEX forward_checks_due_at_idx ON forward_checks USING btree (due_at);

-- Nonces of the last day, so that a repeated send answers the first message.
create table message_nonces (
  -- Who sent it.
  author_id bigint not null,
  -- The channel.
  channel_id bigint not null,
  -- The client's name for the send.
  nonce text not null,
  -- Hash of the request: another one with the nonce is refused.
  request_hash bytea not null,
  -- The message.
  message_id bigint not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  constraint message_nonces_author_id_channel_id_nonce_idx PRIMARY KEY (author_id, channel_id, nonce)
);
CREATE INDEX message_nonces_created_at_idx ON message_nonces USING btree (created_at);

-- Mentions of accounts by name or reply.
create table mentions (
  -- The channel.
  channel_id bigint not null,
  -- The message.
  message_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- An edit brought the mention: it pushes no notice.
  by_edit boolean not null default false,
  constraint mentions_pkey PRIMARY KEY (channel_id, message_id, user_id),
  constraint mentions_channel_id_message_id_fkey FOREIGN KEY (channel_id, message_id) REFERENCES messages(channel_id, id) ON DELETE CASCADE
);
CREATE INDEX mentions_in_channel ON mentions USING btree (user_id, channel_id, message_id);
CREATE INDEX mentions_newest ON mentions USING btree (user_id, message_id);

-- Custom emoji that a message shows.
create table message_emojis (
  -- The message.
  message_id bigint not null,
  -- The emoji.
  emoji_id bigint not null,
  constraint message_emojis_pkey PRIMARY KEY (message_id, emoji_id),
  constraint message_emojis_emoji_id_fkey FOREIGN KEY (emoji_id) REFERENCES emojis(id) ON DELETE CASCADE,
  constraint message_emojis_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE
);
CREATE INDEX message_emojis_emoji_id_idx ON message_emojis USING btree (emoji_id);

-- Pictures that previews of a message use.
create table message_pictures (
  -- The message.
  message_id bigint not null,
  -- The picture.
  picture_id bigint not null,
  constraint message_pictures_pkey PRIMARY KEY (message_id, picture_id),
  constraint message_pictures_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE,
  constraint message_pictures_picture_id_fkey FOREIGN KEY (picture_id) REFERENCES preview_pictures(id)
);
CREATE INDEX message_pictures_picture_id_idx ON message_pictures USING btree (picture_id);
CREATE TRIGGER preview_picture_released AFTER DELETE ON message_pictures FOR EACH ROW EXECUTE FUNCTION preview_picture_released();

-- Who reacted to a message with what.
create table message_reactions (
  -- The message.
  message_id bigint not null,
  -- The emoji, or the id of a custom one.
  emoji text not null,
  -- The account.
  user_id bigint not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  constraint message_reactions_pkey PRIMARY KEY (message_id, emoji, user_id),
  constraint message_reactions_message_id_emoji_fkey FOREIGN KEY (message_id, emoji) REFERENCES reaction_counts(message_id, emoji) ON DELETE CASCADE,
  constraint message_reactions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX message_reactions_user_id_message_id_idx ON message_reactions USING btree (user_id, message_id);

-- How many reacted with an emoji.
create table reaction_counts (
  -- New when the first of an emoji comes again after the last one went.
  id bigint not null generated always as identity,
  -- The message.
  message_id bigint not null,
  -- The emoji, or the id of a custom one.
  emoji text not null,
  -- How many.
  count integer not null,
  constraint reaction_counts_pkey PRIMARY KEY (message_id, emoji),
  constraint reaction_counts_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE,
  constraint reaction_counts_count_check CHECK ((count > 0))
);
CREATE TRIGGER reactions_changed AFTER INSERT OR DELETE ON reaction_counts FOR EACH ROW EXECUTE FUNCTION reactions_changed();

-- Messages that accounts have saved for later.
create table saved_messages (
  -- The account.
  user_id bigint not null,
  -- The message.
  message_id bigint not null,
  -- The account's note.
  note text,
  -- When to remind the account; in the past, until it deals with that.
  remind_at timestamp(3) with time zone,
  -- The event of the due reminder has been sent.
  is_announced boolean not null default false,
  -- When it was saved first.
  saved_at timestamp(3) with time zone not null default now(),
  constraint saved_messages_pkey PRIMARY KEY (user_id, message_id),
  constraint saved_messages_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE,
  constraint saved_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX saved_messages_message_id_idx ON saved_messages USING btree (message_id);
CREATE INDEX saved_messages_remind_at_idx ON saved_messages USING btree (remind_at) WHERE ((remind_at IS NOT NULL) AND (NOT is_announced));
CREATE INDEX saved_messages_user_id_remind_at_idx ON saved_messages USING btree (user_id, remind_at) WHERE (remind_at IS NOT NULL);

-- ## permissions

-- Named sets of permissions of a server.
create table roles (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The server.
  server_id bigint not null,
  -- Name.
  name text not null,
  -- Colour as #rrggbb; null for none.
  color text,
  -- Bits; see permission_bit().
  permissions bigint not null,
  -- Rank: members change only what stands below their highest role.
  position integer not null,
  -- The role that every member has.
  is_everyone boolean not null default false,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Last change.
  updated_at timestamp(3) with time zone not null default now(),
  -- Members with the role are listed apart.
  hoist boolean not null default false,
  -- Anybody may mention the role.
  mentionable boolean not null default false,
  -- The bot that the role belongs to.
  bot_id bigint,
  -- Members give it to themselves.
  self_assignable boolean not null default false,
  -- Path of its small picture; null: none.
  icon_url text,
  constraint roles_pkey PRIMARY KEY (id),
  constraint roles_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES users(living_id),
  constraint roles_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint everyone_is_lowest CHECK ((is_everyone = ("position" = 0)))
);
CREATE UNIQUE INDEX everyone_of_server ON roles USING btree (server_id) WHERE is_everyone;
CREATE INDEX roles_bot_id_idx ON roles USING btree (bot_id) WHERE (bot_id IS NOT NULL);
CREATE UNIQUE INDEX roles_server_id_bot_id_idx ON roles USING btree (server_id, bot_id) WHERE (bot_id IS NOT NULL);
CREATE INDEX roles_server_id_idx ON roles USING btree (server_id) WHERE self_assignable;
CREATE INDEX roles_server_id_position_idx ON roles USING btree (server_id, "position");
CREATE TRIGGER count_role AFTER INSERT OR DELETE ON roles FOR EACH ROW EXECUTE FUNCTION count_role();
CREATE TRIGGER demand_modest_role BEFORE INSERT OR UPDATE ON roles FOR EACH ROW WHEN (new.self_assignable) EXECUTE FUNCTION demand_modest_role();

-- Roles of members.
create table member_roles (
  -- The server.
  server_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- The role.
  role_id bigint not null,
  constraint member_roles_pkey PRIMARY KEY (server_id, user_id, role_id),
  constraint member_roles_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id) ON DELETE CASCADE,
  constraint member_roles_server_id_user_id_fkey FOREIGN KEY (server_id, user_id) REFERENCES members(server_id, user_id) ON DELETE CASCADE
);
CREATE INDEX member_roles_role_id_idx ON member_roles USING btree (role_id);
CREATE INDEX member_roles_user_id_idx ON member_roles USING btree (user_id);

-- What a channel or category allows or denies a role.
create table overwrites (
  -- The channel.
  channel_id bigint not null,
  -- The role.
  role_id bigint not null,
  -- Bits that are granted.
  allow bigint not null default 0,
  -- Bits that are taken.
  deny bigint not null default 0,
  constraint overwrites_pkey PRIMARY KEY (channel_id, role_id),
  constraint overwrites_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint overwrites_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id) ON DELETE CASCADE,
  constraint overwrites_check CHECK (((allow & deny) = 0))
);
CREATE INDEX overwrites_role_id_idx ON overwrites USING btree (role_id);
CREATE TRIGGER demand_modest_role BEFORE INSERT OR UPDATE ON overwrites FOR EACH ROW WHEN ((new.allow <> 0)) EXECUTE FUNCTION demand_modest_role();
CREATE TRIGGER overwrites_deleted AFTER DELETE ON overwrites REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION overwrites_changed();
CREATE TRIGGER overwrites_inserted AFTER INSERT ON overwrites REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION overwrites_changed();
CREATE TRIGGER overwrites_updated AFTER UPDATE ON overwrites REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION overwrites_changed();

-- Overwrites of a channel with those of its category where it has none, kept by triggers.
create table effective_overwrites (
  -- The channel.
  channel_id bigint not null,
  -- The role.
  role_id bigint not null,
  -- Bits that are granted.
  allow bigint not null,
  -- Bits that are taken.
  deny bigint not null,
  constraint effective_overwrites_pkey PRIMARY KEY (channel_id, role_id),
  constraint effective_overwrites_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  constraint effective_overwrites_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id) ON DELETE CASCADE
);
CREATE INDEX effective_overwrites_role_id_idx ON effective_overwrites USING btree (role_id);

-- What a channel or category allows or denies a single account.
create table member_overwrites (
  -- The server.
  server_id bigint not null,
  -- The channel.
  channel_id bigint not null,
  -- The account; denials stay after it has left the server.
  user_id bigint not null,
  -- Bits that are granted.
  allow bigint not null,
  -- Bits that are taken.
  deny bigint not null,
  constraint member_overwrites_pkey PRIMARY KEY (channel_id, user_id),
  constraint member_overwrites_server_id_channel_id_fkey FOREIGN KEY (server_id, channel_id) REFERENCES channels(server_id, id) ON DELETE CASCADE,
  constraint member_overwrites_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint member_overwrites_check CHECK (((allow & deny) = 0))
);
CREATE INDEX member_overwrites_user_id_server_id_idx ON member_overwrites USING btree (user_id, server_id);
CREATE TRIGGER member_overwrites_deleted AFTER DELETE ON member_overwrites REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION member_overwrites_changed();
CREATE TRIGGER member_overwrites_inserted AFTER INSERT ON member_overwrites REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION member_overwrites_changed();

-- Small pictures of roles.
create table role_icons (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The role.
  role_id bigint not null,
  -- Its server.
  server_id bigint not null,
  -- Unguessable last part of its URL; its object is role-icons/<key>.
  key text not null,
  -- Bytes, which the quota of the server counts.
  size bigint not null,
  -- The upload that it was made from, which is gone.
  file_id bigint not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  constraint role_icons_key_key UNIQUE (key),
  constraint role_icons_role_id_key UNIQUE (role_id),
  constraint role_icons_pkey PRIMARY KEY (id),
  constraint role_icons_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id) ON DELETE CASCADE,
  constraint role_icons_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE
);
CREATE INDEX role_icons_server_id_idx ON role_icons USING btree (server_id);
CREATE TRIGGER role_icon_gone AFTER DELETE ON role_icons FOR EACH ROW EXECUTE FUNCTION role_icon_gone();
CREATE TRIGGER role_icon_released AFTER DELETE ON role_icons FOR EACH ROW EXECUTE FUNCTION asset_gone();

-- ## polls

-- Polls in messages.
create table polls (
  -- The message.
  message_id bigint not null,
  -- The question.
  question text not null,
  -- Text and emoji of each answer; the id of an answer is its position, from 1.
  answers json not null,
  -- A vote may name several answers.
  multiple boolean not null,
  -- No row says who voted for what, and a vote is final.
  anonymous boolean not null,
  -- Votes by answer.
  counts integer[] not null,
  -- Accounts that voted.
  voter_count integer not null default 0,
  -- When it ends, unless somebody ends it before.
  ends_at timestamp(3) with time zone not null,
  -- When it ended.
  ended_at timestamp(3) with time zone,
  constraint polls_pkey PRIMARY KEY (message_id),
  constraint polls_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE
);
CREATE INDEX polls_ends_at_idx ON polls USING btree (ends_at) WHERE (ended_at IS NULL);

-- Votes: a row for each answer.
create table poll_votes (
  -- The poll.
  message_id bigint not null,
  -- The answer; 0 in an anonymous poll, where it only says that the account voted.
  answer_id smallint not null,
  -- The account.
  user_id bigint not null,
  constraint poll_votes_pkey PRIMARY KEY (message_id, answer_id, user_id),
  constraint poll_votes_message_id_fkey FOREIGN KEY (message_id) REFERENCES polls(message_id) ON DELETE CASCADE,
  constraint poll_votes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX poll_votes_user_id_message_id_idx ON poll_votes USING btree (user_id, message_id);

-- ## push

-- Devices that get notices by Web Push.
create table push_subscriptions (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The session of the device; the subscription ends with it.
  session_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- Address at the push service.
  endpoint text not null,
  -- The device's public key.
  p256dh text not null,
  -- The device's shared secret.
  auth text not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Since when the push service has taken nothing; null if the last attempt worked.
  failing_since timestamp(3) with time zone,
  constraint one_subscription_an_endpoint UNIQUE (endpoint),
  constraint push_subscriptions_session_id_key UNIQUE (session_id),
  constraint push_subscriptions_pkey PRIMARY KEY (id),
  constraint push_subscriptions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX push_subscriptions_user_id_idx ON push_subscriptions USING btree (user_id);

-- What an account wants on its devices.
create table push_settings (
  -- The account.
  user_id bigint not null,
  -- Leave out names and text.
  hide_content boolean not null default false,
  -- Hours without notices.
  quiet_hours jsonb,
  constraint push_settings_pkey PRIMARY KEY (user_id),
  constraint push_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);

-- Unread channels of accounts with devices.
create table push_places (
  -- The account.
  user_id bigint not null,
  -- The channel.
  channel_id bigint not null,
  -- When to decide; null until something happens.
  due_at timestamp(3) with time zone,
  -- Newest message that the account was notified of; 0 for none.
  told_id bigint not null default 0,
  -- Last change.
  changed_at timestamp(3) with time zone not null default now(),
  constraint push_places_pkey PRIMARY KEY (user_id, channel_id)
);
CREATE INDEX push_places_changed_at_idx ON push_places USING btree (changed_at);
CREATE INDEX push_places_channel_id_told_id_idx ON push_places USING btree (channel_id, told_id) WHERE (told_id > 0);
CREATE INDEX push_places_due_at_idx ON push_places USING btree (due_at) WHERE (due_at IS NOT NULL);

-- Notices that wait to be sent.
create table push_outbox (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The device.
  subscription_id bigint not null,
  -- The channel.
  channel_id bigint not null,
  -- message, call, reminder, event, promoted, or over (withdraws the one before).
  kind text not null,
  -- It rings.
  is_call boolean not null,
  -- The message.
  message_id bigint,
  -- Next attempt.
  due_at timestamp(3) with time zone not null default now(),
  -- After this nobody needs it.
  expires_at timestamp(3) with time zone not null,
  -- Attempts so far.
  attempts integer not null default 0,
  -- The saved message of a reminder, and of its end; 0 for others.
  remind_id bigint not null default 0,
  -- The event of a reminder or of a place that became free; 0 for others.
  event_id bigint not null default 0,
  -- The date of the event.
  event_n integer not null default 0,
  constraint one_notice_a_place UNIQUE (subscription_id, channel_id, is_call, remind_id, event_id, event_n),
  constraint push_outbox_pkey PRIMARY KEY (id),
  constraint push_outbox_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES push_subscriptions(id) ON DELETE CASCADE,
  constraint push_outbox_check CHECK (((message_id IS NULL) = (kind = ANY (ARRAY['call'::text, 'event'::text, 'promoted'::text, 'over'::text])))),
  constraint push_outbox_kind_check CHECK ((kind = ANY (ARRAY['message'::text, 'call'::text, 'reminder'::text, 'event'::text, 'promoted'::text, 'over'::text])))
);
CREATE INDEX push_outbox_due_at_idx ON push_outbox USING btree (due_at);

-- How far the event log has been read for notices. One row.
create table push_position (
  -- Always true: there is one row.
  single boolean not null default true,
  -- Transaction of the last event.
  xid text not null,
  -- Primary key.
  id bigint not null,
  constraint push_position_pkey PRIMARY KEY (single),
  constraint push_position_single_check CHECK (single)
);

-- ## reports

-- Messages and profiles that people have reported; one row for all who report the same.
create table reports (
  -- Primary key.
  id bigint not null generated always as identity,
  -- message or profile.
  subject text not null,
  -- The message, or the account.
  subject_id bigint not null,
  -- The server; null for a dm, a group, and a profile outside of servers.
  server_id bigint,
  -- The channel of the message; null for a profile.
  channel_id bigint,
  -- The channel whose readers see the message: of a thread, its parent.
  audience_id bigint,
  -- The reported account.
  author_id bigint not null,
  -- Who owns the reported bot, or made the reported webhook.
  responsible_id bigint,
  -- Only operators see it.
  for_operator boolean not null,
  -- open, resolved or dismissed.
  state text not null default 'open'::text,
  -- Accounts that have reported it.
  reporter_count integer not null default 0,
  -- Files that no space was left for.
  omitted_files integer not null default 0,
  -- Text and files are still kept.
  has_evidence boolean not null default true,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Last report or decision.
  updated_at timestamp(3) with time zone not null default now(),
  -- When it was resolved or dismissed.
  closed_at timestamp(3) with time zone,
  -- Who decided.
  closed_by bigint,
  -- What they noted.
  decision text,
  constraint reports_pkey PRIMARY KEY (id),
  constraint reports_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  constraint reports_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES users(id),
  constraint reports_responsible_id_fkey FOREIGN KEY (responsible_id) REFERENCES users(id),
  constraint reports_check CHECK (((state = 'open'::text) = (closed_at IS NULL))),
  constraint reports_state_check CHECK ((state = ANY (ARRAY['open'::text, 'resolved'::text, 'dismissed'::text]))),
  constraint reports_subject_check CHECK ((subject = ANY (ARRAY['message'::text, 'profile'::text])))
);
CREATE UNIQUE INDEX already_reported ON reports USING btree (subject, subject_id, server_id, for_operator) NULLS NOT DISTINCT WHERE (state = 'open'::text);
CREATE INDEX reports_author_id_id_idx ON reports USING btree (author_id, id);
CREATE INDEX reports_closed_at_idx ON reports USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX reports_closed_by_idx ON reports USING btree (closed_by) WHERE (closed_by IS NOT NULL);
CREATE INDEX reports_id_idx ON reports USING btree (id) WHERE for_operator;
CREATE INDEX reports_responsible_id_idx ON reports USING btree (responsible_id) WHERE (responsible_id IS NOT NULL);
CREATE INDEX reports_server_id_id_idx ON reports USING btree (server_id, id) WHERE (NOT for_operator);

-- Who reported what and why.
create table report_reasons (
  -- The report.
  report_id bigint not null,
  -- The account.
  reporter_id bigint not null,
  -- spam, harassment and so on.
  reason text not null,
  -- What the account added.
  note text not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  constraint report_reasons_pkey PRIMARY KEY (report_id, reporter_id),
  constraint report_reasons_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE CASCADE,
  constraint report_reasons_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES users(id)
);
CREATE INDEX report_reasons_reporter_id_report_id_idx ON report_reasons USING btree (reporter_id, report_id);

-- Text of reported messages and of those before them.
create table report_evidence (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The report.
  report_id bigint not null,
  -- The message; null for a profile.
  message_id bigint,
  -- Its author.
  author_id bigint not null,
  -- Its text when it was reported.
  content text not null,
  -- When it was sent; of a profile, when it was reported.
  created_at timestamp(3) with time zone not null,
  constraint report_evidence_pkey PRIMARY KEY (id),
  constraint report_evidence_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  constraint report_evidence_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE CASCADE
);
CREATE INDEX report_evidence_author_id_idx ON report_evidence USING btree (author_id);
CREATE INDEX report_evidence_report_id_id_idx ON report_evidence USING btree (report_id, id);

-- Files of reported messages. Their objects stay while a row names them.
create table report_files (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The report.
  report_id bigint not null,
  -- The file, which may be gone.
  file_id bigint not null,
  -- Name for downloads.
  filename text not null,
  -- Media type.
  content_type text not null,
  -- Bytes.
  size bigint not null,
  -- Pixels, of a picture.
  width integer,
  -- Pixels, of a picture.
  height integer,
  -- Where the bytes are in the object store.
  key text not null,
  -- Where the thumbnail is.
  thumbnail_key text,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  constraint report_files_report_id_file_id_key UNIQUE (report_id, file_id),
  constraint report_files_pkey PRIMARY KEY (id),
  constraint report_files_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE CASCADE
);
CREATE INDEX report_files_key_idx ON report_files USING btree (key);
CREATE INDEX report_files_thumbnail_key_idx ON report_files USING btree (thumbnail_key) WHERE (thumbnail_key IS NOT NULL);

-- Reporters whose reports a moderator does not see for a while.
create table ignored_reporters (
  -- The server.
  server_id bigint not null,
  -- The moderator.
  moderator_id bigint not null,
  -- The reporter.
  reporter_id bigint not null,
  -- When it ends.
  until timestamp(3) with time zone not null,
  constraint ignored_reporters_pkey PRIMARY KEY (server_id, moderator_id, reporter_id),
  constraint ignored_reporters_moderator_id_fkey FOREIGN KEY (moderator_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint ignored_reporters_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint ignored_reporters_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE
);
CREATE INDEX ignored_reporters_moderator_id_idx ON ignored_reporters USING btree (moderator_id);
CREATE INDEX ignored_reporters_reporter_id_idx ON ignored_reporters USING btree (reporter_id);
CREATE INDEX ignored_reporters_until_idx ON ignored_reporters USING btree (until);

-- ## scheduled

-- Messages that are sent at a later time.
create table scheduled_messages (
  -- Primary key; the message gets the nonce scheduled:<id>.
  id bigint not null generated always as identity,
  -- Who wrote it.
  author_id bigint not null,
  -- Where it goes; null once the channel is deleted.
  channel_id bigint,
  -- Text.
  content text not null,
  -- The message that it answers.
  reply_to_id bigint,
  -- The reply mentions the author of what it answers.
  reply_mention boolean not null,
  -- The client's name for the request, so that a repeated one adds nothing.
  nonce text,
  -- When to send it.
  send_at timestamp(3) with time zone not null,
  -- waiting; held, until the author confirms it; or returned, because it could not be sent.
  state text not null default 'waiting'::text,
  -- Error code of the refused send.
  reason text,
  -- Counts changes, so that a send never takes an earlier text.
  version integer not null default 1,
  -- When a process may try; after a claim, when another one may.
  due_at timestamp(3) with time zone not null,
  -- Attempts so far.
  attempts integer not null default 0,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  constraint one_schedule_a_nonce UNIQUE (author_id, nonce),
  constraint scheduled_messages_pkey PRIMARY KEY (id),
  constraint scheduled_messages_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint scheduled_messages_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE SET NULL,
  constraint scheduled_messages_check CHECK (((reason IS NOT NULL) = (state = 'returned'::text))),
  constraint scheduled_messages_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'held'::text, 'returned'::text])))
);
CREATE INDEX scheduled_messages_author_id_send_at_idx ON scheduled_messages USING btree (author_id, send_at);
CREATE INDEX scheduled_messages_channel_id_idx ON scheduled_messages USING btree (channel_id) WHERE (channel_id IS NOT NULL);
CREATE INDEX scheduled_messages_due_at_idx ON scheduled_messages USING btree (due_at) WHERE (state = 'waiting'::text);

-- ## search

-- Index terms of a message.
create table search_documents (
  -- The message.
  message_id bigint not null,
  -- Channel, dm or group whose readers may find it.
  place_id bigint not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null,
  -- The thread, for a message in one.
  thread_id bigint,
  -- Terms, in the order of the text.
  terms text not null,
  constraint search_documents_pkey PRIMARY KEY (message_id)
);
CREATE INDEX search_documents_by_key ON search_documents USING gin (search_keys(place_id, created_at, terms)) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX search_documents_of_place ON search_documents USING btree (place_id, created_at, message_id);

-- How far the index is. One row.
create table search_progress (
  -- Always true: there is one row.
  is_only boolean not null default true,
  -- Beginning of the event log that was read.
  log_since timestamp with time zone not null,
  -- Transaction of the last event that was indexed.
  xid xid8 not null,
  -- The last event that was indexed.
  event_id bigint not null,
  -- Older messages are indexed down to this id; null when done.
  below_id bigint,
  -- Down to here they are indexed anew; null for all.
  above_id bigint,
  -- Version of the rules by which terms are made; others than the program's are made anew.
  rules integer not null default 1,
  -- Rules that every document meets; null while they are made anew.
  whole_rules integer,
  constraint search_progress_pkey PRIMARY KEY (is_only),
  constraint search_progress_is_only_check CHECK (is_only)
);

-- ## servers

-- Communities.
create table servers (
  -- Primary key.
  id bigint not null generated always as identity,
  -- Name.
  name text not null,
  -- What the server is about.
  description text not null default ''::text,
  -- The owner; null once the server is deleted and its content waits to go.
  owner_id bigint,
  -- Picture of the server.
  icon_file_id bigint,
  -- Members; bounded by a constraint.
  member_count integer not null default 0,
  -- Text and voice channels; bounded by a constraint.
  channel_count integer not null default 0,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- Last change.
  updated_at timestamp(3) with time zone not null default now(),
  -- Roles; bounded by a constraint.
  role_count integer not null default 0,
  -- Messages older than this are deleted; null keeps them.
  message_retention_days integer,
  -- Categories; bounded by a constraint.
  category_count integer not null default 0,
  -- Text channel in which new members are announced.
  system_channel_id bigint,
  -- Level of members who have chosen none: all, mentions or nothing.
  default_notifications text not null default 'mentions'::text,
  -- Who may write right after joining: none, mail, account_minutes or member_minutes.
  verification text not null default 'none'::text,
  -- The age of the account or membership that is needed.
  verification_minutes integer not null default 10,
  -- Whom to ask about decisions of moderators; shown to banned accounts too.
  appeal_contact text,
  -- Version of the rules; null: none.
  rules_version integer,
  -- Channels of the server may be public pages.
  public boolean not null default false,
  -- Search engines may list its public pages.
  public_indexed boolean not null default true,
  -- Voice channel for members who are idle in a call; null: none.
  afk_channel_id bigint,
  -- Minutes without speech or input after which a member is idle.
  afk_minutes smallint not null default 5,
  -- End-to-end encryption of its calls: required, preferred (if all members can) or off.
  calls_encryption text not null default 'preferred'::text,
  constraint servers_pkey PRIMARY KEY (id),
  constraint owns_servers FOREIGN KEY (owner_id) REFERENCES users(living_id),
  constraint servers_afk_channel_id_fkey FOREIGN KEY (afk_channel_id) REFERENCES channels(id) ON DELETE SET NULL,
  constraint servers_icon_file_id_fkey FOREIGN KEY (icon_file_id) REFERENCES files(id) ON DELETE SET NULL,
  constraint servers_system_channel_id_fkey FOREIGN KEY (system_channel_id) REFERENCES channels(id) ON DELETE SET NULL,
  constraint servers_afk_minutes_check CHECK ((afk_minutes = ANY (ARRAY[1, 5, 15, 30, 60]))),
  constraint servers_calls_encryption_check CHECK ((calls_encryption = ANY (ARRAY['required'::text, 'preferred'::text, 'off'::text]))),
  constraint servers_default_notifications_check CHECK ((default_notifications = ANY (ARRAY['all'::text, 'mentions'::text, 'nothing'::text]))),
  constraint servers_message_retention_days_check CHECK (((message_retention_days >= 1) AND (message_retention_days <= 36500))),
  constraint servers_verification_check CHECK ((verification = ANY (ARRAY['none'::text, 'mail'::text, 'account_minutes'::text, 'member_minutes'::text]))),
  constraint servers_verification_minutes_check CHECK (((verification_minutes >= 1) AND (verification_minutes <= 10080))),
  constraint too_many_categories CHECK ((category_count <= 50)),
  constraint too_many_channels CHECK ((channel_count <= 500)),
  constraint too_many_roles CHECK ((role_count <= 250))
);
CREATE INDEX servers_by_afk_channel ON servers USING btree (afk_channel_id) WHERE (afk_channel_id IS NOT NULL);
CREATE INDEX servers_by_system_channel ON servers USING btree (system_channel_id) WHERE (system_channel_id IS NOT NULL);
CREATE INDEX servers_icon_file_id_idx ON servers USING btree (icon_file_id) WHERE (icon_file_id IS NOT NULL);
CREATE INDEX servers_owner_id_idx ON servers USING btree (owner_id);

-- Rules that new members accept.
create table server_rules (
  -- The server.
  server_id bigint not null,
  -- Markdown; empty: no rules.
  content text not null,
  -- Grows with each change.
  version integer not null,
  -- When they were changed last.
  updated_at timestamp(3) with time zone not null default now(),
  constraint server_rules_pkey PRIMARY KEY (server_id),
  constraint server_rules_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE
);

-- Accounts in servers.
create table members (
  -- The server.
  server_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- When.
  joined_at timestamp(3) with time zone not null default now(),
  -- A moderator muted the member in calls.
  voice_muted boolean not null default false,
  -- Name in this server.
  nickname text,
  -- Messages up to this id count as read: they were there before the member joined.
  floor_id bigint not null default newest_message_id(),
  -- A moderator stopped the member's camera.
  camera_stopped boolean not null default false,
  -- Why the member only looks and reads: pending, unverified or quarantined; null for other members.
  held_back text,
  -- When a member who is held back is let in; null until somebody does.
  held_until timestamp with time zone,
  -- The quarantine began while the member was not verified.
  was_unverified boolean not null default false,
  -- Newest version of the rules that the member has accepted; null: none.
  rules_version integer,
  -- The member has not accepted the rules or answered the required questions since it joined.
  is_arriving boolean not null default false,
  -- The account is a guest, whose permissions are masked.
  is_guest boolean not null default false,
  -- A moderator deafened the member in calls.
  voice_deafened boolean not null default false,
  constraint members_pkey PRIMARY KEY (server_id, user_id),
  constraint members_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint members_held_back_check CHECK ((held_back = ANY (ARRAY['pending'::text, 'unverified'::text, 'quarantined'::text])))
);
CREATE INDEX members_guests ON members USING btree (server_id) WHERE is_guest;
CREATE INDEX members_held_until_idx ON members USING btree (held_until) WHERE (held_back = 'unverified'::text);
CREATE INDEX members_nickname_key ON members USING btree (server_id, name_key(nickname)) WHERE (nickname IS NOT NULL);
CREATE INDEX members_server_id_idx ON members USING btree (server_id) WHERE (held_back = 'unverified'::text);
CREATE INDEX members_server_id_joined_at_idx ON members USING btree (server_id, joined_at);
CREATE INDEX members_user_id_server_id_idx ON members USING btree (user_id, server_id);
CREATE TRIGGER count_member AFTER INSERT OR DELETE ON members FOR EACH ROW EXECUTE FUNCTION count_member();

-- Accounts that are quarantined in a server, also after they left it or were deleted.
create table quarantines (
  -- The server.
  server_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- When it ends; null until a moderator lifts it.
  until timestamp with time zone,
  -- When it began.
  created_at timestamp with time zone not null default now(),
  -- Ends with the raid.
  by_raid boolean not null default false,
  constraint quarantines_pkey PRIMARY KEY (server_id, user_id),
  constraint quarantines_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint quarantines_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX quarantines_until_idx ON quarantines USING btree (until) WHERE (until IS NOT NULL);
CREATE INDEX quarantines_user_id_idx ON quarantines USING btree (user_id);

-- Questions to new members.
create table onboardings (
  -- The server.
  server_id bigint not null,
  -- A list of questions with their options.
  questions json not null,
  -- Above the ids of its questions and options, also of deleted ones.
  next_id integer not null,
  -- One of the questions has to be answered.
  is_required boolean not null,
  constraint onboardings_pkey PRIMARY KEY (server_id),
  constraint onboardings_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE
);

-- Answers of members.
create table chosen_options (
  -- The server.
  server_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- The option.
  option_id integer not null,
  constraint chosen_options_pkey PRIMARY KEY (server_id, user_id, option_id),
  constraint chosen_options_server_id_user_id_fkey FOREIGN KEY (server_id, user_id) REFERENCES members(server_id, user_id) ON DELETE CASCADE
);

-- What new members of a server see first.
create table welcomes (
  -- The server.
  server_id bigint not null,
  -- A text.
  content text not null,
  -- Up to five channels, each with an emoji and a line.
  channels json not null,
  constraint welcomes_pkey PRIMARY KEY (server_id),
  constraint welcomes_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE
);

-- Accounts that may not join a server.
create table bans (
  -- The server.
  server_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- Shown to the account and to moderators.
  reason text,
  -- The moderator.
  banned_by bigint,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- When it ends; null for one without end.
  until timestamp(3) with time zone,
  -- The account was a member when it was banned; others do not read of it.
  was_member boolean not null default true,
  constraint bans_pkey PRIMARY KEY (server_id, user_id),
  constraint bans_banned_by_fkey FOREIGN KEY (banned_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint bans_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint bans_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX bans_until_idx ON bans USING btree (until) WHERE (until IS NOT NULL);
CREATE INDEX bans_user_id_idx ON bans USING btree (user_id);

-- Banned accounts whose last messages are being deleted.
create table ban_sweeps (
  -- The server.
  server_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- The moderator, who stands in the audit log.
  actor_id bigint not null,
  -- Messages from this time on are deleted.
  since timestamp with time zone not null,
  -- Messages from this id on are deleted already.
  before_id bigint not null default '9007199254740991'::bigint,
  constraint ban_sweeps_pkey PRIMARY KEY (server_id, user_id),
  constraint ban_sweeps_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint ban_sweeps_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint ban_sweeps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Messages of one author that a moderator deletes; a row goes when its work is done.
create table author_prunes (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The server.
  server_id bigint not null,
  -- The author.
  user_id bigint not null,
  -- The moderator, who stands in the audit log.
  actor_id bigint not null,
  -- Channels in which the moderator saw and managed messages; of a thread, its parent.
  channel_ids bigint[] not null,
  -- Messages from this time on are deleted.
  since timestamp with time zone not null,
  -- Messages from this id on stay: they came later.
  until_id bigint not null,
  -- Messages from this id on are deleted already.
  before_id bigint not null,
  constraint author_prunes_server_id_user_id_actor_id_key UNIQUE (server_id, user_id, actor_id),
  constraint author_prunes_pkey PRIMARY KEY (id),
  constraint author_prunes_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
  constraint author_prunes_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint author_prunes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX author_prunes_actor_id_idx ON author_prunes USING btree (actor_id);
CREATE INDEX author_prunes_user_id_idx ON author_prunes USING btree (user_id);

-- Members who may only read for a while.
create table timeouts (
  -- The server.
  server_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- When it ends.
  until timestamp(3) with time zone not null,
  constraint timeouts_pkey PRIMARY KEY (server_id, user_id),
  constraint timeouts_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint timeouts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX timeouts_until_idx ON timeouts USING btree (until);
CREATE INDEX timeouts_user_id_idx ON timeouts USING btree (user_id);

-- Links to join a server.
create table invites (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The part of the link.
  code text not null,
  -- The server.
  server_id bigint not null,
  -- Who made it.
  creator_id bigint not null,
  -- When it ends; null never.
  expires_at timestamp(3) with time zone,
  -- Joins at most; 0 for any number.
  max_uses integer not null default 0,
  -- Joins so far.
  uses integer not null default 0,
  -- When it was deleted.
  deleted_at timestamp(3) with time zone,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- A self-assignable role that it gives.
  role_id bigint,
  -- The membership ends after a call or a day; null: it stays.
  temporary text,
  -- People may come by it without an account, as guests.
  guest boolean not null default false,
  constraint invites_code_key UNIQUE (code),
  constraint invites_pkey PRIMARY KEY (id),
  constraint invites_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint invites_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id) ON DELETE SET NULL,
  constraint invites_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint invites_check CHECK (((max_uses = 0) OR (uses <= max_uses))),
  constraint invites_temporary_check CHECK ((temporary = ANY (ARRAY['call'::text, 'day'::text])))
);
CREATE INDEX invites_of_creator ON invites USING btree (creator_id, id);
CREATE INDEX invites_role_id_idx ON invites USING btree (role_id) WHERE (role_id IS NOT NULL);
CREATE INDEX invites_server_id_id_idx ON invites USING btree (server_id, id);

-- What moderators and managers did in a server.
create table audit_log (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The server.
  server_id bigint not null,
  -- Who.
  actor_id bigint not null,
  -- What, such as role.updated.
  action text not null,
  -- The kind of thing that was changed.
  target_type text not null,
  -- Its id.
  target_id bigint not null,
  -- Fields with the values before and after.
  changes jsonb not null default '{}'::jsonb,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- When it was made, as far as the change knew that; null for the role everyone.
  target_created_at timestamp(3) with time zone,
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
  constraint audit_log_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE
);
CREATE INDEX audit_log_actor_id_idx ON audit_log USING btree (actor_id);
CREATE INDEX audit_log_server_id_action_id_idx ON audit_log USING btree (server_id, action, id);
CREATE INDEX audit_log_server_id_actor_id_id_idx ON audit_log USING btree (server_id, actor_id, id);
CREATE INDEX audit_log_server_id_id_idx ON audit_log USING btree (server_id, id);
CREATE INDEX audit_log_server_id_target_type_target_id_id_idx ON audit_log USING btree (server_id, target_type, target_id, id);

-- How servers notice raids, and raids that are going on.
create table raid_guards (
  -- The server.
  server_id bigint not null,
  -- Where moderators are alerted; null: raid mode never begins by itself.
  alert_channel_id bigint,
  -- Joins that are allowed within raid_seconds.
  raid_joins integer not null default 15,
  -- The period in which joins are counted.
  raid_seconds integer not null default 30,
  -- How long raid mode lasts.
  raid_minutes integer not null default 30,
  -- Until then nobody joins.
  until timestamp with time zone,
  -- The first join of the raid.
  since timestamp with time zone,
  constraint raid_guards_pkey PRIMARY KEY (server_id),
  constraint raid_guards_alert_channel_id_fkey FOREIGN KEY (alert_channel_id) REFERENCES channels(id) ON DELETE SET NULL,
  constraint raid_guards_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE
);
CREATE INDEX raid_guards_alert_channel_id_idx ON raid_guards USING btree (alert_channel_id);

-- Joins of the last day, also of accounts that have left.
create table server_joins (
  -- The server.
  server_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- The latest join.
  joined_at timestamp(3) with time zone not null,
  constraint server_joins_pkey PRIMARY KEY (server_id, user_id),
  constraint server_joins_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint server_joins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX server_joins_joined_at_idx ON server_joins USING btree (joined_at);
CREATE INDEX server_joins_server_id_joined_at_idx ON server_joins USING btree (server_id, joined_at);
CREATE INDEX server_joins_user_id_idx ON server_joins USING btree (user_id);

-- Removals of many members.
create table prunes (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The server.
  server_id bigint not null,
  -- The moderator.
  actor_id bigint not null,
  -- kick or ban.
  action text not null,
  -- Reason; null for none.
  reason text,
  -- Members who are still to be removed.
  user_ids bigint[] not null,
  -- SHA-256 of the token that begins it.
  token_hash bytea not null,
  -- False after the dry run.
  is_begun boolean not null default false,
  -- When the row was made.
  created_at timestamp with time zone not null default now(),
  constraint prunes_pkey PRIMARY KEY (id),
  constraint prunes_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(living_id) ON DELETE CASCADE,
  constraint prunes_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint prunes_action_check CHECK ((action = ANY (ARRAY['kick'::text, 'ban'::text])))
);
CREATE INDEX prunes_actor_id_idx ON prunes USING btree (actor_id);
CREATE INDEX prunes_created_at_idx ON prunes USING btree (created_at);
CREATE INDEX prunes_server_id_idx ON prunes USING btree (server_id);

-- Servers whose members are judged anew after a change of verification.
create table verification_sweeps (
  -- The server.
  server_id bigint not null,
  -- Members who are not held back are judged too.
  binds_all boolean not null,
  -- The last member that was judged.
  after_id bigint not null default 0,
  constraint verification_sweeps_pkey PRIMARY KEY (server_id),
  constraint verification_sweeps_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE
);

-- Members who came by an invite for a call or a day.
create table temporary_members (
  -- The server.
  server_id bigint not null,
  -- The account.
  user_id bigint not null,
  -- What it came for: call or day.
  ends text not null,
  -- When the member is removed; calls that go on postpone it.
  due_at timestamp(3) with time zone not null,
  constraint temporary_members_pkey PRIMARY KEY (server_id, user_id),
  constraint temporary_members_server_id_user_id_fkey FOREIGN KEY (server_id, user_id) REFERENCES members(server_id, user_id) ON DELETE CASCADE,
  constraint temporary_members_ends_check CHECK ((ends = ANY (ARRAY['call'::text, 'day'::text])))
);
CREATE INDEX temporary_members_due_at_idx ON temporary_members USING btree (due_at);

-- Accounts that are guests.
create table guests (
  -- The account.
  user_id bigint not null,
  -- The one server that it is in.
  server_id bigint not null,
  -- Keyed hash of the server and the address that it came from.
  address bytea not null,
  constraint guests_pkey PRIMARY KEY (user_id),
  constraint guests_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint guests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(living_id) ON DELETE CASCADE
);
CREATE INDEX guests_server_id_idx ON guests USING btree (server_id);

-- Addresses from which a server lets in no guests, after a guest was kicked or banned.
create table guest_doors (
  -- The server.
  server_id bigint not null,
  -- Keyed hash of the server and the address.
  address bytea not null,
  -- When guests may come from there again.
  until timestamp(3) with time zone not null,
  constraint guest_doors_pkey PRIMARY KEY (server_id, address),
  constraint guest_doors_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE
);
CREATE INDEX guest_doors_until_idx ON guest_doors USING btree (until);

-- Bytes of the pictures and sounds of servers; bounded by a constraint.
create table server_assets (
  -- The server.
  server_id bigint not null,
  -- Bytes of its emoji, stickers, sounds, banners, role and event pictures.
  bytes bigint not null default 0,
  -- SERVER_ASSETS_BYTES_MAX at the last charge.
  bytes_max bigint not null default 0,
  constraint server_assets_pkey PRIMARY KEY (server_id),
  constraint server_assets_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint server_assets_bytes_check CHECK ((bytes >= 0)),
  constraint too_many_bytes CHECK ((bytes <= bytes_max))
);

-- Files of accounts that count for a server too, because it shows them.
create table server_files (
  -- The file.
  file_id bigint not null,
  -- The server.
  server_id bigint not null,
  -- Bytes that were counted.
  size bigint not null,
  constraint server_files_pkey PRIMARY KEY (file_id, server_id),
  constraint server_files_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id) ON DELETE CASCADE,
  constraint server_files_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE
);
CREATE INDEX server_files_server_id_idx ON server_files USING btree (server_id);
CREATE TRIGGER file_released AFTER DELETE ON server_files FOR EACH ROW EXECUTE FUNCTION asset_gone();

-- ## sounds

-- Short sounds of servers, which members play in calls.
create table sounds (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The server.
  server_id bigint not null,
  -- Name.
  name text not null,
  -- An emoji of Unicode next to the name; null: none.
  emoji text,
  -- Unguessable last part of its URL; its object is sounds/<key>.
  key text not null,
  -- Bytes, which the quota of the server counts.
  size bigint not null,
  -- Duration.
  duration_ms integer not null,
  -- Who added it.
  creator_id bigint not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  constraint sounds_key_key UNIQUE (key),
  constraint sounds_pkey PRIMARY KEY (id),
  constraint sounds_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES users(id),
  constraint sounds_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE
);
CREATE INDEX sounds_creator_id_idx ON sounds USING btree (creator_id);
CREATE INDEX sounds_of_server ON sounds USING btree (server_id, id);
CREATE TRIGGER sound_gone AFTER DELETE ON sounds FOR EACH ROW EXECUTE FUNCTION sound_gone();
CREATE TRIGGER sound_released AFTER DELETE ON sounds FOR EACH ROW EXECUTE FUNCTION asset_gone();

-- ## stickers

-- Stickers of servers.
create table stickers (
  -- Primary key.
  id bigint not null generated always as identity,
  -- The server.
  server_id bigint not null,
  -- Name.
  name text not null,
  -- What it shows, for those who do not see it.
  alt text not null,
  -- Where the picture is in the object store.
  key text not null,
  -- Bytes of the picture, which count for the server.
  size bigint not null,
  -- It has several frames.
  is_animated boolean not null,
  -- Who made it.
  creator_id bigint not null,
  -- When the row was made.
  created_at timestamp(3) with time zone not null default now(),
  -- When it was deleted; messages that use it still show it.
  deleted_at timestamp(3) with time zone,
  -- Words by which it is found, besides its name and what it shows.
  tags text not null default ''::text,
  constraint stickers_key_key UNIQUE (key),
  constraint stickers_pkey PRIMARY KEY (id),
  constraint stickers_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES users(id),
  constraint stickers_server_id_fkey FOREIGN KEY (server_id) REFERENCES servers(id) ON DELETE CASCADE,
  constraint stickers_alt_check CHECK (((char_length(alt) >= 1) AND (char_length(alt) <= 200))),
  constraint stickers_name_check CHECK (((char_length(name) >= 2) AND (char_length(name) <= 30))),
  constraint stickers_tags_check CHECK ((char_length(tags) <= 200))
);
CREATE INDEX stickers_creator_id_idx ON stickers USING btree (creator_id);
CREATE INDEX stickers_server_id_id_idx ON stickers USING btree (server_id, id);
CREATE TRIGGER sticker_gone AFTER DELETE ON stickers FOR EACH ROW EXECUTE FUNCTION sticker_gone();
CREATE TRIGGER sticker_released AFTER DELETE ON stickers FOR EACH ROW EXECUTE FUNCTION asset_gone();
