-- Whether an account reads the profile of another: its own, those of friends, and of members of a server in which it is
-- not held back itself; no profile of somebody who blocks it.
create or replace function sees_profile(p_viewer bigint, p_user bigint) returns boolean language sql stable
  return p_viewer = p_user or (
    not exists (select from relations_of r where r.user_id = p_user and r.other_id = p_viewer and r.blocks)
    and (exists (select from relations_of r
        where r.user_id = p_viewer and r.other_id = p_user and r.state = 'friends')
      or exists (select from members own join members theirs using (server_id)
        where own.user_id = p_viewer and theirs.user_id = p_user and own.held_back is null and not own.is_guest)));
