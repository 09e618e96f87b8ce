-- The earlier use of a nonce. A plan that was made while there were few nonces would read all of them at each send.
create or replace function used_nonce(p_author bigint, p_channel bigint, p_nonce text) returns message_nonces
language plpgsql stable set enable_seqscan = off as $$
declare
  used message_nonces;
begin
  select * into used from message_nonces mn
    where mn.author_id = p_author and mn.channel_id = p_channel and mn.nonce = p_nonce;
  return used;
end $$;
