-- Deleting an account scanned the whole table: the index held warnings alone.
drop index cases_user_id_id_idx;
create index on cases (user_id, id);
