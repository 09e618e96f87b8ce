-- Whether the member sees a channel of the category. Its cost keeps the planner from taking a query that asks for few
-- categories for a long one.
create or replace function sees_within(p_category bigint, p_user bigint) returns boolean language plpgsql stable cost 1000 as $$
begin
  return exists (select from resolved_permissions rp
    where rp.parent_id = p_category and rp.user_id = p_user and can_view(rp.permissions));
end $$;
