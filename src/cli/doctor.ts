import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { checkBackEnd } from './back-end-checks.ts'
import type { Check } from './doctor-checks.ts'
import { codeOf, messageOf, RefusesToBoot } from '../core/errors.ts'
import { typedCommand } from '../core/program.ts'
import { openDatabase } from '../database/database.ts'
import { fileSecrets } from '../database/secrets.ts'
import { type Environment, readEnvironment } from '../environment.ts'
import { sendsMail } from '../features/mail/outbox.ts'
import { openTransport } from '../features/mail/transport.ts'
import { probeProvider } from '../features/oidc/probe.ts'
import { credentialsFor } from '../turn/credentials.ts'
import { type IceServer, IceServers } from '../turn/model.ts'
import { type TurnEndpoint, probeTurn } from '../turn/probe.ts'
import { givesMicrophones, NO_MICROPHONES } from '../voice/secure-origin.ts'
import { ownSfuHost, reachesSfu } from '../voice/sfu/probe.ts'

const USAGE = `${typedCommand('doctor')} [<url>] [<token>]
  Checks a running server: from outside, whether calls work and which ports are closed; whether its SMTP server accepts
  mail, without sending any; whether the identity provider knows the installation; and its back end: its database, its
  Redis and its DATA_DIR. On the server's machine the environment says what to check; elsewhere pass the server's URL
  and the session token of any account.`
const ANSWER_MS_MAX = 5_000
/** The id of no account, so that the check's allocation counts against nobody's quota. */
const NOBODY = 9_007_199_254_740_991

/** The server only includes `parts` for its own machine or with METRICS_TOKEN. */
const Readiness = z.object({ parts: z.object({ sfu: z.string() }).optional(), proxy: z.string().optional() })

class NotUnderstood extends Error {}

/** A part could not be checked; it may work or not. */
class Unchecked extends Error {}

/** @param isVerified true if the server's certificate must be trusted; otherwise no token is sent */
const get = (url: string, token: string | undefined, isVerified: boolean): Promise<unknown> =>
  fetch(url, {
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
    headers: token !== undefined && isVerified ? { authorization: `Bearer ${token}` } : {},
    tls: { rejectUnauthorized: isVerified },
  }).then((response) => response.json())

/** Reads the relay's secret as the server does: from the environment, the database or DATA_DIR. */
async function turnSecretOf({ TURN_SECRET, DATABASE_URL, DATA_DIR }: Environment): Promise<string> {
  if (TURN_SECRET !== undefined) return TURN_SECRET
  if (DATABASE_URL === undefined) {
    if (existsSync(join(DATA_DIR, 'secrets.json'))) return fileSecrets(DATA_DIR).turn
    throw new Unchecked(`${DATA_DIR} has no server's secrets: set DATA_DIR, or pass its URL and a token`)
  }
  const sql = openDatabase({ url: DATABASE_URL }, 1, 'parley-doctor')
  try {
    const [row] = await sql<{ value: string }[]>`select value from secrets where name = 'turn'`
    if (row) return row.value
  } catch (error) {
    throw new Unchecked(`the secret cannot be read from DATABASE_URL (${messageOf(error)})`)
  } finally {
    await sql.end({ timeout: 0 })
  }
  throw new Unchecked('DATABASE_URL has no relay secret: the server has never started on it')
}

/** The STUN and TURN servers that clients use: from the server if there is a token, else from the environment. */
async function iceServersOf(
  base: string,
  token: string | undefined,
  environment: Environment,
  isVerified: boolean,
): Promise<IceServer[]> {
  if (token !== undefined) {
    if (!isVerified) throw new Unchecked('the token is not sent to a server whose certificate is not trusted')
    const response = IceServers.safeParse(await get(`${base}/api/voice/ice-servers`, token, isVerified))
    if (!response.success) throw new RefusesToBoot('The server rejects this token.')
    return response.data.ice_servers
  }
  const { TURN_PORT, TURN_ANNOUNCED_ADDRESS } = environment
  if (TURN_PORT === 'off') return []
  if (TURN_PORT === 0) throw new Unchecked('with TURN_PORT=0 only the server knows its port: pass its URL and a token')
  const secret = await turnSecretOf(environment)
  const host = TURN_ANNOUNCED_ADDRESS[0] ?? new URL(base).hostname
  const urls = (['udp', 'tcp'] as const).map((transport) => `turn:${host}:${TURN_PORT}?transport=${transport}`)
  return [{ urls: [`stun:${host}:${TURN_PORT}`] }, { urls, ...credentialsFor(secret, NOBODY, Date.now() / 1000) }]
}

