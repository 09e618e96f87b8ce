-- The one rule: the owner holds everything; then the base (the bits of everyone and of the member's roles), of which
-- administrator is everything; then the channel's overwrites: everyone's, all denies of the member's roles, all allows
-- (resolved_permissions folds those of the member itself into both);
-- of that, a timeout leaves what only looks and listens, a member who is held back keeps what looks and reads, and a
-- guest has at most the bits of guests, even where everyone is an administrator.
create or replace function permissions_of(
  is_owner boolean, base bigint,
  everyone_allow bigint, everyone_deny bigint, roles_allow bigint, roles_deny bigint, timed_out boolean, held_back text,
  is_guest boolean
) returns bigint language sql immutable parallel safe
  return case when is_owner or (holds(base, 'administrator') and not is_guest) then all_permissions()
    else ((((base & ~everyone_deny) | everyone_allow) & ~roles_deny) | roles_allow)
      & case when held_back is not null then permission_bit('view_channel') | permission_bit('read_history')
        when timed_out
        then permission_bit('view_channel') | permission_bit('read_history') | permission_bit('connect')
        else all_permissions() end
      & case when is_guest then guest_permissions() else all_permissions() end end;
