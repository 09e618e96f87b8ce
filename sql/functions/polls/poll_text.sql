-- Question and answers, a line each: the text of a poll for search, notices, forwards and rules.
create or replace function poll_text(m messages) returns text language sql stable
  return case when m.polled then (
    select p.question || E'\n' || string_agg(concat_ws(' ', a.answer ->> 'emoji', a.answer ->> 'text'), E'\n' order by a.at)
    from polls p cross join json_array_elements(p.answers) with ordinality a (answer, at)
    where p.message_id = m.id group by p.question) end;
