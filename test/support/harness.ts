import { expect } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { APP_ROLE, openDatabase, SUPERUSER } from '../../src/database/database.ts'
import { LoginProblem, ProblemBody } from '../../src/core/schema.ts'
import { readEnvironment } from '../../src/environment.ts'
import { type Parley, startParley } from '../../src/parley.ts'
import { hit } from './coverage.ts'
import { expectExactly } from './exactly.ts'
import { startPostgres } from './postgres.ts'
import { foreignS3 } from './object-stores.ts'

export { until } from './until.ts'
export { expectExactly } from './exactly.ts'

/** A password that passes every rule. */
export const PASSWORD = 'Correct-Horse-7!'

interface Shared {
  postgres?: Promise<{ socket: string }>
  standard?: Promise<Parley>
  objects?: Awaited<ReturnType<typeof foreignS3>>
  databases: number
  people: number
}
// One of everything for all test files of a run, however the runner loads this module.
const shared: Shared = ((globalThis as { parleyTest?: Shared }).parleyTest ??= {
  databases: 0,
  people: 0,
})

/** The PostgreSQL of this process, ended by the reaper; or the one that test/run.ts lends it. */
function postgres(): Promise<{ socket: string }> {
  const { PARLEY_TEST_POSTGRES: socket } = process.env
  return (shared.postgres ??= socket
    ? Promise.resolve({ socket })
    : startPostgres(mkdtempSync(join(tmpdir(), 'postgres-'))))
}

/** A database of its own for a server: its DATABASE_URL. One that is lent has the schema in its database `parley`. */
export const createPrepared = (purpose: string): Promise<string> =>
  createDatabase(purpose, process.env.PARLEY_TEST_POSTGRES ? 'parley' : 'template1')

/** Creates a database of the application's role, empty unless a template says otherwise: its DATABASE_URL. */
export async function createDatabase(purpose: string, template = 'template1', owner = APP_ROLE): Promise<string> {
  const { socket } = await postgres()
  const name = `${purpose}_${process.pid}_${++shared.databases}`
  const admin = openDatabase({ socket, database: 'postgres', role: SUPERUSER }, 1)
  await admin.unsafe(`create database ${name} template ${template} owner ${owner} strategy file_copy`)
  await admin.end()
  return `postgres://${APP_ROLE}@localhost/${name}?host=${encodeURIComponent(socket)}`
}

/** Resources that the processes of one installation share. */
export const inCommon = ({ parts: { environment } }: Parley) =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => /^(DATABASE_URL$|REDIS_|S3_)/.test(name)),
  ) as Record<string, string>

/**
 * Starts a server of its own, with a database of its own, on a free port.
 * @param variables environment variables; unless it says otherwise, rate limits, the relay and the SFU are off
 * @param sibling another node of the same installation: on its database, its Redis and its S3
 */
export async function boot(variables: Record<string, string> = {}, sibling?: Parley): Promise<Parley> {
  const common = sibling ? inCommon(sibling) : { DATABASE_URL: await createPrepared('test') }
  // Several processes have to share their files as well.
  if (variables.REDIS_URL ?? variables.REDIS_SENTINELS)
    Object.assign(common, (shared.objects ??= await foreignS3()).variables)
  const directory = mkdtempSync(join(tmpdir(), 'data-'))
  const parley = await startParley(
    readEnvironment({
      PORT: '0',
      DATA_DIR: directory,
      // Relays bind a free port.
      TURN_PORT: 'off',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      MEDIA_WORKER: 'off',
      LINK_PREVIEWS: 'off',
      // Tests must not depend on how much is free on the machine.
      DISK_FREE_MIN_BYTES: '0',
      ...common,
      ...variables,
    }),
  )
  for (const { method, path, hooks } of parley.routes) if (!hooks.detail?.hide) hit(`declared route ${method} ${path}`)
  return parley
}

/** The server that tests share which need nothing special of it. */
export const standard = (): Promise<Parley> => (shared.standard ??= boot())

/** Stops a server that a test has booted. */
export const stop = (parley: Parley): Promise<void> => parley.stop()

export interface Answer<T = any> {
  status: number
  headers: Headers
  body: T
}

export interface CallOptions {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

/** Calls an endpoint, checks the answer against its declared schema, and notes that it was hit. */
export async function call<T = any>(
  parley: Parley,
  method: string,
  path: string,
  { token, body, headers = {} }: CallOptions = {},
): Promise<Answer<T>> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(parley.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : isRaw ? (body as string) : JSON.stringify(body),
  })
  return judge(parley, method, path, response)
}

/** Checks any response of the server against the contract. */
export async function judge(parley: Parley, method: string, path: string, response: Response): Promise<Answer> {
  const text = await response.text()
  const { status, headers } = response
  const isJson = headers.get('content-type')?.includes('json') ?? false
  const body = isJson ? JSON.parse(text) : text
  expect(headers.get('x-request-id')).toBeString()
  // Senders to webhooks are answered as Discord does.
  if (status >= 400 && !path.startsWith('/hooks/')) expectProblem(body, headers, status)
  checkAgainstRoute(parley, method, path, status, isJson ? body : text)
  return { status, headers, body }
}

