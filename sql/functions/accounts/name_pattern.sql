-- What `like` compares keys of names with to find a text in them; null for a text of which nothing is compared.
create or replace function name_pattern(p_text text) returns text language sql immutable parallel safe
  return '%' || nullif(regexp_replace(name_key(p_text), '([\\%_])', '\\\1', 'g'), '') || '%';
