-- Forums: channels whose threads are posts. A post has tags, perhaps none, so `tag_ids` tells posts from other threads.
alter table channels
  drop constraint channels_type_check,
  add constraint channels_type_check
    check (type in ('text', 'voice', 'category', 'thread', 'dm', 'group', 'forum')),
  add column tags json,
  add column tag_required boolean,
  add column guidelines text,
  add column default_sort text check (default_sort in ('latest', 'created', 'votes')),
  add column layout text check (layout in ('list', 'gallery')),
  add column default_reaction text,
  add column post_slowmode_seconds int check (post_slowmode_seconds between 0 and 21600),
  add column first_message_id bigint references messages on delete set null,
  add column tag_ids bigint[],
  add column answer_message_id bigint references messages on delete set null,
  add column pinned boolean,
  add column votes int,
  add column hidden boolean,
  add constraint forum_is_whole check ((type = 'forum') = (tags is not null and tag_required is not null
    and guidelines is not null and default_sort is not null and layout is not null
    and post_slowmode_seconds is not null)),
  add constraint post_is_whole check (case when tag_ids is null
    then first_message_id is null and answer_message_id is null and pinned is null and votes is null and hidden is null
    else type = 'thread' and pinned is not null and votes is not null and hidden is not null end);

-- Of a forum: each new post.
alter table notification_settings drop constraint notification_settings_level_check,
  add constraint notification_settings_level_check check (level in ('all', 'mentions', 'nothing', 'all_posts')),
  add constraint all_posts_of_forum check (level is distinct from 'all_posts' or channel_id is not null);

alter table channels drop constraint channel_name_taken,
  add constraint channel_name_taken exclude using btree
    (server_id with =, coalesce(parent_id, 0::bigint) with =, name with =)
    where (type in ('text', 'voice', 'forum')) deferrable;

-- A server's 1,000 unarchived threads do not count posts; each forum has 1,000 of its own.
drop index threads_unarchived;
create index threads_unarchived on channels (server_id)
  where type = 'thread' and archived_at is null and tag_ids is null;
create index posts_unarchived on channels (parent_id) where tag_ids is not null and archived_at is null;
create index posts_by_age on channels (parent_id, id) where tag_ids is not null;
create index posts_by_votes on channels (parent_id, votes, id) where tag_ids is not null;
create index posts_pinned on channels (parent_id) where pinned;
create index posts_by_first_message on channels (first_message_id) where first_message_id is not null;
create index posts_by_answer on channels (answer_message_id) where answer_message_id is not null;

create trigger post_lost_message after update of first_message_id, answer_message_id on channels for each row
  when (new.parent_id is not null and (old.first_message_id is not null and new.first_message_id is null
    or old.answer_message_id is not null and new.answer_message_id is null))
  execute function thread_lost_message();
