-- The log in the order in which every node reads it behind the others' commits.
create index events_in_order on events (xid, id);
