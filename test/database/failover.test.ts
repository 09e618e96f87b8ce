import { afterAll, expect, test } from 'bun:test'
import { isDatabaseAway, openDatabase } from '../../src/database/database.ts'
import { boot, call, type Person, person, newServer, stop, until } from '../support/harness.ts'
import { bothOf, contentsOf, doubled, expectOnlyAway, Sending, Watching } from '../support/failover.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { dataDirectory, refusal, SPAWN_MS } from '../support/spawned.ts'
import { primaryAndStandby } from '../support/standby.ts'

const servers = redisProgram ? await primaryAndStandby('synchronous') : undefined
const lagging = redisProgram ? await primaryAndStandby() : undefined
afterAll(() => Promise.all([servers, lagging].flatMap((pair) => [pair?.primary.crash(), pair?.standby.crash()])))

/** Messages that each author has acknowledged before the primary ends, and after the standby took over. */
const SENT_EACH = 30

/** The sentence of a start that is refused. */
async function refused(hosts: string): Promise<string> {
  const { code, out, error } = await refusal(dataDirectory(), { DATABASE_URL: `postgres://parley@${hosts}/parley` })
  expect([code, out]).toEqual([1, ''])
  expect(error).toMatch(/^[^\n]+\n$/)
  return error
}

test.skipIf(!servers)(
  'a list of servers without a primary is refused with one sentence: of all, one is away or takes no writes',
  async () => {
    const standby = `127.0.0.1:${servers?.standby.port}`
    expect(await refused('127.0.0.1:1,127.0.0.1:2')).toStartWith('DATABASE_URL is not usable: ')
    for (const hosts of [standby, `127.0.0.1:1,${standby}`, `${standby},${standby}`])
      expect(await refused(hosts)).toStartWith('DATABASE_URL is a read-only PostgreSQL')
  },
  SPAWN_MS,
)

test.skipIf(!servers)(
  'a synchronous standby takes over: nothing acknowledged is lost or doubled, and every socket sees all of it',
  async () => {
    if (!servers) return
    const { primary, standby } = servers
    const redis = await redisServer()
    const variables = { DATABASE_URL: bothOf(servers), REDIS_URL: redis.url }
    const one = await boot(variables)
    const two = await boot({}, one)
    const owner = await person(one, 'alice')
    const others: Person[] = []
    for (const [at, name] of ['bob', 'carol', 'dave', 'erin', 'frank'].entries())
      others.push(await person(at % 2 ? one : two, name))
    const everyone = [owner, ...others]
    const { channel_id } = await newServer(owner, ...others)
    const watchings = await Promise.all(everyone.map((who) => Watching.open(who)))
    const sendings = everyone.map((who) => new Sending(who, channel_id))
    const haveAll = (least: number) => sendings.every(({ acknowledged }) => acknowledged.length >= least)
    await until(() => haveAll(SENT_EACH))

    await primary.crash()
    await until(() => sendings.every(({ refusals }) => refusals.length > 0))
    standby.promote()
    const before = sendings.map(({ acknowledged }) => acknowledged.length)
    await until(() => sendings.every(({ acknowledged }, at) => acknowledged.length > (before[at] ?? 0)))
    await until(() => sendings.every(({ acknowledged }, at) => acknowledged.length > (before[at] ?? 0) + SENT_EACH))
    await Promise.all(sendings.map((sending) => sending.end()))

    expectOnlyAway(sendings)
    const acknowledged = sendings.flatMap((sending) => sending.acknowledged.map(({ content }) => content))
    const stored = contentsOf(standby)
    expect(acknowledged.filter((content) => !stored.has(content))).toEqual([])
    expect(doubled(standby)).toBe('')
    const isSeen = (watching: Watching) => {
      const seen = watching.contents()
      return acknowledged.every((content) => seen.has(content))
    }
    await until(() => watchings.every(isSeen))
    expect(watchings.map(({ reopened, faults }) => [reopened, faults])).toEqual(everyone.map(() => [[], []]))
    for (const parley of [one, two]) expect((await call(parley, 'GET', '/readyz')).body.parts.database).toBe('ok')
    await Promise.all(watchings.map((watching) => watching.end()))
    for (const parley of [two, one]) await stop(parley)
  },
  SPAWN_MS,
)

