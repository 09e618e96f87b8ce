-- What the embeds of a message say that no link made: it is found by that too.
create or replace function rich_text(m messages) returns text language sql stable
  return case when m.embeds is not null then (
    select string_agg(concat_ws(' ', e.embed ->> 'title', e.embed ->> 'description', e.embed -> 'author' ->> 'name',
        e.embed ->> 'footer', (select string_agg(concat_ws(' ', f.field ->> 'name', f.field ->> 'value'), ' ')
          from json_array_elements(e.embed -> 'fields') f (field))), ' ')
    from json_array_elements(embeds_json(m)) e (embed) where e.embed ->> 'type' = 'rich') end;
