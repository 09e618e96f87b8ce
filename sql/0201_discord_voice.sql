alter table discord_sessions add column voice jsonb;
