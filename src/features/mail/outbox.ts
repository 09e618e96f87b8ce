import type { Environment } from '../../environment.ts'
import type { Transaction } from '../../database/database.ts'
import type { Template } from './templates.ts'

/** Queued mails in total, per account and per address. Further mails are dropped. */
const WAITING_MAX = 10_000
const WAITING_PER_ACCOUNT_MAX = 10
const WAITING_PER_ADDRESS_MAX = 10

interface Draft {
  /** Null for `reset`: see sql/0050_mail.sql. */
  user_id: number | null
  address: string
  template: Template
  parameters?: Record<string, string>
}

export const sendsMail = ({ SMTP_URL }: Pick<Environment, 'SMTP_URL'>): boolean => SMTP_URL !== undefined

/** Queues a mail in the caller's transaction, or does nothing on an installation without mail. */
export async function queueMail(
  sql: Transaction,
  environment: Pick<Environment, 'SMTP_URL'>,
  { user_id, address, template, parameters = {} }: Draft,
): Promise<void> {
  if (!sendsMail(environment)) return
  await sql`insert into mail_outbox (user_id, address, template, parameters)
    select ${user_id}, ${address}, ${template}, ${sql.json(parameters)}
    where (select count(*) from mail_outbox where user_id = ${user_id}) < ${WAITING_PER_ACCOUNT_MAX}
      and (select count(*) from mail_outbox where lower(address) = lower(${address})) < ${WAITING_PER_ADDRESS_MAX}
      and (select count(*) from (select from mail_outbox limit ${WAITING_MAX}) waiting) < ${WAITING_MAX}`
}

/** Mails an account at its current address. */
export async function tellAccount(
  sql: Transaction,
  environment: Pick<Environment, 'SMTP_URL'>,
  user_id: number,
  template: Template,
  parameters: Record<string, string> = {},
): Promise<void> {
  if (!sendsMail(environment)) return
  const [account] = await sql<{ email: string }[]>`select email from users
    where id = ${user_id} and deleted_at is null and kind <> 'guest'`
  if (account) await queueMail(sql, environment, { user_id, address: account.email, template, parameters })
}

/** Deletes queued mails and links of an account that is being deleted. */
export async function forgetMail(sql: Transaction, user_id: number): Promise<void> {
  await sql`delete from mail_outbox where user_id = ${user_id}
    or lower(address) = (select lower(email) from users where id = ${user_id})`
  await sql`delete from mail_tokens where user_id = ${user_id}`
}
