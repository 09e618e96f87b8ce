import { codeOf } from '../../core/errors.ts'
import { Job } from '../../core/job.ts'
import { errorFields } from '../../core/log.ts'
import { once } from '../../core/once.ts'
import type { Parts } from '../../parts.ts'
import { makeLink } from './links.ts'
import type { Purpose } from './model.ts'
import { sendsMail } from './outbox.ts'
import { isTemplate, type Template, writeMail } from './templates.ts'
import { openTransport } from './transport.ts'

const PERIOD_MS = 1_000
/**
 * Concurrent sends per process. All mails of a batch are sent at once, so that each attempt starts when its mail is
 * taken.
 */
const SENDS_AT_ONCE = 4
/** Pause after the first attempt, longer than an attempt takes. It doubles with each attempt, up to the maximum. */
const PAUSE_SECONDS_MIN = 60
const PAUSE_SECONDS_MAX = 3_600
const GIVE_UP_HOURS = 24

interface Waiting {
  id: number
  user_id: number | null
  address: string
  template: string
  parameters: Record<string, string>
  is_last: boolean
}

interface Recipient {
  id: number
  username: string
  /** For a password reset, the address as stored, not as typed; otherwise the mail's own recipient. */
  address: string
}

/** The purpose of each template's link; other templates have no link. */
const purposes: Partial<Record<Template, Purpose>> = { reset: 'reset', verify: 'verify', change_email: 'change' }

/**
 * Sends the mails of the outbox. Every process does so: an attempt first postpones the mail's next attempt, so that no
 * other process takes it and a crash loses nothing. A mail sent just before a crash is sent again.
 */
export class MailSender extends Job {
  /** After a failure the next mail opens a new one. */
  readonly #transport = once(() => openTransport(this.parts.environment))

  constructor(private readonly parts: Pick<Parts, 'sql' | 'log' | 'environment'>) {
    super(PERIOD_MS, 'mail', parts.log)
  }

  protected async work(): Promise<void> {
    if (!sendsMail(this.parts.environment)) return
    for (;;) {
      const batch = await this.#take()
      await Promise.all(batch.map((mail) => this.#attempt(mail)))
      if (batch.length < SENDS_AT_ONCE) return
    }
  }

  /** Takes mails that are due, those with the fewest attempts first. */
  #take(): Promise<Waiting[]> {
    return this.parts.sql.begin(
      (tx) => tx<Waiting[]>`
        update mail_outbox set attempts = attempts + 1,
          due_at = now() + least(${PAUSE_SECONDS_MIN} * 2 ^ least(attempts, 10), ${PAUSE_SECONDS_MAX})
            * interval '1 second'
        where id in (select id from mail_outbox where due_at <= now() order by attempts, due_at
          limit ${SENDS_AT_ONCE} for update skip locked)
        returning id, user_id, address, template, parameters,
          created_at < now() - ${GIVE_UP_HOURS} * interval '1 hour' as is_last`,
    )
  }

  async #attempt(mail: Waiting): Promise<void> {
    const { log } = this.parts
    try {
      await this.#send(mail)
    } catch (error) {
      // Log only the code: the error's message may contain the address.
      const fields = { id: mail.id, template: mail.template, code: codeOf(error) }
      const wasRefused = isRefused(error)
      if (!mail.is_last && !wasRefused) return log('warn', 'mail.delayed', fields)
      log('error', 'mail.given_up', { ...fields, refused: wasRefused })
    }
    await this.parts.sql`delete from mail_outbox where id = ${mail.id}`.catch((error: unknown) =>
      log('warn', 'mail', errorFields(error)),
    )
  }

  async #send({ id, user_id, address, template, parameters }: Waiting): Promise<void> {
    const { sql, environment } = this.parts
    if (!isTemplate(template)) return
    const recipient = await this.#recipient(user_id, address, template)
    if (!recipient) return
    const base = environment.PUBLIC_URL ?? ''
    const purpose = purposes[template]
    const link = purpose ? await makeLink(sql, purpose, { recipient, mailId: id, base }) : ''
    if (link === undefined) return
    const transport = await this.#transport()
    const mail = writeMail(template, { username: recipient.username, base, link, parameters })
    await transport.send(recipient.address, mail)
  }

  /** The account that the mail still concerns, if any. */
  async #recipient(user_id: number | null, address: string, template: Template): Promise<Recipient | undefined> {
    const { sql } = this.parts
    const isOwn = sql`lower(email) = lower(${address})`
    const [account] = await sql<Recipient[]>`select id, username,
        ${template === 'reset' ? sql`email` : sql`${address}::text`} as address from users
      where deleted_at is null and suspended_at is null
        and ${user_id === null ? isOwn : sql`id = ${user_id}`}
        ${template === 'verify' ? sql`and ${isOwn} and email_verified_at is null` : sql``}`
    return account
  }
}

/** True if the SMTP server refused the recipient permanently. */
const isRefused = (error: unknown): boolean =>
  codeOf(error) === 'EENVELOPE' &&
  error instanceof Error &&
  'command' in error &&
  error.command === 'RCPT TO' &&
  'responseCode' in error &&
  typeof error.responseCode === 'number' &&
  error.responseCode >= 500
