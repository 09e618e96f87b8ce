import { afterAll, expect, test } from 'bun:test'
import { Sending } from '../support/failover.ts'
import { boot, newServer, Person, person, stop, until } from '../support/harness.ts'
import type { Parley } from '../../src/parley.ts'
import { Patroni, patroniPrograms } from '../support/patroni.ts'
import { redisProgram, redisServer } from '../support/redis.ts'

const programs = redisProgram ? patroniPrograms() : undefined
const patroni = programs ? await Patroni.open(programs) : undefined
afterAll(() => patroni?.stop())
const SENT_EACH = 20
/** An election takes up to half a minute, on a busy machine longer. */
const WAIT_MS = 240_000

const at = (parley: Parley, { id, username, email, display_name, token }: Person) =>
  new Person(parley, id, username, email, display_name, token)

test.skipIf(!patroni)(
  'Patroni replaces a killed leader: by a list of hosts, HAProxy or PgBouncer all send again, and nothing is lost',
  async () => {
    if (!patroni) return
    const redis = await redisServer()
    const urls = {
      list: patroni.both,
      haproxy: `postgres://parley@127.0.0.1:${patroni.proxyPort}/parley`,
      pgbouncer: `postgres://parley@127.0.0.1:${patroni.poolerPort}/parley`,
    }
    const one = await boot({ DATABASE_URL: urls.list, REDIS_URL: redis.url })
    const two = await boot({ DATABASE_URL: urls.haproxy }, one)
    const three = await boot({ DATABASE_URL: urls.pgbouncer }, one)
    const servers = [two, three].map((server) => [server.parts.environment.DATABASE_URL])
    expect(servers).toEqual([[urls.haproxy], [urls.pgbouncer]])
    const people = [await person(one, 'alice'), await person(one, 'bob'), await person(one, 'carol')]
    const [owner, ...others] = people as [Person, ...Person[]]
    const { channel_id } = await newServer(owner, ...others)
    const sendings = [one, two, three].map((parley, n) => new Sending(at(parley, people[n]!), channel_id))
    const allSend = async () => {
      const before = sendings.map(({ acknowledged }) => acknowledged.length)
      await until(() => sendings.every(({ acknowledged }, n) => acknowledged.length >= before[n]! + SENT_EACH), WAIT_MS)
    }
    await allSend()

    const former = (await patroni.leader())!
    const killedAt = performance.now()
    await patroni.crash(former)
    await until(() => sendings.every(({ refusals }) => refusals.length > 0), WAIT_MS)
    await until(async () => ![undefined, former].includes(await patroni.leader()), WAIT_MS)
    const electedAt = performance.now()
    await allSend()
    const [electedMs, sentMs] = [electedAt - killedAt, performance.now() - electedAt].map(Math.round)
    console.log(`a new leader ${electedMs} ms after the kill; all had sent ${SENT_EACH} messages ${sentMs} ms later`)

    patroni.return(former)
    // A machine that stands still may change the leader once more.
    const isFollowed = async () => {
      const now = await patroni.leader()
      return now !== undefined && patroni.psql('select sync_state from pg_stat_replication', now) === 'sync'
    }
    await until(isFollowed, WAIT_MS)
    await allSend()
    await Promise.all(sendings.map((sending) => sending.end()))
    const stored = patroni.psql('select content from messages', (await patroni.leader())!, 'parley').split('\n')
    const acknowledged = sendings.flatMap((sending) => sending.acknowledged.map(({ content }) => content))
    expect(acknowledged.filter((content) => !stored.includes(content))).toEqual([])
    expect(new Set(stored).size).toBe(stored.length)
    for (const parley of [three, two, one]) await stop(parley)
  },
  4 * WAIT_MS,
)
