create or replace function forget_search_document() returns trigger language plpgsql as $$
begin
  delete from search_documents where message_id = new.id;
  return null;
end $$;
