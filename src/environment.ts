import { resolve } from 'node:path'
import { z } from 'zod'
import { RefusesToBoot } from './core/errors.ts'

const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
const whole = (min: number, max: number) => z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(min).max(max))
const origin = z
  .url({ protocol: /^https?$/ })
  .transform((value) => new URL(value))
  .refine(({ href, origin }) => href === `${origin}/`, 'Must be an origin, without a path')
  .transform((url) => url.origin)

/** Every variable that the server reads; nothing else reads process.env. The README's table says the same. */
const Variables = z.object({
  PORT: whole(0, 65535).default(3000).describe('TCP port; 0 takes a free one'),
  HOST: z.string().min(1).default('127.0.0.1').describe('address to listen on'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((dir) => resolve(dir))
    .describe('everything that the server keeps by itself'),
  PUBLIC_URL: origin.optional().describe('the origin that clients use, when a proxy stands in front'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('a real PostgreSQL in place of the embedded one'),
  DATABASE_CONNECTIONS: whole(2, 200).default(16).describe('connections to PostgreSQL'),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe('a Redis, 7 or newer, by which several processes serve one database'),
  REDIS_CLUSTER: z.enum(['on', 'off']).default('off').describe('`on`: REDIS_URL is one node of a Redis Cluster'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('a real S3 in place of the embedded object store'),
  S3_PUBLIC_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('the S3 endpoint as browsers reach it, where that differs'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('its region'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .default('parley')
    .describe('the bucket; it has to exist in a real S3'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('its access key'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('the secret of that key'),
  S3_PATH_STYLE: z.enum(['on', 'off']).default('on').describe('`off`: the bucket stands in the host name'),
  PENDING_UPLOADS_MAX: whole(1, 10_000).default(20).describe('uploads that an account may have under way'),
  STORED_BYTES_MAX: whole(1, Number.MAX_SAFE_INTEGER)
    .default(5 * 1024 ** 3)
    .describe('bytes of files that an account may keep'),
  MAX_FILE_BYTES: whole(1, 5 * 1024 ** 3)
    .default(100 * 1024 * 1024)
    .describe('bytes of the largest file that may be uploaded'),
  MEDIA_WORKER: z
    .enum(['on', 'off'])
    .default('on')
    .describe('`off`: no SFU, and nothing is fetched, installed or built for one'),
  MEDIASOUP_WORKER_BIN: z.string().min(1).optional().describe('path of a mediasoup-worker to use'),
  MEDIA_WORKER_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://github.com/versatica/mediasoup/releases/download')
    .describe('where prebuilt workers are fetched from: the releases of mediasoup, or a mirror of them'),
  MEDIA_DIR: z
    .string()
    .min(1)
    .transform((dir) => resolve(dir))
    .optional()
    .describe('where the worker is kept that was fetched or built; if not set, `media` in DATA_DIR'),
  SFU_WORKERS: whole(1, 64).default(1).describe('processes of the SFU, each with a port of its own'),
  SFU_PORT: whole(0, 65535).default(20_000).describe('first port of the SFU, UDP and TCP; 0 takes free ones'),
  SFU_ANNOUNCED_ADDRESS: z
    .union([z.ipv4(), z.ipv6(), z.hostname()])
    .optional()
    .describe("address or host name by which clients reach the SFU, where that is none of this machine's own"),
  TLS_CERT: z.string().min(1).optional().describe('path of a PEM certificate chain: speak HTTPS'),
  TLS_KEY: z.string().min(1).optional().describe('path of its PEM key'),
  TRUSTED_PROXIES: list
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
    .describe('addresses or CIDR ranges whose X-Forwarded-For counts, comma-separated'),
  CORS_ORIGINS: list.pipe(z.array(origin)).describe('origins of web clients served elsewhere, comma-separated'),
  RATE_LIMITS: z.enum(['on', 'off']).default('on').describe('`off` for tests and benchmarks'),
  REGISTRATION: z
    .enum(['open', 'invite', 'closed'])
    .default('open')
    .describe('who may register: everyone, with `invite` holders of an invite code, with `closed` nobody'),
  RESUME_WINDOW: whole(60, 604_800).default(86_400).describe('seconds for which a gateway client can resume'),
  VOICE_P2P_PEERS_MAX: whole(1, 8)
    .default(4)
    .describe('members of a call that may be connected to each other directly'),
  VOICE_ROOM_PEERS_MAX: whole(2, 500).default(100).describe('members of a call'),
  VOICE_CALM_SECONDS: whole(1, 3600)
    .default(30)
    .describe('seconds for which a call must do without the SFU before it goes back to direct connections'),
  VOICE_RELAY_ONLY: z
    .enum(['on', 'off'])
    .default('off')
    .describe('`on`: nobody in a call is shown the address of another, everything goes by the server'),
  METRICS_TOKEN: z.string().min(16).optional().describe('bearer token for /metrics and /readyz from elsewhere'),
  TURN_PORT: z
    .union([z.literal('off'), whole(0, 65535)])
    .default(3478)
    .describe('UDP and TCP port of the TURN relay; 0 takes a free one, `off` leaves it out'),
  TURN_TLS_PORT: whole(0, 65535).default(5349).describe('its TLS port, with TURN_TLS_CERT'),
  TURN_TLS_CERT: z.string().min(1).optional().describe('path of its PEM certificate chain; a new one is taken over'),
  TURN_TLS_KEY: z.string().min(1).optional().describe('path of the PEM key'),
  TURN_RELAY_PORTS: z
    .string()
    .regex(/^\d{1,5}-\d{1,5}$/)
    .default('21000-21999')
    .transform((range) => range.split('-').map(Number) as [number, number])
    .refine(([first, last]) => first >= 1024 && first <= last && last <= 65535, 'Must be a range of ports above 1023')
    .describe('first and last UDP port that it relays by'),
  TURN_ANNOUNCED_ADDRESS: list
    .pipe(z.array(z.string().regex(/^[A-Za-z0-9.:-]{1,253}$/)).max(4))
    .describe("its address from outside: an IP address or a host name, comma-separated; else the interface's"),
  STUN_SERVER: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,253}(:\d{1,5})?$/)
    .optional()
    .describe('host and port of a STUN server to ask for the address from outside, where none is announced'),
  TURN_ALLOWED_PEERS: list
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
    .describe('private addresses or CIDR ranges that may be relayed to all the same, comma-separated'),
  TURN_SECRET: z.string().min(16).optional().describe('makes its passwords, in place of a generated secret'),
  TURN_QUOTA_ALLOCATIONS: whole(1, 10_000).default(40).describe('allocations that an account may have at once'),
  TURN_QUOTA_BYTES_PER_SECOND: whole(1_000, Number.MAX_SAFE_INTEGER)
    .default(4_000_000)
    .describe('bytes a second that an account may have relayed'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('least severe line to log: debug, info, warn, error or silent'),
})

export type Environment = z.infer<typeof Variables>

/** Variables that hold secrets: taken out of process.env, so that no child and no Worker inherits them. */
const SECRET_VARIABLES = [
  'DATABASE_URL',
  'REDIS_URL',
  'METRICS_TOKEN',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'TURN_SECRET',
]

/**
 * Parses the environment once; an empty variable counts as absent.
 * @throws RefusesToBoot with one sentence that names the variable
 */
export function readEnvironment(source: Record<string, string | undefined>): Environment {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const parsed = Variables.safeParse(given)
  for (const name of SECRET_VARIABLES) delete source[name]
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const rule = Variables.shape[issue?.path[0] as keyof typeof Variables.shape]?.description
    throw new RefusesToBoot(`${String(issue?.path[0])} is not usable (${rule}): ${issue?.message}.`)
  }
  const environment = parsed.data
  if ((environment.TLS_CERT === undefined) !== (environment.TLS_KEY === undefined))
    throw new RefusesToBoot('TLS_CERT and TLS_KEY are only usable together.')
  if ((environment.TURN_TLS_CERT === undefined) !== (environment.TURN_TLS_KEY === undefined))
    throw new RefusesToBoot('TURN_TLS_CERT and TURN_TLS_KEY are only usable together.')
  const { TURN_PORT, TURN_RELAY_PORTS } = environment
  // Peers are relayed to the whole range, and must not be to the listener.
  if (TURN_PORT !== 'off' && TURN_PORT >= TURN_RELAY_PORTS[0] && TURN_PORT <= TURN_RELAY_PORTS[1])
    throw new RefusesToBoot('TURN_PORT is not usable among the TURN_RELAY_PORTS.')
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = environment
  if (new Set([S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY].map((value) => value === undefined)).size > 1)
    throw new RefusesToBoot('S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are only usable together.')
  return environment
}

/** Name and meaning of every variable: what the README's table says of it. */
export const variables = Object.entries(Variables.shape).map(([name, schema]) => ({
  name,
  meaning: schema.description ?? '',
}))
