import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Mailbox } from '../../support/mailbox.ts'
import { SPAWN_MS } from '../../support/spawned.ts'

const directory = mkdtempSync(join(tmpdir(), 'smtp-'))
const [KEY, CERTIFICATE] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
/** Addresses of this machine: to the first, mail goes without TLS; the second counts as another machine. */
const [HERE, ELSEWHERE] = ['127.0.0.1', '0.0.0.0']
const result = Bun.spawnSync([
  ...'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=mail'.split(' '),
  '-addext',
  `subjectAltName=IP:${HERE},IP:${ELSEWHERE}`,
  '-keyout',
  KEY,
  '-out',
  CERTIFICATE,
])
expect(result.exitCode).toBe(0)
const tls = { key: readFileSync(KEY), cert: readFileSync(CERTIFICATE) }

const TRANSPORT = join(import.meta.dir, '../../../src/features/mail/transport.ts')
const SENDER = `
  const { openTransport } = await import(${JSON.stringify(TRANSPORT)})
  const { SMTP_URL } = process.env
  const transport = await openTransport({ SMTP_URL, MAIL_FROM: 'parley@example.org' })
  await transport.send('alice@example.org', { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' })`

/** Sends a mail from a process, which reads NODE_EXTRA_CA_CERTS when it starts. @returns the error message */
async function send(SMTP_URL: string, trusted: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, SMTP_URL, ...trusted }
  const child = Bun.spawn([process.execPath, '-e', SENDER], { env, stdout: 'ignore', stderr: 'pipe' })
  const output = await new Response(child.stderr).text()
  return (await child.exited) === 0 ? '' : output
}

test(
  'smtp:// by STARTTLS and smtps:// deliver only over a trusted certificate',
  async () => {
    const upgraded = await Mailbox.open({ ...tls, disabledCommands: [] })
    const secure = await Mailbox.open({ ...tls, secure: true })
    const ways = [
      [upgraded, upgraded.url.replace(HERE, ELSEWHERE)],
      [secure, secure.url.replace('smtp:', 'smtps:')],
    ] as const
    for (const [mailbox, url] of ways) {
      expect(await send(url)).toContain('certificate')
      expect(mailbox.mails).toEqual([])
      expect(await send(url, { NODE_EXTRA_CA_CERTS: CERTIFICATE })).toBe('')
      expect(mailbox.to('alice@example.org', 'Hello')).toHaveLength(1)
      expect(mailbox.ciphers).toEqual([expect.stringContaining('TLS_')])
      await mailbox.close()
    }
  },
  SPAWN_MS,
)

test(
  'a remote server that offers no STARTTLS gets no mail',
  async () => {
    const plain = await Mailbox.open()
    expect(await send(plain.url.replace(HERE, ELSEWHERE))).toContain('STARTTLS')
    expect(plain.mails).toEqual([])
    await plain.close()
  },
  SPAWN_MS,
)