test.skipIf(!lagging)(
  'a standby without the newest messages takes over: who saw them begins afresh, and ids go on above theirs',
  async () => {
    if (!lagging) return
    const { primary, standby } = lagging
    const redis = await redisServer()
    const one = await boot({ DATABASE_URL: bothOf(lagging), REDIS_URL: redis.url })
    const two = await boot({}, one)
    const [alice, bob] = [await person(one, 'alice'), await person(two, 'bob')]
    const { channel_id } = await newServer(alice, bob)
    const watchings = [await Watching.open(alice), await Watching.open(bob)]
    const sendings = [alice, bob].map((who) => new Sending(who, channel_id))
    await until(() => sendings.every(({ acknowledged }) => acknowledged.length >= SENT_EACH))
    // Replication ends, so what follows is lost.
    standby.psql(`alter system set primary_conninfo = ''`)
    standby.psql('select pg_reload_conf()')
    await until(() => standby.psql('select count(*) from pg_stat_wal_receiver') === '0')
    const replicated = contentsOf(standby)
    const lost = () =>
      sendings.flatMap(({ acknowledged }) => acknowledged).filter(({ content }) => !replicated.has(content))
    await until(() => lost().length >= SENT_EACH)
    await until(() => watchings.every((watching) => watching.contents().has(lost()[0]?.content ?? '')))

    await primary.crash()
    await until(() => sendings.every(({ refusals }) => refusals.length > 0))
    const lostSends = lost()
    const newestBefore = watchings.map((watching) => watching.newest())
    standby.promote()
    const before = sendings.map(({ acknowledged }) => acknowledged.length)
    await until(() => sendings.every(({ acknowledged }, at) => acknowledged.length > (before[at] ?? 0) + SENT_EACH))
    await Promise.all(sendings.map((sending) => sending.end()))
    expectOnlyAway(sendings)
    const stored = contentsOf(standby)
    expect(lostSends.filter(({ content }) => stored.has(content))).toEqual([])
    await until(() => watchings.every(({ reopened }) => reopened.length > 0))
    for (const { reopened } of watchings) expect(reopened).not.toContain('resumed')
    await until(() => watchings.every((watching, at) => watching.newest() > (newestBefore[at] ?? Infinity)))
    expect(
      Number(
        standby.psql(`select min(id) from events where id > (
      select id from events where type = 'log.started' order by id desc limit 1)`),
      ),
    ).toBeGreaterThan(Math.max(...newestBefore))
    await Promise.all(watchings.map((watching) => watching.end()))
    for (const parley of [two, one]) await stop(parley)
  },
  SPAWN_MS,
)

test.skipIf(!servers)(
  'a connection that a read-only server answered, or that is older than a time, is replaced',
  async () => {
    if (!servers) return
    const sql = openDatabase({ url: servers.standby.url() }, 1)
    const session = async () => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid
    const first = await session()
    const writing = sql.begin('read only', (tx) => tx`create table never (id int)`)
    expect(await writing.catch((error: { code?: string }) => error.code)).toBe('25006')
    const second = await session()
    expect(second).not.toBe(first)
    expect(await session()).toBe(second)
    sql.dropOlder(performance.now() - 60_000)
    expect(await session()).toBe(second)
    const waiting = sql`select pg_sleep(60)`.catch((error: unknown) => isDatabaseAway(error))
    await until(() => sql.pool().busy === 1)
    sql.dropOlder(performance.now())
    expect(await waiting).toBe(true)
    expect(await session()).not.toBe(second)
    await sql.end({ timeout: 1 })
  },
)
