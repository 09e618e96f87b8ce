import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { until } from './until.ts'

export interface Mail {
  from: string
  to: string[]
  /** The raw mail: headers, an empty line, and the body in its transfer encoding. */
  raw: string
  /** Without the transfer encoding. */
  text: string
  headers: string
}

/** A real SMTP server on a free port of loopback, and the mails that it has taken. */
export class Mailbox {
  readonly mails: Mail[] = []
  /** Cipher of each mail that came over TLS. */
  readonly ciphers: string[] = []
  /** Replies to recipients that it refuses. */
  refusal: { code: number; only?: string } | undefined
  readonly #server: SMTPServer
  url = ''

  private constructor(options: SMTPServerOptions) {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onRcptTo: ({ address }, _session, callback) => {
        const { refusal } = this
        const refused = refusal && (refusal.only ?? address) === address
        callback(refused ? Object.assign(new Error('not here'), { responseCode: refusal.code }) : null)
      },
      onData: (stream, { envelope, tlsOptions }, callback) => {
        if (tlsOptions) this.ciphers.push(tlsOptions.name)
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString()
          const text = raw
            .replaceAll('=\r\n', '')
            .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
          const [headers = ''] = raw.split('\r\n\r\n')
          this.mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw, text, headers })
          callback()
        })
      },
      ...options,
    })
    // A client that hangs up is no fault of the server.
    this.#server.on('error', () => {})
  }

  static async open(options: SMTPServerOptions = {}): Promise<Mailbox> {
    const mailbox = new Mailbox(options)
    await new Promise<void>((resolve) => mailbox.#server.listen(0, '127.0.0.1', resolve))
    const address = mailbox.#server.server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    mailbox.url = `smtp://127.0.0.1:${address.port}`
    return mailbox
  }

  /** The environment of a server that sends its mail here. */
  variables(): Record<string, string> {
    return {
      SMTP_URL: this.url,
      MAIL_FROM: 'Parley <parley@example.org>',
      PUBLIC_URL: 'http://localhost:3999',
    }
  }

  /** Mails to an address with this subject. */
  to(address: string, subject: string): Mail[] {
    return this.mails.filter(
      (mail) =>
        mail.to.some((to) => to.toLowerCase() === address.toLowerCase()) &&
        mail.headers.includes(`Subject: ${subject}`),
    )
  }

  /** Waits for a mail, the nth of its kind, and gives the token of its link, or '' where it has none. */
  async token(address: string, subject: string, nth = 1): Promise<string> {
    await until(() => this.to(address, subject).length >= nth)
    return /#([A-Za-z0-9_-]{43})/.exec(this.to(address, subject)[nth - 1]?.text ?? '')?.[1] ?? ''
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve))
  }
}

export const RESET = 'Reset your password'
export const VERIFY = 'Confirm your e-mail address'
export const CHANGE = 'Confirm your new e-mail address'
