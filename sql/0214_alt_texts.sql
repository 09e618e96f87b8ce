-- What a picture shows, for those who do not see it.
alter table files add column alt text check (char_length(alt) between 1 and 1000);
