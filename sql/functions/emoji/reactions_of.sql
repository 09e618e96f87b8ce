-- The reactions of a message, in the order in which they began.
create or replace function reactions_of(p_message bigint) returns json language sql stable
  return (select json_agg(json_build_object('id', r.id, 'emoji', r.emoji, 'count', r.count) order by r.id)
    from reaction_counts r where r.message_id = p_message);
