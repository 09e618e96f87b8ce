-- The stretches of 2^p_bits seconds from p_first to p_last.
create or replace function search_times(p_bits int, p_first bigint, p_last bigint) returns tsquery language sql immutable
  return (select string_agg('''t' || p_bits || '/' || n || '''', '|') from generate_series(p_first, p_last) n)::tsquery;
