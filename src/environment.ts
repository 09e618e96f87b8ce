import { resolve } from 'node:path'
import { z } from 'zod'
import { databaseUrl, replicaUrls, withDatabasePassword } from './core/database-url.ts'
import { RefusesToBoot } from './core/errors.ts'
import { demandOidc, oidcVariables } from './core/oidc-variables.ts'
import { backupVariables, botVariables, importVariables } from './core/program-variables.ts'
import { demandRedis, redisVariables } from './core/redis-variables.ts'
import { sfuVariables } from './core/sfu-variables.ts'
import { demandArchive, walVariables } from './core/wal-variables.ts'
import { list, offPreferred, onOff, path, port, ranges, whole } from './core/variable-values.ts'

const origin = z
  .url({ protocol: /^https?$/ })
  .transform((value) => new URL(value))
  .refine(({ href, origin }) => href === `${origin}/`, 'Must be an origin, without a path')
  .transform((url) => url.origin)

const url = z.url({ protocol: /^https?$/ })
/** `name@host` or `Name <name@host>`, on one line. */
const MAILBOX = /^(?:[^<>@"\p{Cc}]{1,64} <([^<>\s]+)>|([^<>\s]+))$/u
const mailbox = z.string().refine((value) => {
  const [, bracketedAddress, plainAddress] = MAILBOX.exec(value) ?? []
  return z.email().safeParse(bracketedAddress ?? plainAddress).success
}, 'Must be an address, or a name and an address in <>')

/**
 * Every variable that the server reads, by component; nothing else reads process.env. The table in
 * docs/configuration.md is generated from this.
 */
export const groups = {
  'The server': {
    PORT: port.default(3000).describe('TCP port of the web client, REST and the gateway; `0` takes a free one'),
    HOST: z.string().min(1).default('127.0.0.1').describe('address to listen on; `0.0.0.0` is every IPv4 address'),
    PUBLIC_URL: origin.optional().describe('origin that clients use, when a proxy stands in front'),
    TRUSTED_PROXIES: ranges.describe(
      'proxies whose `X-Forwarded-For` is trusted: addresses or CIDR ranges, comma-separated',
    ),
    TLS_CERT: path
      .optional()
      .describe('path of a PEM certificate chain; the server then speaks HTTPS; a renewed file is reloaded'),
    TLS_KEY: path.optional().describe('path of the PEM key of `TLS_CERT`'),
    CORS_ORIGINS: list
      .pipe(z.array(origin))
      .describe('origins of web clients that another server serves, comma-separated'),
    DATA_DIR: path
      .default('./data')
      .transform((dir) => resolve(dir))
      .describe('directory for everything that the server stores itself'),
    DISK_FREE_MIN_BYTES: whole(0, Number.MAX_SAFE_INTEGER)
      .default(512 * 1024 ** 2)
      .describe(
        'free bytes required on the disk of `DATA_DIR`: below this, uploads are refused; below half of it, ' +
          'new messages too',
      ),
    REGISTRATION: z
      .enum(['open', 'invite', 'closed'])
      .default('open')
      .describe(
        'who may register: everyone, holders of an invite code (`invite`) or nobody (`closed`); ' +
          'operators can make it stricter',
      ),
    GUESTS: onOff
      .optional()
      .describe(
        'whether an invite can let people join as guests, for a day and without an account: `on` or `off`; unset: on ' +
          'unless registration is closed',
      ),
    RATE_LIMITS: onOff.default('on').describe('`off` lifts every rate limit: for tests and benchmarks only'),
    METRICS_TOKEN: z
      .string()
      .min(16)
      .optional()
      .describe(
        'bearer token that opens `/metrics` and the details of `/readyz` to other machines, and with `PUBLIC_URL` to ' +
          'this one',
      ),
    LOG_LEVEL: z
      .enum(['debug', 'info', 'warn', 'error', 'silent'])
      .default('info')
      .describe('least severe line to log: `debug`, `info`, `warn`, `error` or `silent`'),
  },
  'The database': {
    DATABASE_URL: databaseUrl
      .optional()
      .describe(
        'a PostgreSQL, version 15 or newer, to use in place of the embedded one; `host:port,host:port` names several ' +
          'servers (up to eight), of which the primary is used',
      ),
    DATABASE_PASSWORD: z
      .string()
      .optional()
      .describe(
        'password for `DATABASE_URL`, as it is; within the URL `@`, `/`, `:` and `%` have to be percent-encoded',
      ),
    DATABASE_REPLICA_URLS: replicaUrls.describe(
      'hot standbys of `DATABASE_URL` (up to eight) that serve [most reads](scaling.md#reads-on-replicas), ' +
        'comma-separated; `DATABASE_PASSWORD` is their password too',
    ),
    DATABASE_CONNECTIONS: whole(2, 200)
      .default(16)
      .describe('connections to PostgreSQL, and to each replica, plus one for checks'),
  },
  'Several processes': redisVariables,
  Files: {
    S3_ENDPOINT: url.optional().describe('an S3-compatible object store to use in place of the embedded one'),
    S3_PUBLIC_ENDPOINT: url.optional().describe('`S3_ENDPOINT` as browsers reach it, if that differs'),
    S3_REGION: z.string().min(1).default('us-east-1').describe('region of the object store'),
    S3_BUCKET: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
      .default('parley')
      .describe('bucket to use; it must exist in `S3_ENDPOINT`'),
    S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('access key for `S3_ENDPOINT`'),
    S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('secret of `S3_ACCESS_KEY_ID`'),
    S3_PATH_STYLE: onOff.default('on').describe('`off`: the bucket is part of the host name'),
    MAX_FILE_BYTES: whole(1, 5 * 1024 ** 3)
      .default(100 * 1024 * 1024)
      .describe('bytes of the largest file that may be uploaded'),
    STORED_BYTES_MAX: whole(1, Number.MAX_SAFE_INTEGER)
      .default(5 * 1024 ** 3)
      .describe('bytes of files that one account and its bots may store together'),
    SERVER_ASSETS_BYTES_MAX: whole(1, Number.MAX_SAFE_INTEGER)
      .default(64 * 1024 ** 2)
      .describe('bytes that emoji, stickers, sounds, and pictures of roles and events of a server may take together'),
    FILE_RETENTION_DAYS: whole(1, 36_500)
      .optional()
      .describe('days after which files of messages are deleted; without it they stay as long as their messages'),
    FILE_RETENTION_BYTES_MIN: whole(0, Number.MAX_SAFE_INTEGER)
      .default(0)
      .describe('size from which files are deleted after `FILE_RETENTION_DAYS`; smaller files stay'),
    PENDING_UPLOADS_MAX: whole(1, 10_000)
      .default(20)
      .describe('unfinished uploads that one account and its bots may have together'),
  },
  Messages: {
    MESSAGE_RETENTION_DAYS: whole(1, 36_500)
      .optional()
      .describe('days after which messages are deleted, direct ones too; servers and channels may set fewer'),
  },
  'Link previews': {
    LINK_PREVIEWS: onOff
      .default('on')
      .describe('`off`: no link previews; the server makes no requests for them, not even DNS'),
    PREVIEW_ALLOWED_ADDRESSES: ranges.describe(
      'private addresses or CIDR ranges that previews are fetched from, on every port: for tests',
    ),
  },
  'Web Push': {
    WEB_PUSH: onOff.default('on').describe('`off`: no push notifications; the server contacts no push service'),
    PUSH_ALLOWED_ADDRESSES: ranges.describe(
      'addresses or CIDR ranges that notifications are sent to on every port, even without TLS: for tests',
    ),
  },
  'Bots at URLs': botVariables,
  'Moving in from Discord': importVariables,
  Mail: {
    SMTP_URL: z
      .url({ protocol: /^smtps?$/ })
      .optional()
      .describe(
        'SMTP server that takes mail, with user and password percent-encoded: `smtp://` requires STARTTLS except ' +
          'from this machine itself, `smtps://` is TLS from the start; needs `MAIL_FROM` and `PUBLIC_URL`',
      ),
    MAIL_FROM: mailbox.optional().describe('sender of mail: `parley@example.org` or `Parley <parley@example.org>`'),
    EMAIL_VERIFICATION: z
      .enum(['off', 'required'])
      .default('off')
      .describe('`required`: new accounts must first confirm their e-mail address'),
  },
  'Single sign-on': oidcVariables,
  Backups: { ...backupVariables, ...walVariables },
  'The gateway': {
    RESUME_WINDOW: whole(60, 604_800)
      .default(86_400)
      .describe('seconds after an event for which a client can resume from it'),
  },
  Calls: {
    VOICE_P2P_PEERS_MAX: whole(1, 8).default(4).describe('maximum number of members of a peer-to-peer call'),
    VOICE_ROOM_PEERS_MAX: whole(2, 500).default(100).describe('maximum number of members of a call'),
    STAGE_LISTENERS_MAX: whole(1, 10_000)
      .default(1_000)
      .describe('maximum number of listeners of a stage, whose speakers count for `VOICE_ROOM_PEERS_MAX`'),
    VOICE_CALM_SECONDS: whole(1, 3600)
      .default(30)
      .describe('seconds without a reason for the SFU after which a call returns to peer to peer'),
    VOICE_RELAY_ONLY: onOff
      .default('off')
      .describe('`on`: no member of a call learns the address of another; all media pass through the server'),
    CALLS_ENCRYPTION: offPreferred
      .default('off')
      .describe('`preferred`: encrypt calls end to end, as `calls_encryption` of each server says (experimental)'),
  },
  'The TURN relay': {
    TURN_PORT: z
      .union([z.literal('off'), port])
      .default(3478)
      .describe('UDP and TCP port of the relay; `0` takes a free one, `off` runs no relay'),
    TURN_TLS_PORT: port.default(5349).describe('TLS port of the relay; open only with `TURN_TLS_CERT`'),
    TURN_TLS_CERT: path
      .optional()
      .describe('path of the PEM certificate chain of the relay; a renewed file is reloaded'),
    TURN_TLS_KEY: path.optional().describe('path of the PEM key of `TURN_TLS_CERT`'),
    TURN_RELAY_PORTS: z
      .string()
      .regex(/^\d{1,5}-\d{1,5}$/)
      .default('21000-21999')
      .transform((range): [number, number] => {
        const [first = 0, last = 0] = range.split('-').map(Number)
        return [first, last]
      })
      .refine(([first, last]) => first >= 1024 && first <= last && last <= 65535, 'Must be a range of ports above 1023')
      .describe('first and last UDP port for relayed packets'),
    TURN_ANNOUNCED_ADDRESS: list
      .pipe(z.array(z.string().regex(/^[A-Za-z0-9.:-]{1,253}$/)).max(4))
      .describe('public addresses or host names of the relay, comma-separated; without them the network interface’s'),
    TURN_ALLOWED_PEERS: ranges.describe('private addresses or CIDR ranges that the relay may send to, comma-separated'),
    TURN_SECRET: z
      .string()
      .min(16)
      .optional()
      .describe('secret that signs relay passwords, in place of a generated one'),
    TURN_QUOTA_ALLOCATIONS: whole(1, 10_000)
      .default(40)
      .describe('relay ports that one account may use at once; fewer while they are scarce'),
    TURN_QUOTA_BYTES_PER_SECOND: whole(1_000, Number.MAX_SAFE_INTEGER)
      .default(4_000_000)
      .describe('bytes a second that the relay carries for one account'),
    STUN_SERVER: z
      .string()
      .regex(/^[A-Za-z0-9.-]{1,253}(:\d{1,5})?$/)
      .optional()
      .describe('`host:port` of a STUN server that reports the public address, if none is announced'),
  },
  'The SFU': sfuVariables,
}

export const Variables = z.object({
  ...groups['The server'],
  ...groups['The database'],
  ...groups['Several processes'],
  ...groups.Files,
  ...groups.Messages,
  ...groups['Link previews'],
  ...groups['Web Push'],
  ...groups['Bots at URLs'],
  ...groups['Moving in from Discord'],
  ...groups.Mail,
  ...groups['Single sign-on'],
  ...groups.Backups,
  ...groups['The gateway'],
  ...groups.Calls,
  ...groups['The TURN relay'],
  ...groups['The SFU'],
})

export type Environment = z.infer<typeof Variables>

const PAIRS = [
  ['TLS_CERT', 'TLS_KEY'],
  ['TURN_TLS_CERT', 'TURN_TLS_KEY'],
  ['SMTP_URL', 'MAIL_FROM'],
  ['REDIS_SENTINELS', 'REDIS_MASTER'],
] as const

/** Variables that contain secrets. Removed from process.env, so that no child process or Worker inherits them. */
const SECRET_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_PASSWORD',
  'DATABASE_REPLICA_URLS',
  'REDIS_URL',
  'REDIS_SENTINEL_PASSWORD',
  'METRICS_TOKEN',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'TURN_SECRET',
  'DISCORD_TOKEN',
]

/**
 * Parses the environment once; an empty variable counts as absent.
 * @throws RefusesToBoot with one sentence that names the variable
 */
export function readEnvironment(source: Record<string, string | undefined>): Environment {
  const filledVariables = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const parsed = Variables.safeParse(filledVariables)
  for (const name of SECRET_VARIABLES) delete source[name]
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = String(issue?.path[0])
    const schema = new Map<string, z.ZodType>(Object.entries(Variables.shape)).get(name)
    throw new RefusesToBoot(`${name} is not usable (${schema?.description}): ${issue?.message}.`)
  }
  const environment = parsed.data
  for (const [one, other] of PAIRS)
    if ((environment[one] === undefined) !== (environment[other] === undefined))
      throw new RefusesToBoot(`${one} and ${other} are only usable together.`)
  demandRedis(environment)
  const { TURN_PORT, TURN_RELAY_PORTS } = environment
  // The relay may send to its whole port range, so the range must not include its own listener.
  if (TURN_PORT !== 'off' && TURN_PORT >= TURN_RELAY_PORTS[0] && TURN_PORT <= TURN_RELAY_PORTS[1])
    throw new RefusesToBoot('TURN_PORT is not usable among the TURN_RELAY_PORTS.')
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = environment
  if (new Set([S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY].map((value) => value === undefined)).size > 1)
    throw new RefusesToBoot('S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are only usable together.')
  demandMail(environment)
  demandArchive(environment)
  demandOidc(environment)
  const { DATABASE_URL, DATABASE_PASSWORD, DATABASE_REPLICA_URLS } = environment
  if (DATABASE_REPLICA_URLS.length > 0 && DATABASE_URL === undefined)
    throw new RefusesToBoot('DATABASE_REPLICA_URLS is only usable with DATABASE_URL.')
  const passworded = (url: string) =>
    DATABASE_PASSWORD === undefined ? url : withDatabasePassword(url, DATABASE_PASSWORD)
  return {
    ...environment,
    DATABASE_URL: withPassword(environment),
    DATABASE_REPLICA_URLS: DATABASE_REPLICA_URLS.map(passworded),
  }
}

function demandMail({ SMTP_URL, PUBLIC_URL, EMAIL_VERIFICATION }: Environment): void {
  // Links in mail need PUBLIC_URL: a request's Host header must not end up in them.
  if (SMTP_URL !== undefined && PUBLIC_URL === undefined)
    throw new RefusesToBoot('SMTP_URL is only usable with PUBLIC_URL, because links in mail need it.')
  if (EMAIL_VERIFICATION === 'required' && SMTP_URL === undefined)
    throw new RefusesToBoot('EMAIL_VERIFICATION=required is only usable with SMTP_URL.')
}

function withPassword({ DATABASE_URL, DATABASE_PASSWORD }: Environment): string | undefined {
  if (DATABASE_PASSWORD === undefined) return DATABASE_URL
  if (DATABASE_URL === undefined) throw new RefusesToBoot('DATABASE_PASSWORD is only usable with DATABASE_URL.')
  return withDatabasePassword(DATABASE_URL, DATABASE_PASSWORD)
}

/** Names of all variables. */
export const variableNames: string[] = Object.keys(Variables.shape)
