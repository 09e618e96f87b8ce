-- Whose share of the queue a picture takes, as in preview_jobs: avatars that wait are looked for again by account.
alter table wanted_pictures add column author_id bigint;
update wanted_pictures p set author_id = coalesce(a.owner_id, w.creator_id, m.author_id)
  from messages m left join webhooks w on w.id = m.author_id
    left join applications a on a.id = coalesce(w.creator_id, m.author_id)
  where m.id = p.message_id;
alter table wanted_pictures alter column author_id set not null;
create index on wanted_pictures (author_id, message_id) where place = 'avatar';
