-- Whom to ask about a decision of a server's moderators.
alter table servers add column appeal_contact text;
