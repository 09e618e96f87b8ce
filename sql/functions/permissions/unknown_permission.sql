-- Permission bits by name: the one table of them in SQL. The other is src/core/permissions.ts; a test compares both.
-- All functions here are immutable and inlined: in a plan stands the number.
create or replace function unknown_permission(p_name text) returns bigint language plpgsql immutable parallel safe as $$
begin
  raise exception 'There is no permission called %', p_name;
end $$;