/** The transport, host and port of a STUN or TURN URL (RFC 7064, RFC 7065). */
function probeTargetOf(url: string): TurnEndpoint {
  const [, scheme, host = '', port, transport = 'udp'] =
    /^(stun|turns?):(\[[^\]]+\]|[^:]+):(\d+)(?:\?transport=(udp|tcp))?$/.exec(url) ?? []
  const kind = scheme === 'turns' ? 'tls' : transport === 'tcp' ? 'tcp' : 'udp'
  return { transport: kind, host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

async function checkRelay(servers: IceServer[]): Promise<Check[]> {
  const checks: Check[] = []
  for (const { urls, username, credential } of servers)
    for (const url of urls) {
      const endpoint = probeTargetOf(url)
      const credentials = username !== undefined && credential !== undefined ? { username, credential } : undefined
      const fault = await probeTurn(endpoint, credentials)
      const port = `${endpoint.transport === 'udp' ? 'UDP' : 'TCP'} port ${endpoint.port} of ${endpoint.host}`
      const service = credentials ? `TURN over ${endpoint.transport.toUpperCase()}` : 'STUN'
      const text = fault === 'closed' ? `${port} is closed (${service})` : fault && `at ${port} (${service}) ${fault}`
      checks.push({ name: `${service}, ${port}`, fault: text })
    }
  return checks
}

async function checkSfu(base: string, environment: Environment, isVerified: boolean): Promise<Check> {
  const state = Readiness.parse(await get(`${base}/readyz`, environment.METRICS_TOKEN, isVerified)).parts?.sfu
  if (state === 'off') return { name: 'SFU: off', fault: undefined }
  if (state !== undefined && state !== 'ready') return { name: 'SFU', fault: `the SFU is not running (${state})` }
  const { SFU_PORT, SFU_ANNOUNCED_ADDRESS } = environment
  if (SFU_PORT === 0) return { name: 'SFU', unchecked: 'with SFU_PORT=0 only the server knows its ports' }
  const { hostname } = new URL(base)
  const isNear = hostname === 'localhost' || hostname.startsWith('127.')
  const host = SFU_ANNOUNCED_ADDRESS ?? (isNear ? await ownSfuHost() : hostname)
  const port = `TCP port ${SFU_PORT} of ${host}`
  const open = await reachesSfu(host, SFU_PORT)
  return {
    name: `SFU, ${port} (its UDP port answers only in a call)`,
    fault: open ? undefined : `${port} is closed (SFU)`,
  }
}

/** Checks that the proxy at PUBLIC_URL forwards clients' addresses. The server only reports that with METRICS_TOKEN. */
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
  const { proxy } = Readiness.parse(await get(`${base}/readyz`, METRICS_TOKEN, true))
  return [{ name, fault: faults.get(proxy ?? '') }]
}

/** Tries the SMTP server up to the login, without sending mail. */
async function checkMail(environment: Environment): Promise<Check[]> {
  const { SMTP_URL } = environment
  if (SMTP_URL === undefined || !sendsMail(environment)) return []
  const { host } = new URL(SMTP_URL)
  const name = `SMTP server ${host}`
  const transport = await openTransport(environment)
  return transport.probe().then(
    () => [{ name }],
    (error: unknown) => [{ name, fault: `the ${name} refuses mail (${messageOf(error)})` }],
  )
}

