-- When the target of an entry was made: part of its Discord id, which is needed after the target is gone.
alter table audit_log add column target_created_at timestamptz(3);
