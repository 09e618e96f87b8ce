-- Whether calls of a server are encrypted end to end, as far as the installation allows it.
alter table servers add column calls_encryption text not null default 'preferred'
  check (calls_encryption in ('required', 'preferred', 'off'));
