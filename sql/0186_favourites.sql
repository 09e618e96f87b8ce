-- Pictures that accounts keep for themselves: copies, which count as their uploads.
create table favourites (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (living_id) on delete cascade,
  file_id bigint not null unique references files on delete cascade,
  -- The file that was copied, so that keeping it again adds nothing. No foreign key: it may be gone.
  source_id bigint not null,
  created_at timestamptz(3) not null default now(),
  constraint one_favourite_a_picture unique (user_id, source_id)
);
