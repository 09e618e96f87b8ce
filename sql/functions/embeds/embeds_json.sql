create or replace function embeds_json(m messages) returns json language sql stable
  return case when m.embeds_suppressed then '[]'::json else coalesce(m.embeds, '[]'::json) end;
