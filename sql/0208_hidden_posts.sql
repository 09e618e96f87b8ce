-- Everybody who sees a forum learns once that a post is hidden, and nothing of what moderators do there later.
alter table thread_changes add column hides boolean not null default false;
update thread_changes t set hides = true from channels c where c.id = t.channel_id and c.hidden and not t.is_told;
