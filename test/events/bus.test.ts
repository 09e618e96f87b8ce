import { afterAll, describe, expect, test } from 'bun:test'
import { type Bus, memoryBus } from '../../src/events/bus.ts'
import { openLog } from '../../src/core/log.ts'
import { newNodeId } from '../../src/cluster/nodes.ts'
import { openRedis, type RedisLink } from '../../src/redis/client.ts'
import { type RedisBus, redisBus } from '../../src/events/redis-bus.ts'
import { eventFrame } from '../../src/core/events.ts'
import { redisCluster, redisProgram, redisServer } from '../support/redis.ts'
import { until } from '../support/until.ts'

const links: RedisLink[] = []
afterAll(() => links.forEach((link) => link.stop()))
const redis = redisProgram === undefined ? undefined : await redisServer()

async function shared(cluster?: { url: string }): Promise<RedisBus> {
  const { url = '' } = cluster ?? redis ?? {}
  const link = openRedis(url, 'bus-test', cluster !== undefined, openLog('silent'))
  links.push(link)
  await until(() => link.isReady())
  return redisBus(link, newNodeId())
}

/** Everything that a bus hands out here, as `topic frame`. */
function heardBy(bus: Bus): string[] {
  const heard: string[] = []
  bus.onFrame((topic, frame) => void heard.push(`${topic} ${frame}`))
  return heard
}
const typing = (n: number) => eventFrame('typing.started', undefined, `{"n":${n}}`)
const sent = (s: number) => eventFrame('message.created', s, `{"id":${s}}`)

const kinds: [string, () => Promise<Bus>][] = [['memory', async () => memoryBus()]]
if (redis) kinds.push(['Redis', () => shared()])

describe.each(kinds)('by %s', (_name, open) => {
  test('what is published or delivered is handed out here, once, at once and in its order', async () => {
    const bus = await open()
    const heard = heardBy(bus)
    await bus.follow(['server:1'])
    for (let n = 1; n <= 3; n++) bus.publish('server:1', sent(n))
    bus.deliver('server:1', typing(4))
    const all = [sent(1), sent(2), sent(3), typing(4)].map((frame) => `server:1 ${frame}`)
    expect(heard).toEqual(all)
    await Bun.sleep(100)
    expect(heard).toEqual(all)
    expect(bus.state()).toBe('ok')
  })

  test('a notice has been acted on by everyone here when it resolves', async () => {
    const bus = await open()
    const acted: number[] = []
    for (const ms of [30, 1])
      bus.onNotice(async () => {
        await Bun.sleep(ms)
        acted.push(ms)
      })
    await bus.notify({ kind: 'channel_deleted', channel_id: 1 })
    expect(acted).toEqual([1, 30])
  })

  test('what nobody is subscribed to may be let go, and followed again', async () => {
    const bus = await open()
    const heard = heardBy(bus)
    await bus.follow(['server:2'])
    bus.retain(() => false)
    await bus.follow(['server:2'])
    bus.publish('server:2', typing(1))
    expect(heard).toEqual([`server:2 ${typing(1)}`])
  })
})

describe.if(redis !== undefined)('two nodes on one Redis', () => {
  test('hear of each other what they follow, in its order, and nothing else', async () => {
    const [one, two] = [await shared(), await shared()]
    const heard = heardBy(two)
    await two.follow(['server:3'])
    for (let n = 1; n <= 200; n++) one.publish('server:3', n % 2 ? sent(n) : typing(n))
    one.publish('server:4', sent(1_000))
    one.deliver('server:3', sent(1_001))
    await until(() => heard.length >= 200)
    await Bun.sleep(100)
    expect(heard).toEqual(
      Array.from({ length: 200 }, (_, at) => `server:3 ${(at + 1) % 2 ? sent(at + 1) : typing(at + 1)}`),
    )
    expect([two.isFollowed('server:3'), two.isFollowed('server:4')]).toEqual([true, false])
  })

  test('hand an event out once, by whatever way it comes', async () => {
    const [one, two] = [await shared(), await shared()]
    const heard = heardBy(two)
    await two.follow(['server:5'])
    two.deliver('server:5', sent(7))
    one.publish('server:5', sent(7))
    one.publish('server:5', sent(8))
    await until(() => heard.length >= 2)
    expect(heard).toEqual([`server:5 ${sent(7)}`, `server:5 ${sent(8)}`])
    expect([two.hasDelivered(8), two.hasDelivered(9)]).toEqual([true, false])
  })

  test('hand out nothing while they do not hear who has lost access', async () => {
    const [one, two] = [await shared(), await shared()]
    const heard = heardBy(two)
    await two.follow(['server:6'])
    await two.notify({ kind: 'out_of_touch' })
    one.publish('server:6', sent(11))
    two.publish('server:6', sent(12))
    await Bun.sleep(100)
    expect(heard).toEqual([])
    // The log is read again for what was passed over.
    expect([two.isInTouch(), two.hasDelivered(11), two.hasDelivered(12)]).toEqual([false, false, false])
    await two.notify({ kind: 'in_touch' })
    one.publish('server:6', sent(13))
    await until(() => heard.length > 0)
    expect(heard).toEqual([`server:6 ${sent(13)}`])
  })
  test('do so on a cluster too, whichever of its masters a topic belongs to', async () => {
    const cluster = await redisCluster()
    const [one, two] = [await shared(cluster), await shared(cluster)]
    const heard = heardBy(two)
    const topics = Array.from({ length: 30 }, (_, n) => `server:${n}`)
    await two.follow(topics)
    for (const [n, topic] of topics.entries()) one.publish(topic, sent(n + 1))
    await until(() => heard.length >= topics.length)
    expect(heard.toSorted()).toEqual(topics.map((topic, n) => `${topic} ${sent(n + 1)}`).toSorted())
  }, 30_000)
})
