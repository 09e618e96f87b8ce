-- A term in a place as a tsquery has it; a term that ends with * is the beginning of words.
create or replace function search_key(p_place text, p_term text) returns text language sql immutable
  return '''' || p_place || '/' || rtrim(p_term, '*') || '''' || case when p_term like '%*' then ':*' else '' end;
