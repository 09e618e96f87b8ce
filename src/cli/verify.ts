import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Progress } from '../backup/dump.ts'
import { fillInstallation } from '../backup/empty-installation.ts'
import { restore } from '../backup/restore.ts'
import { openTarget } from '../backup/target.ts'
import { RefusesToBoot } from '../core/errors.ts'
import { typedCommand } from '../core/program.ts'
import { type Environment, readEnvironment } from '../environment.ts'
import { openTokens } from '../features/sessions/token.ts'
import type { Parts } from '../parts.ts'
import { runCommand } from './command.ts'
import { askPassphrase } from './passphrase.ts'
import { showProgress } from './progress.ts'

const TEXT = `${typedCommand('verify')} <file> [<earlier file>…]
  Restores a backup into a scratch directory below TMPDIR, compares every table and object with what was written,
  starts a server on it and compares a sample of its answers. Changes nothing else.`

/** Accounts and files to compare. */
const SAMPLE = 20

/** A running server, reduced to the parts that sampling needs. */
interface Running {
  url: string
  parts: Pick<Parts, 'sql' | 'secrets' | 'objects'>
  stop(): Promise<void>
}

const Me = z.object({ id: z.int(), username: z.string() })
const Ids = z.array(z.object({ id: z.int() }))

/** Compares a server's answers with its database. */
class Sample {
  answers = 0
  private readonly tokens = new Map<number, Promise<string>>()

  constructor(private readonly running: Running) {}

  async take(hasObjects: boolean): Promise<void> {
    const { sql } = this.running.parts
    const accounts = await sql<{ id: number; username: string }[]>`
      select id, username from users where deleted_at is null and suspended_at is null
      order by random() limit ${SAMPLE}`
    for (const account of accounts) await this.askAsAccount(account)
    if (!hasObjects) return
    const files = await sql<{ id: number; uploader_id: number; key: string }[]>`
      select f.id, f.uploader_id, f.key from files f join users u on u.id = f.uploader_id
      where u.deleted_at is null and u.suspended_at is null order by random() limit ${SAMPLE}`
    for (const file of files) await this.download(file)
    const emoji = await sql<{ key: string }[]>`select key from emojis order by random() limit ${SAMPLE}`
    for (const { key } of emoji) await this.showPicture(`emoji/${key}`)
    const stickers = await sql<{ key: string }[]>`select key from stickers order by random() limit ${SAMPLE}`
    for (const { key } of stickers) await this.showPicture(`stickers/${key}`)
  }

  private async askAsAccount({ id, username }: { id: number; username: string }): Promise<void> {
    const { sql } = this.running.parts
    const me = await this.get(id, '/api/auth/me', Me)
    this.compare('an account', [me.id, me.username], [id, username])
    const servers = await sql<{ server_id: number }[]>`select server_id from members where user_id = ${id} order by 1`
    const listedIds = (await this.get(id, '/api/servers?limit=100', Ids))
      .map((server) => server.id)
      .sort((a, b) => a - b)
    this.compare(
      'the servers of an account',
      listedIds,
      servers.map(({ server_id }) => server_id),
    )
    const [channelRow] = await sql<{ channel_id: number; newest: number | null }[]>`
      select cp.channel_id, (select max(m.id) from messages m where m.channel_id = cp.channel_id) as newest
      from channel_permissions cp join channels c on c.id = cp.channel_id
      where cp.user_id = ${id} and can_view(cp.permissions) and c.type = 'text' order by random() limit 1`
    if (!channelRow) return
    const [newest] = await this.get(id, `/api/channels/${channelRow.channel_id}/messages?limit=1`, Ids)
    this.compare('the newest message of a channel', newest?.id ?? null, channelRow.newest)
  }

  private async download({ id, uploader_id, key }: { id: number; uploader_id: number; key: string }): Promise<void> {
    const Link = z.object({ download_url: z.url() })
    const { download_url } = await this.get(uploader_id, `/api/files/${id}/download-url`, Link)
    const bytes = await (await fetch(download_url)).bytes()
    const object = await this.running.parts.objects.head(key)
    this.compare('a file', `"${createHash('md5').update(bytes).digest('hex')}"`, object?.etag)
  }

  private async showPicture(key: string): Promise<void> {
    const bytes = await (await fetch(`${this.running.url}/media/${key}`)).bytes()
    const object = await this.running.parts.objects.head(key)
    this.compare('a picture of a server', `"${createHash('md5').update(bytes).digest('hex')}"`, object?.etag)
  }

  private async get<S extends z.ZodType>(userId: number, path: string, schema: S): Promise<z.infer<S>> {
    const authorization = `Bearer ${await this.tokenOf(userId)}`
    const answer = await fetch(this.running.url + path, { headers: { authorization } })
    const parsed = schema.safeParse(await answer.json())
    if (answer.status !== 200 || !parsed.success)
      throw new RefusesToBoot(`A server on the restored data answers ${path} with ${answer.status}.`)
    return parsed.data
  }

  private compare(subject: string, answer: unknown, expected: unknown): void {
    this.answers++
    if (!Bun.deepEquals(answer, expected))
      throw new RefusesToBoot(`A server on the restored data answers ${subject} differently from its database.`)
  }

  private tokenOf(userId: number): Promise<string> {
    const { sql, secrets } = this.running.parts
    const open = async () => {
      const [session] = await sql<[{ id: number; user_id: number; ver: number; expires_at: string }]>`
        insert into sessions (user_id, expires_at, ip) values (${userId}, now() + interval '1 hour', '127.0.0.1')
        returning id, user_id, ver, expires_at`
      return openTokens(secrets.jwt).sign(session)
    }
    const token = this.tokens.get(userId) ?? open()
    this.tokens.set(userId, token)
    return token
  }
}

/** Environment of a server in a scratch directory, reachable by nobody else. */
const scratchEnvironment = (directory: string): Environment =>
  readEnvironment({
    DATA_DIR: join(directory, 'data'),
    PORT: '0',
    TURN_PORT: 'off',
    MEDIA_WORKER: 'off',
    LINK_PREVIEWS: 'off',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
  })

/** Rejects when the signal aborts. */
const abortion = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })

/** The command `verify`. @param start starts a server */
export const verify = (start: (environment: Environment) => Promise<Running>): Promise<never> =>
  runCommand(
    { text: TEXT, options: {}, positionals: [1, 100] },
    'the backup is not verified.',
    async ({ positionals: [file = '', ...earlier] }, environment, signal) => {
      const directory = mkdtempSync(join(tmpdir(), 'parley-verify-'))
      // Runs at the very end, even if a command did not clean up in time.
      process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
      const scratch = scratchEnvironment(directory)
      let passphrase: Promise<string> | undefined
      const ask = () => (passphrase ??= askPassphrase(environment))
      let progress: Progress | undefined
      const sum = showProgress(() => progress)
      try {
        const options = { ask, keepSessions: false, earlier, check: true, signal }
        const target = await openTarget(scratch)
        const head = await fillInstallation(scratch, (address) =>
          restore(file, address, target, options, (counts) => (progress = counts)),
        )
        const summary = sum()
        signal.throwIfAborted()
        const running = await start(scratch)
        const sample = new Sample(running)
        await Promise.race([sample.take(head.objects === 'all'), abortion(signal)]).finally(() => running.stop())
        console.log(
          `The backup of ${head.at}, by Parley ${head.version}, is intact: ${summary}; ` +
            `${sample.answers} answers of a server on it are correct.`,
        )
      } finally {
        sum()
      }
    },
  )
