-- Inlined, as a function with a query in it would not be.
create or replace function reactions_json(m messages) returns json language sql stable
  return case when m.reacted then coalesce(reactions_of(m.id), '[]'::json) else '[]'::json end;
