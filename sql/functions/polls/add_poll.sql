-- Gives a new message its poll. p_poll: a PollDraft.
create or replace function add_poll(p_message bigint, p_poll json) returns void language sql as $$
  insert into polls (message_id, question, answers, multiple, anonymous, counts, ends_at)
    select p_message, p_poll ->> 'question', p_poll -> 'answers', (p_poll ->> 'multiple')::boolean,
      (p_poll ->> 'anonymous')::boolean, array_fill(0, array[json_array_length(p_poll -> 'answers')]),
      now() + (p_poll ->> 'hours')::int * interval '1 hour'
$$;
