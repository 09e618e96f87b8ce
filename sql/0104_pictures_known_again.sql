-- Pictures are known again by the URL that gave them and its bytes, as SHA-256: the same ones are stored once.
alter table preview_pictures add column url_hash bytea, add column bytes_hash bytea;
create index on preview_pictures (url_hash) where url_hash is not null;
