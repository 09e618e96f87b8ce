-- A message at which a thread began is found by the thread's name, which is the last of its terms with its pairs, until
-- the thread is gone.
create or replace function forget_thread_name() returns trigger language plpgsql as $$
begin
  update search_documents set terms = split_part(terms, ' #thread ', 1) || ' '
    where message_id = old.message_id and position(' #thread ' in terms) > 0;
  return null;
end $$;
