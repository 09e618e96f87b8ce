create or replace function is_live(i invites) returns boolean language sql stable
  return i.deleted_at is null and (i.expires_at is null or i.expires_at > now())
    and (i.max_uses = 0 or i.uses < i.max_uses);
