-- Questions to new members, whose answers give them roles and channels.
create table onboardings (
  server_id bigint primary key references servers on delete cascade,
  -- A list of questions with their options, whose ids are unique in the server.
  questions json not null,
  next_id int not null,
  -- One of them has to be answered.
  is_required boolean not null
);

create table chosen_options (
  server_id bigint not null,
  user_id bigint not null,
  option_id int not null,
  primary key (server_id, user_id, option_id),
  foreign key (server_id, user_id) references members on delete cascade
);
