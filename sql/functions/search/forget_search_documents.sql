-- A plan that was made while there were few documents would read all of them.
create or replace function forget_search_documents() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  delete from search_documents where message_id = any (array(select id from gone));
  return null;
end $$;
