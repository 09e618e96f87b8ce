import type { Environment } from '../../environment.ts'
import type { Written } from './templates.ts'

const ANSWER_MS_MAX = 15_000

export interface MailTransport {
  /** @throws errors of the conversation; their messages may name the address */
  send(to: string, mail: Written): Promise<void>
  /** A conversation with the server up to the login, without a mail. */
  probe(): Promise<void>
}

/**
 * Opens the way to the SMTP server. smtp:// demands STARTTLS, but to this machine itself; smtps:// is TLS from the
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
      // An object is one recipient, whatever its text looks like.
      const message = { ...mail, from: MAIL_FROM, to: { name: '', address: to } }
      await transport.sendMail({ ...message, headers: { 'Auto-Submitted': 'auto-generated' } })
    },
    probe: () => transport.verify().then(() => {}),
  }
}
