import { afterAll, expect, test } from 'bun:test'
import { boot, call, type Person, person, newServer, stop, until } from '../support/harness.ts'
import { bothOf, contentsOf, doubled, expectOnlyAway, Sending, Watching } from '../support/failover.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { SPAWN_MS } from '../support/spawned.ts'
import { primaryAndStandby } from '../support/standby.ts'

const servers = redisProgram ? await primaryAndStandby('synchronous') : undefined
afterAll(() => Promise.all([servers?.primary.crash(), servers?.standby.kill()]))

/** Messages that each author has acknowledged before the primary ends, and after the standby took over. */
const SENT_EACH = 30

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
    const promotedAt = performance.now()
    standby.promote()
    const before = sendings.map(({ acknowledged }) => acknowledged.length)
    await until(() => sendings.every(({ acknowledged }, at) => acknowledged.length > (before[at] ?? 0)))
    console.error('sends again after', performance.now() - promotedAt)
    await until(() => sendings.every(({ acknowledged }, at) => acknowledged.length > (before[at] ?? 0) + SENT_EACH))
    await Promise.all(sendings.map((sending) => sending.end()))

    expectOnlyAway(sendings)
    const acknowledged = sendings.flatMap((sending) => sending.acknowledged.map(({ content }) => content))
    const kept = contentsOf(standby)
    expect(acknowledged.filter((content) => !kept.has(content))).toEqual([])
    expect(doubled(standby)).toBe('')
    const isSeen = (watching: Watching) => {
      const seen = watching.contents()
      return acknowledged.every((content) => seen.has(content))
    }
    console.error(watchings.map(({ reopened }) => reopened))
    await until(() => watchings.every(isSeen))
    expect(watchings.flatMap(({ faults }) => faults)).toEqual([])
    for (const parley of [one, two])
      expect((await call(parley, 'GET', '/readyz')).body.parts.database).toBe('ok')
    await Promise.all(watchings.map((watching) => watching.end()))
    for (const parley of [two, one]) await stop(parley)
  },
  SPAWN_MS,
)
