comment on table applications is 'Programs with a bot. The id is the bot''s account.';
comment on column applications.id is 'Primary key.';
comment on column applications.owner_id is 'Who owns it.';
comment on column applications.description is 'What it does.';
comment on column applications.created_at is 'When the row was made.';
comment on column applications.interactions_url is 'Where interactions are posted; null for the gateway.';

comment on table bot_commands is 'Commands of bots.';
comment on column bot_commands.id is 'Primary key.';
comment on column bot_commands.application_id is 'The application.';
comment on column bot_commands.server_id is 'The server that the command is for; null for all.';
comment on column bot_commands.kind is 'chat, message or user.';
comment on column bot_commands.name is 'Name.';
comment on column bot_commands.description is 'What it does.';
comment on column bot_commands.options is 'Its options or subcommands.';
comment on column bot_commands.default_permissions is
  'Bits that a member needs unless the server says otherwise.';

comment on column bot_commands.created_at is 'When the row was made.';

comment on table discord_sessions is 'Sessions of bots on Discord''s gateway, which they resume.';
comment on column discord_sessions.id is 'Its id on that gateway.';
comment on column discord_sessions.user_id is 'The bot.';
comment on column discord_sessions.session_id is 'The login of the bot''s token.';
comment on column discord_sessions.base_id is 'The event of the log from which it counts its own numbers.';
comment on column discord_sessions.intents is 'Bits of what it is sent.';
comment on column discord_sessions.shard_id is 'The part of the servers that it covers.';
comment on column discord_sessions.shard_count is 'Number of such parts.';
comment on column discord_sessions.sent_ids is
  'The newest events that were sent; null while the bot is connected.';
comment on column discord_sessions.voice is 'The call that the bot is in, and enters again after a restart.';
comment on column discord_sessions.seen_at is 'When it was last opened or kept.';

comment on table interactions is 'Uses of commands, buttons, selects and modals, for fifteen minutes.';
comment on column interactions.id is 'Primary key.';
comment on column interactions.hash is 'SHA-256 of the token that answers.';
comment on column interactions.bot_id is 'The bot.';
comment on column interactions.user_id is 'The account.';
comment on column interactions.channel_id is 'The channel.';
comment on column interactions.kind is 'command, component, modal or autocomplete.';
comment on column interactions.name is 'The command.';
comment on column interactions.message_id is 'The message whose component was used.';
comment on column interactions.is_answered is 'The first answer was given.';
comment on column interactions.is_ephemeral is 'Only the person sees the answers.';
comment on column interactions.created_at is 'When the row was made.';
comment on column interactions.offers is
  'Custom ids shown to the person only, by number of the answer, as hashes.';
comment on column interactions.whispers is 'Answers to the person only after the first.';
comment on column interactions.asked_on_id is 'The interaction whose ephemeral answer was used.';
comment on column interactions.asked_on_answer is 'Number of that answer.';
comment on column interactions.answer_id is 'The message that is the first answer.';
comment on column interactions.is_deferred is 'The bot said that it needs time.';
comment on column interactions.updates is 'The answer changes the message of the component.';
