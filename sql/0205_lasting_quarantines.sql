-- A quarantine outlasts the deletion of its account, so that the words of the account do not become public by that.
alter table quarantines
  drop constraint quarantines_user_id_fkey,
  add constraint quarantines_user_id_fkey foreign key (user_id) references users on delete cascade;
