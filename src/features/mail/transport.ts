import type { Environment } from '../../environment.ts'
import type { MailContent } from './templates.ts'

const ANSWER_MS_MAX = 15_000

interface MailTransport {
  /** @throws SMTP and connection errors, whose messages may contain the address */
  send(to: string, mail: MailContent): Promise<void>
  /** Connects and logs in without sending a mail. */
  probe(): Promise<void>
}

/**
 * Opens a transport to the SMTP server. smtp:// requires STARTTLS, except on this machine; smtps:// is TLS from the
 * first byte.
 */
export async function openTransport({
  SMTP_URL = '',
  MAIL_FROM = '',
}: Pick<Environment, 'SMTP_URL' | 'MAIL_FROM'>): Promise<MailTransport> {
  // Loaded with the first mail.
  const { createTransport } = await import('nodemailer')
  const { protocol, hostname, port, username, password } = new URL(SMTP_URL)
  const host = hostname.replace(/^\[|\]$/g, '')
  const secure = protocol === 'smtps:'
  const isHere = host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
  const transport = createTransport({
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isHere,
    ignoreTLS: !secure && isHere,
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: ANSWER_MS_MAX,
    greetingTimeout: ANSWER_MS_MAX,
    socketTimeout: ANSWER_MS_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(to, mail) {
      // An object is always one recipient, even if the text looks like a list.
      const message = { ...mail, from: MAIL_FROM, to: { name: '', address: to } }
      await transport.sendMail({ ...message, headers: { 'Auto-Submitted': 'auto-generated' } })
    },
    probe: () => transport.verify().then(() => {}),
  }
}
