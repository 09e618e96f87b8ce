import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { fileSecrets } from '../database/secrets.ts'
import { RefusesToBoot } from '../core/errors.ts'
import { type Environment, readEnvironment } from '../environment.ts'
import { credentialsFor } from '../turn/credentials.ts'
import { type IceServer, IceServers } from '../turn/model.ts'
import { type TurnEndpoint, probeTurn } from '../turn/probe.ts'
import { givesMicrophones, NO_MICROPHONES } from '../voice/microphones.ts'
import { ownSfuHost, reachesSfu } from '../voice/sfu/probe.ts'

const USAGE = `bun run doctor [<url>] [<token>]
  Checks from outside in whether a running server can carry calls, and names the ports that are closed. On the server's
  own machine the environment tells what to check; elsewhere give its URL and the session token of any account.`
const ANSWER_MS_MAX = 5_000
/** The id of no account: the check's allocation counts on no account's quota. */
const NOBODY = 9_007_199_254_740_991

/** The server answers with `parts` only to its own machine or for METRICS_TOKEN. */
const Readiness = z.object({ parts: z.object({ sfu: z.string() }).optional(), proxy: z.string().optional() })

class NotUnderstood extends Error {}

interface Check {
  name: string
  /** What is wrong, as part of a sentence; undefined when the check passed. */
  fault: string | undefined
}

const get = (url: string, token?: string): Promise<unknown> =>
  fetch(url, {
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  }).then((response) => response.json())

/** The STUN and TURN servers that clients get: asked from the server with a token, else from the environment. */
async function iceServersOf(base: string, token: string | undefined, environment: Environment): Promise<IceServer[]> {
  if (token !== undefined) {
    const told = IceServers.safeParse(await get(`${base}/api/voice/ice-servers`, token))
    if (!told.success) throw new RefusesToBoot('The server does not take this token.')
    return told.data.ice_servers
  }
  const { TURN_PORT, TURN_SECRET, TURN_ANNOUNCED_ADDRESS, DATA_DIR } = environment
  if (TURN_PORT === 'off') return []
  const kept = existsSync(join(DATA_DIR, 'secrets.json')) && !environment.DATABASE_URL
  const secret = TURN_SECRET ?? (kept ? fileSecrets(DATA_DIR).turn : undefined)
  if (secret === undefined || TURN_PORT === 0)
    throw new RefusesToBoot('The credentials of the relay are not to be found in DATA_DIR: give a URL and a token.')
  const host = TURN_ANNOUNCED_ADDRESS[0] ?? new URL(base).hostname
  const urls = (['udp', 'tcp'] as const).map((transport) => `turn:${host}:${TURN_PORT}?transport=${transport}`)
  return [{ urls: [`stun:${host}:${TURN_PORT}`] }, { urls, ...credentialsFor(secret, NOBODY, Date.now() / 1000) }]
}