function expectProblem(body: any, headers: Headers, status: number): void {
  if (headers.get('content-type')?.startsWith('application/json') && status === 503) return
  expect(headers.get('content-type')).toBe('application/problem+json')
  expectExactly(body.code === 'second_factor_required' ? LoginProblem : ProblemBody, body, 'problem')
  expect(body.status).toBe(status)
  expect(body.request_id).toBe(headers.get('x-request-id'))
  hit(`error ${body.code}`)
}

function checkAgainstRoute(parley: Parley, method: string, path: string, status: number, body: unknown): void {
  const pathname = path.split('?')[0] ?? path
  const route = routeOf(parley, method === 'HEAD' ? 'GET' : method, pathname)
  if (!route) return
  if (status < 400) hit(`route ${route.method} ${route.path}`)
  const declared = (route.hooks.response ?? {})[status] as z.ZodType | undefined
  if (route.hooks.detail?.hide || method === 'HEAD') return
  if (!declared) throw new Error(`${route.method} ${route.path} answered ${status}, which it does not declare`)
  if (status === 204) expect(body).toBe('')
  else expectExactly(declared, body, `${route.method} ${route.path} ${status}`)
}

/** The declared route that a path belongs to; a literal segment wins over a parameter. */
export function routeOf(parley: Parley, method: string, pathname: string) {
  const parts = pathname.split('/')
  const fits = parley.routes.filter((route) => {
    const pattern = route.path.split('/')
    const same = (part: string, at: number) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at])
    return route.method === method && pattern.length === parts.length && pattern.every(same)
  })
  return fits.toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)[0]
}

/** An account in a test, logged in. */
export class Person {
  constructor(
    readonly parley: Parley,
    readonly id: number,
    readonly username: string,
    readonly email: string,
    readonly display_name: string,
    public token: string,
  ) {}

  get = <T = any>(path: string) => call<T>(this.parley, 'GET', path, { token: this.token })
  post = <T = any>(path: string, body?: unknown) => call<T>(this.parley, 'POST', path, { token: this.token, body })
  put = <T = any>(path: string, body?: unknown) => call<T>(this.parley, 'PUT', path, { token: this.token, body })
  delete = <T = any>(path: string, body?: unknown) => call<T>(this.parley, 'DELETE', path, { token: this.token, body })
}

/** The hash of PASSWORD at little cost: a real one takes 66 ms of the processor. */
export const cheapHash = Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })

/** An account with the usual password, logged in; `name` is made unique. */
export async function person(parley: Parley, name: string): Promise<Person> {
  // A server in another process has no parts here.
  if (!parley.parts) return registered(parley, name)
  const account = newAccount(name)
  const user = { ...account, password_hash: await cheapHash, display_name: newDisplayName() }
  await parley.parts.sql`insert into users ${parley.parts.sql(user)}`
  return signIn(parley, 'login', 200, { username: account.username, password: PASSWORD })
}

/** An account as `person` makes it, by registration: its password is hashed at its real cost. */
export const registered = (parley: Parley, name: string): Promise<Person> =>
  signIn(parley, 'register', 201, { ...newAccount(name), password: PASSWORD })

/** Animals that no test writes or looks for: the text `Heron` would be found in a name like Heron#1234 too. */
const ANIMALS = ['Lynx', 'Ibis', 'Quail', 'Yak', 'Alpaca', 'Impala', 'Koala', 'Lemur', 'Walrus', 'Axolotl']

/** A display name like those that the server makes, but which nobody else has. */
const newDisplayName = () => `${ANIMALS[shared.people % ANIMALS.length]}#${String(shared.people).padStart(4, '0')}`

function newAccount(name: string) {
  const username = `${name}${++shared.people}`
  return { username, email: `${username}@example.org` }
}

async function signIn(parley: Parley, how: 'login' | 'register', expected: number, body: object): Promise<Person> {
  const answer = await call(parley, 'POST', `/api/auth/${how}`, { body })
  expect(answer.status).toBe(expected)
  const { user, token } = answer.body
  return new Person(parley, user.id, user.username, user.email, user.display_name, token)
}

export interface NewServer {
  server_id: number
  channel_id: number
}

/** A server of the owner's with the others as members; `channel_id` is its text channel general. */
export async function newServer(owner: Person, ...others: Person[]): Promise<NewServer> {
  const server = await owner.post('/api/servers', { name: 'Birdwatchers' })
  expect(server.status).toBe(201)
  const server_id: number = server.body.id
  const [general] = (await owner.get(`/api/servers/${server_id}/channels`)).body
  if (others.length > 0) {
    const invite = await owner.post('/api/invites', { server_id })
    for (const other of others) expect((await other.post(`/api/invites/${invite.body.code}/join`)).status).toBe(201)
  }
  return { server_id, channel_id: general.id }
}

/** Sends a message and returns it. */
export async function say(
  author: Person,
  channelId: number,
  content: string,
): Promise<{ id: number } & Record<string, any>> {
  const sent = await author.post(`/api/channels/${channelId}/messages`, { content })
  expect(sent.status).toBe(201)
  return sent.body
}
