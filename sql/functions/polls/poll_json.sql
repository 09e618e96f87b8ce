-- The poll of a message as JSON, as everybody sees it who sees the message.
create or replace function poll_json(p_message bigint) returns json language sql stable
  return (select json_build_object('question', p.question,
      'answers', (select json_agg(json_build_object('id', a.id, 'text', a.answer ->> 'text', 'emoji', a.answer ->> 'emoji')
        order by a.id) from json_array_elements(p.answers) with ordinality a (answer, id)),
      'multiple', p.multiple, 'anonymous', p.anonymous, 'ends_at', iso(p.ends_at), 'ended_at', iso(p.ended_at),
      'voter_count', p.voter_count, 'counts', poll_counts(p))
    from polls p where p.message_id = p_message);
