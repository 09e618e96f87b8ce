-- The key with which the device of a session confirms its part in encrypted calls. It ends with the session.
alter table sessions add column device_key bytea check (octet_length(device_key) = 32);