/** The transport, host and port of a STUN or TURN URL (RFC 7064, RFC 7065). */
function probeTargetOf(url: string): TurnEndpoint {
  const [, scheme, host = '', port, transport = 'udp'] =
    /^(stun|turns?):(\[[^\]]+\]|[^:]+):(\d+)(?:\?transport=(udp|tcp))?$/.exec(url) ?? []
  const how = scheme === 'turns' ? 'tls' : transport === 'tcp' ? 'tcp' : 'udp'
  return { transport: how, host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

async function checkRelay(servers: IceServer[]): Promise<Check[]> {
  const checks: Check[] = []
  for (const { urls, username, credential } of servers)
    for (const url of urls) {
      const door = probeTargetOf(url)
      const given = username !== undefined && credential !== undefined ? { username, credential } : undefined
      const fault = await probeTurn(door, given)
      const port = `${door.transport === 'udp' ? 'UDP' : 'TCP'} port ${door.port} of ${door.host}`
      const what = given ? `TURN over ${door.transport.toUpperCase()}` : 'STUN'
      const says = fault === 'closed' ? `${port} is closed (${what})` : fault && `at ${port} (${what}) ${fault}`
      checks.push({ name: `${what}, ${port}`, fault: says })
    }
  return checks
}

async function checkSfu(base: string, environment: Environment): Promise<Check> {
  const state = Readiness.parse(await get(`${base}/readyz`, environment.METRICS_TOKEN)).parts?.sfu
  if (state === 'off') return { name: 'SFU: off', fault: undefined }
  if (state !== undefined && state !== 'ready') return { name: 'SFU', fault: `the SFU is not there (${state})` }
  const { SFU_PORT, SFU_ANNOUNCED_ADDRESS } = environment
  const { hostname } = new URL(base)
  const near = hostname === 'localhost' || hostname.startsWith('127.')
  const host = SFU_ANNOUNCED_ADDRESS ?? (near ? await ownSfuHost() : hostname)
  const port = `TCP port ${SFU_PORT} of ${host}`
  const open = await reachesSfu(host, SFU_PORT)
  return {
    name: `SFU, ${port} (its UDP port answers only in a call)`,
    fault: open ? undefined : `${port} is closed (SFU)`,
  }
}

/** Whether the proxy at PUBLIC_URL tells the server who its clients are. The server says so only for METRICS_TOKEN. */
async function checkProxy(base: string, { PUBLIC_URL, TRUSTED_PROXIES, METRICS_TOKEN }: Environment): Promise<Check[]> {
  if (base !== PUBLIC_URL) return []
  const name = `X-Forwarded-For of the proxy at ${base}`
  if (METRICS_TOKEN === undefined) {
    const fault = TRUSTED_PROXIES.length === 0 ? 'PUBLIC_URL is set and TRUSTED_PROXIES is not' : undefined
    return [{ name: `${name} (METRICS_TOKEN is needed to see it)`, fault }]
  }
  const faults = new Map([
    ['silent', `the proxy at ${base} sends no X-Forwarded-For`],
    ['untrusted', `TRUSTED_PROXIES does not name the proxy at ${base}`],
  ])
  const { proxy } = Readiness.parse(await get(`${base}/readyz`, METRICS_TOKEN))
  return [{ name, fault: faults.get(proxy ?? '') }]
}

async function examine(base: string, token: string | undefined, environment: Environment): Promise<Check[]> {
  const microphones = givesMicrophones(base)
  const alive = await get(`${base}/healthz`).then(
    () => undefined,
    () => `nothing answers at ${base}`,
  )
  const first = [
    { name: `microphones at ${base}`, fault: microphones ? undefined : `${NO_MICROPHONES}, and ${base} is neither` },
    { name: `HTTP at ${base}`, fault: alive },
  ]
  if (alive) return first
  const servers = await iceServersOf(base, token, environment)
  const relay =
    servers.length > 0 ? await checkRelay(servers) : [{ name: 'TURN: off, or not running', fault: undefined }]
  return [...first, ...relay, await checkSfu(base, environment)]
}

function read(typed: string[], { PUBLIC_URL, PORT, TLS_CERT }: Environment) {
  const [url = PUBLIC_URL ?? `http${TLS_CERT ? 's' : ''}://localhost:${PORT}`, token, ...more] = typed
  if (more.length > 0 || !/^https?:/.test(url) || !URL.canParse(url)) throw new NotUnderstood('That is no URL.')
  return { base: new URL(url).origin, token }
}

try {
  const typed = process.argv.slice(2)
  if (['help', '--help', '-h'].includes(typed[0] ?? '')) {
    console.log(USAGE)
    process.exit(0)
  }
  const environment = readEnvironment(process.env)
  const { base, token } = read(typed, environment)
  const calls = await examine(base, token, environment)
  const proxy = await checkProxy(base, environment).catch(() => [])
  for (const { name, fault } of [...calls, ...proxy]) console.log(`${fault ? 'FAILED' : 'ok    '} ${name}`)
  const faultsOf = (checks: Check[]) => checks.flatMap(({ fault }) => fault ?? []).join('; ')
  if (faultsOf(calls)) console.error(`Calls will not work for everyone: ${faultsOf(calls)}.`)
  if (faultsOf(proxy)) console.error(`All people share one rate limit: ${faultsOf(proxy)}.`)
  process.exit(faultsOf([...calls, ...proxy]) ? 1 : 0)
} catch (error) {
  if (error instanceof NotUnderstood) {
    console.error(`${error.message}\n\n${USAGE}`)
    process.exit(2)
  }
  console.error(error instanceof RefusesToBoot ? error.message : `It failed: ${error}`)
  process.exit(1)
}
