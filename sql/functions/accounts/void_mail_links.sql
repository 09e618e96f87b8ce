-- A link for a password or an address that has changed since is void, whoever changed it.
create or replace function void_mail_links() returns trigger language plpgsql as $$
begin
  -- Mails first: makeLink of src/features/mail/links.ts locks its mail.
  delete from mail_outbox where template = 'change_email' and user_id = new.id;
  delete from mail_tokens where user_id = new.id and (purpose <> 'verify' or new.email <> old.email);
  return null;
end $$;
