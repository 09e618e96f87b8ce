create or replace function bigrams(p_text text) returns text[] language sql immutable parallel safe
  return array(select distinct substr(p_text, at, 2) from generate_series(1, length(p_text) - 1) at);
