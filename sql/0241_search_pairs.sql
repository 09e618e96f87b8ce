-- kind: expand
-- Phrases are looked up by marks of pairs of words. The job of an upgraded server adds them to all documents, from the
-- newest to the oldest; until it is done, searches do without.

-- The rules that every document meets; null while documents of other rules are left.
alter table search_progress add column whole_rules int;
