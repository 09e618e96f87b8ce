-- A handshake reads the roles of an account in all its servers at once.
create index on member_roles (user_id);
