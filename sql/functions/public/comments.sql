comment on table public_names is 'Changes of who is named on public pages.';
comment on column public_names.only_row is 'Keeps the table at one row.';
comment on column public_names.changes is 'Their number.';