async function checkCalls(base: string, token: string | undefined, environment: Environment): Promise<Check[]> {
  const microphones = givesMicrophones(base)
  const { answers, untrusted } = await checkHttp(base)
  const reachability = [
    { name: `microphones at ${base}`, fault: microphones ? undefined : `${NO_MICROPHONES}, and ${base} is neither` },
    { name: `HTTP at ${base}`, fault: answers ? untrusted : `nothing answers at ${base}` },
  ]
  if (!answers) return reachability
  const isVerified = untrusted === undefined
  const relay = await iceServersOf(base, token, environment, isVerified).then(
    (servers) => (servers.length > 0 ? checkRelay(servers) : [{ name: 'TURN: off, or not running' }]),
    (error: unknown) => {
      if (error instanceof Unchecked) return [{ name: 'STUN and TURN', unchecked: error.message }]
      throw error
    },
  )
  return [...reachability, ...relay, await checkSfu(base, environment, isVerified)]
}

/** Checks whether the server answers, and if clients do not trust its certificate, why. */
async function checkHttp(base: string): Promise<{ answers: boolean; untrusted?: string }> {
  try {
    await get(`${base}/healthz`, undefined, true)
    return { answers: true }
  } catch (error) {
    const answers = await get(`${base}/healthz`, undefined, false).then(
      () => true,
      () => false,
    )
    const advice = 'to trust your own authority, set NODE_EXTRA_CA_CERTS=<file>'
    return { answers, untrusted: `the certificate at ${base} is not trusted (${codeOf(error)}); ${advice}` }
  }
}

function readArguments(words: string[], { PUBLIC_URL, PORT, TLS_CERT }: Environment) {
  const [url = PUBLIC_URL ?? `http${TLS_CERT ? 's' : ''}://localhost:${PORT}`, token, ...more] = words
  if (more.length > 0 || !/^https?:/.test(url) || !URL.canParse(url)) throw new NotUnderstood('That is not a URL.')
  return { base: new URL(url).origin, token }
}

try {
  const words = process.argv.slice(2)
  if (['help', '--help', '-h'].includes(words[0] ?? '')) {
    console.log(USAGE)
    process.exit(0)
  }
  const environment = readEnvironment(process.env)
  const { base, token } = readArguments(words, environment)
  const calls = await checkCalls(base, token, environment)
  const proxy = await checkProxy(base, environment).catch(() => [])
  const mail = await checkMail(environment)
  const backEnd = await checkBackEnd(environment)
  const provider = await probeProvider(environment)
  for (const { name, fault, unchecked } of [...backEnd, ...calls, ...proxy, ...mail, ...provider])
    console.log(`${fault ? 'FAILED' : unchecked ? '?     ' : 'ok    '} ${name}`)
  const faultsOf = (checks: Check[]) => checks.flatMap(({ fault }) => fault ?? []).join('; ')
  const uncheckedText = [...calls, ...provider]
    .flatMap(({ name, unchecked }) => (unchecked ? `${name}: ${unchecked}` : []))
    .join('; ')
  if (faultsOf(backEnd)) console.error(`The server's back end has faults: ${faultsOf(backEnd)}.`)
  if (faultsOf(calls)) console.error(`Calls will not work for everyone: ${faultsOf(calls)}.`)
  if (faultsOf(proxy)) console.error(`Everybody shares one rate limit: ${faultsOf(proxy)}.`)
  if (faultsOf(mail)) console.error(`No mail will be sent: ${faultsOf(mail)}.`)
  if (faultsOf(provider)) console.error(`Nobody can log in with the identity provider: ${faultsOf(provider)}.`)
  if (uncheckedText) console.error(`Not checked: ${uncheckedText}.`)
  process.exit(faultsOf([...backEnd, ...calls, ...proxy, ...mail, ...provider]) || uncheckedText ? 1 : 0)
} catch (error) {
  if (error instanceof NotUnderstood) {
    console.error(`${error.message}\n\n${USAGE}`)
    process.exit(2)
  }
  console.error(error instanceof RefusesToBoot ? error.message : `Failed: ${error}`)
  process.exit(1)
}
