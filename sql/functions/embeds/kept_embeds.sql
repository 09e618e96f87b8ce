-- The embeds that a message keeps with a new text: those of links that still stand there, and those that no link made.
create or replace function kept_embeds(m messages, p_content text) returns json language sql stable
  return case when m.embeds is not null then coalesce((
    select json_agg(embed order by at) from json_array_elements(m.embeds) with ordinality as given (embed, at)
    where embed ->> 'type' = 'rich' or position(embed ->> 'url' in p_content) > 0), '[]'::json) end;
