-- Avatars that wait: those that found no room on the queue are looked for again.
create index on wanted_pictures (message_id) where place = 'avatar';
