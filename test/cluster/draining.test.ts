import { expect, onTestFinished, test } from 'bun:test'
import { DRAINING_NAME, Draining } from '../../src/cluster/draining.ts'
import { NOTICE_LISTENER_NAME, openDatabase } from '../../src/database/database.ts'
import type { Parley } from '../../src/parley.ts'
import { Sending, Watching } from '../support/failover.ts'
import { front } from '../support/front.ts'
import { boot, inCommon, newServer, Person, person, stop, until } from '../support/harness.ts'
import { LoggedProcess } from '../support/logged-process.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { connect } from '../support/socket.ts'
import { emptyDatabase, preparedDatabase, SPAWN_MS } from '../support/spawned.ts'

/** Sockets of each person on the process that ends. */
const SOCKETS_EACH = 6
const SENT_EACH = 20

/** A person whose client reaches another server than the one that knows the account. */
const through = (url: string, { routes }: Parley, { id, username, email, display_name, token }: Person) =>
  new Person({ url, routes } as Parley, id, username, email, display_name, token)

/** A database on which servers run and drain, by the names of their connections. */
async function serversOn(...names: string[]) {
  const url = await emptyDatabase('draining')
  const connections = names.map((name) => openDatabase({ url }, 1, name))
  for (const sql of connections) await sql`select 1`
  return { url, end: () => Promise.all(connections.map((sql) => sql.end())) }
}

test.skipIf(!redisProgram)(
  'SIGTERM of one of two processes: each client resumes on the other, and misses no message',
  async () => {
    const redis = await redisServer()
    const other = await boot({ REDIS_URL: redis.url })
    const ending = await LoggedProcess.start(inCommon(other))
    const balancer = await front(Number(new URL(ending.url).port))
    onTestFinished(() => balancer.close())
    const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(other, name)))
    const [owner, ...others] = people as [Person, ...Person[]]
    const { channel_id } = await newServer(owner, ...others)
    const clients = people.map((who) => through(balancer.url, other, who))
    const watchings = await Promise.all(
      clients.flatMap((who) => Array.from({ length: SOCKETS_EACH }, () => Watching.open(who))),
    )
    const sendings = people.map((who) => new Sending(who, channel_id))
    const haveSent = (least: number) => sendings.every(({ acknowledged }) => acknowledged.length >= least)
    await until(() => haveSent(SENT_EACH))

    balancer.port = Number(new URL(other.url).port)
    ending.signal('SIGTERM')
    expect(await ending.exitCode()).toBe(0)
    const before = Math.max(...sendings.map(({ acknowledged }) => acknowledged.length))
    await until(() => haveSent(before + SENT_EACH))
    await Promise.all(sendings.map((sending) => sending.end()))
    expect(sendings.flatMap(({ refusals }) => refusals)).toEqual([])
    const contents = sendings.flatMap(({ acknowledged }) => acknowledged.map(({ content }) => content))
    await until(() => watchings.every((watching) => contents.every((content) => watching.contents().has(content))))
    expect(watchings.map(({ codes, reopened, faults }) => ({ codes, reopened, faults }))).toEqual(
      watchings.map(() => ({ codes: [1012], reopened: ['resumed'], faults: [] })),
    )
    expect(ending.log).toContain('"drain.started"')
    expect(ending.log).toContain('"drain.ended","alone":false')
    await Promise.all(watchings.map((watching) => watching.end()))
    await stop(other)
  },
  SPAWN_MS,
)

test.skipIf(!redisProgram)(
  'a process that drains serves the sockets that it still has, and refuses new ones',
  async () => {
    const redis = await redisServer()
    const other = await boot({ REDIS_URL: redis.url })
    const ending = await boot({}, other)
    const [alice, bob] = [await person(ending, 'alice'), await person(other, 'bob')]
    const { channel_id } = await newServer(alice, bob)
    const sockets = await Promise.all(Array.from({ length: 5 }, () => connect(alice)))
    const hurry = new AbortController()
    const draining = ending.drain(hurry.signal)
    await Promise.race(sockets.map(({ closed }) => closed))
    await expect(fetch(`${ending.url}/healthz`, { keepalive: false })).rejects.toThrow()
    await bob.post(`/api/channels/${channel_id}/messages`, { content: 'Still there?' })
    hurry.abort()
    await draining
    expect(new Set((await Promise.all(sockets.map(({ closed }) => closed))).map(({ code }) => code))).toEqual(
      new Set([1012]),
    )
    await stop(ending)
    const again = await connect(through(other.url, other, alice))
    expect(again.frames[0]?.t).toBe('ready')
    again.close()
    await stop(other)
  },
  SPAWN_MS,
)

test.skipIf(!redisProgram)(
  'Ctrl-C hands nothing over, and of two processes that stop together at most one does',
  async () => {
    const redis = await redisServer()
    const variables = { DATABASE_URL: await preparedDatabase('ends'), REDIS_URL: redis.url }
    const first = await LoggedProcess.start(variables)
    const [second, third] = [await LoggedProcess.start(variables), await LoggedProcess.start(variables)]
    first.signal('SIGINT')
    expect(await first.exitCode()).toBe(0)
    expect(first.log).not.toContain('"drain.')
    for (const process of [second, third]) process.signal('SIGTERM')
    expect(await Promise.all([second.exitCode(), third.exitCode()])).toEqual([0, 0])
    const handingOver = [second, third].filter(({ log }) => log.includes('"drain.started"'))
    expect(handingOver.length).toBeLessThanOrEqual(1)
  },
  SPAWN_MS,
)

test(
  'a single process on a PostgreSQL of its own hands nothing over',
  async () => {
    const only = await LoggedProcess.start({ DATABASE_URL: await preparedDatabase('single') })
    only.signal('SIGTERM')
    expect(await only.exitCode()).toBe(0)
    expect(only.log).not.toContain('"drain.')
  },
  SPAWN_MS,
)

const silent = () => {}

test('with one process, processes that all drain, or a database that is away, nothing is handed over', async () => {
  const all = await serversOn(NOTICE_LISTENER_NAME, NOTICE_LISTENER_NAME, DRAINING_NAME)
  const one = await serversOn(NOTICE_LISTENER_NAME)
  const addresses = [{ socket: '/nowhere' }, { url: all.url }, { url: one.url }, { url: 'postgres://a@127.0.0.1:1/b' }]
  for (const address of addresses) {
    const draining = new Draining(address, silent)
    await draining.run(() => Promise.reject(new Error('Handed over')), new AbortController().signal)
    await draining.stop()
  }
  await Promise.all([all.end(), one.end()])
})

test('the hand-over is hurried when the last of the others drains too', async () => {
  const servers = await serversOn(NOTICE_LISTENER_NAME, NOTICE_LISTENER_NAME)
  const draining = new Draining({ url: servers.url }, silent)
  const started = Promise.withResolvers<void>()
  const ended = draining.run(async (signal) => {
    started.resolve()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }, new AbortController().signal)
  await started.promise
  const other = openDatabase({ url: servers.url }, 1, DRAINING_NAME)
  await other`select 1`
  await ended
  await draining.stop()
  await other.end()
  await servers.end()
})

test('a second request to drain, and one after a signal, do nothing', async () => {
  const servers = await serversOn(NOTICE_LISTENER_NAME, NOTICE_LISTENER_NAME)
  const draining = new Draining({ url: servers.url }, silent)
  let handOvers = 0
  const count = async () => void handOvers++
  await draining.run(count, AbortSignal.abort())
  for (let n = 0; n < 2; n++) await draining.run(count, new AbortController().signal)
  expect(handOvers).toBe(1)
  await draining.stop()
  await servers.end()
})
