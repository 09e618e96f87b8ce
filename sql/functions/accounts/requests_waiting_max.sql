-- Incoming requests that an account may have waiting.
create or replace function requests_waiting_max() returns int language sql immutable return 1000;
