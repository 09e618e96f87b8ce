-- Whether a member of the server sees the report: by moderate_members, a higher rank than the reported, and the channel.
-- A report from a channel that is gone is seen by those who see every channel. Nobody sees the reports about themselves,
-- their bots or their webhooks, nor reports by accounts that they ignore.
create or replace function sees_report(r reports, p_user bigint) returns boolean language sql stable cost 10000 as $$
  select not r.for_operator and p_user <> r.author_id and p_user is distinct from r.responsible_id and exists (
    select from member_permissions mp
    where mp.server_id = r.server_id and mp.user_id = p_user and holds(mp.permissions, 'moderate_members')
      and not exists (
        select from member_permissions reported
        where reported.server_id = r.server_id and reported.user_id = r.author_id
          and (reported.is_owner or (not mp.is_owner and reported.position >= mp.position)))
      and (r.audience_id is null or mp.is_owner or holds(mp.base, 'administrator') or exists (
        select from channel_permissions cp where cp.channel_id = r.audience_id and cp.user_id = p_user
          and can_view(cp.permissions) and holds(cp.permissions, 'read_history'))))
    and (r.reporter_count = 0 or exists (
      select from report_reasons o where o.report_id = r.id and not exists (
        select from ignored_reporters i where i.server_id = r.server_id and i.moderator_id = p_user
          and i.reporter_id = o.reporter_id and i.until > now())))
$$;
