import { afterAll, describe, expect, test } from 'bun:test'
import { type Bus, memoryBus } from '../../src/events/bus.ts'
import { openLog } from '../../src/core/log.ts'
import { newNodeId } from '../../src/cluster/nodes.ts'
import { openRedis, type RedisLink } from '../../src/redis/client.ts'
import { RedisBus } from '../../src/events/redis-bus.ts'
import { decodeFrame, eventFrame, type Frame, topic } from '../../src/core/events.ts'
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
  return new RedisBus(link, newNodeId())
}

/** Everything that a bus hands out here, as `topic frame`. */
function heardBy(bus: Bus): string[] {
  const heard: string[] = []
  bus.onFrame(({ topic, text }) => void heard.push(`${topic} ${text}`))
  return heard
}
const typing = (topic: string, n: number) => eventFrame({ topic }, 'typing.started', undefined, `{"n":${n}}`)
const sent = (topic: string, s: number) => eventFrame({ topic }, 'message.created', s, `{"id":${s}}`)
/** A frame as `heardBy` lists it. */
const shown = ({ topic, text }: Frame) => `${topic} ${text}`

const kinds: [string, () => Promise<Bus>][] = [['memory', async () => memoryBus()]]
if (redis) kinds.push(['Redis', () => shared()])

describe.each(kinds)('by %s', (_name, open) => {
  test('what is published or delivered is handed out here, once, at once and in its order', async () => {
    const bus = await open()
    const heard = heardBy(bus)
    await bus.follow(['server:1'])
    for (let n = 1; n <= 3; n++) bus.publish(sent('server:1', n))
    bus.deliver(typing('server:1', 4))
    const all = [sent('server:1', 1), sent('server:1', 2), sent('server:1', 3), typing('server:1', 4)].map(shown)
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
    bus.publish(typing('server:2', 1))
    expect(heard).toEqual([shown(typing('server:2', 1))])
  })
})

test('a frame that comes from another node is the one that was encoded there', () => {
  const [id, server_id] = [7, 1]
  const server = topic.server(server_id)
  const channel = topic.channel({ id, server_id, restricted: true })
  const frames = [
    eventFrame(channel, 'message.created', 5, `{"id":9,"channel_id":${id},"content":"\\"channel_id\\":8"}`),
    eventFrame(channel, 'channel.updated', 6, `{"id":${id},"server_id":${server_id}}`),
    eventFrame(topic.user(3, { channel_id: id }), 'channel.read', 7, `{"channel_id":${id},"message_id":9}`),
    eventFrame(server, 'role.deleted', 8, `{"id":${id},"server_id":${server_id}}`),
    eventFrame(channel, 'typing.started', undefined, `{"channel_id":${id}}`),
  ]
  for (const frame of frames) expect(decodeFrame(frame.topic, frame.text)).toEqual(frame)
  for (const text of ['', '{"t":"', 'null', '{"t":"ready"}']) expect(decodeFrame('server:1', text)).toBeUndefined()
})

describe.if(redis !== undefined)('two nodes on one Redis', () => {
  test('hear of each other what they follow, in its order, and nothing else', async () => {
    const [one, two] = [await shared(), await shared()]
    const heard = heardBy(two)
    await two.follow(['server:3'])
    for (let n = 1; n <= 200; n++) one.publish(n % 2 ? sent('server:3', n) : typing('server:3', n))
    one.publish(sent('server:4', 1_000))
    one.deliver(sent('server:3', 1_001))
    await until(() => heard.length >= 200)
    await Bun.sleep(100)
    expect(heard).toEqual(
      Array.from({ length: 200 }, (_, at) =>
        shown((at + 1) % 2 ? sent('server:3', at + 1) : typing('server:3', at + 1)),
      ),
    )
    expect([two.isFollowed('server:3'), two.isFollowed('server:4')]).toEqual([true, false])
  })

  test('hand an event out once, by whatever way it comes', async () => {
    const [one, two] = [await shared(), await shared()]
    const heard = heardBy(two)
    await two.follow(['server:5'])
    two.deliver(sent('server:5', 7))
    one.publish(sent('server:5', 7))
    one.publish(sent('server:5', 8))
    await until(() => heard.length >= 2)
    expect(heard).toEqual([shown(sent('server:5', 7)), shown(sent('server:5', 8))])
    expect([two.hasDelivered(8), two.hasDelivered(9)]).toEqual([true, false])
  })

  test('hand out nothing while they do not hear who has lost access', async () => {
    const [one, two] = [await shared(), await shared()]
    const heard = heardBy(two)
    await two.follow(['server:6'])
    await two.notify({ kind: 'disconnected' })
    one.publish(sent('server:6', 11))
    two.publish(sent('server:6', 12))
    await Bun.sleep(100)
    expect(heard).toEqual([])
    // The log is read again for what was passed over.
    expect([two.receivesNotices(), two.hasDelivered(11), two.hasDelivered(12)]).toEqual([false, false, false])
    await two.notify({ kind: 'connected' })
    one.publish(sent('server:6', 13))
    await until(() => heard.length > 0)
    expect(heard).toEqual([shown(sent('server:6', 13))])
  })
  test('do so on a cluster too, whichever of its masters a topic belongs to', async () => {
    const cluster = await redisCluster()
    const [one, two] = [await shared(cluster), await shared(cluster)]
    const heard = heardBy(two)
    const topics = Array.from({ length: 30 }, (_, n) => `server:${n}`)
    await two.follow(topics)
    for (const [n, topic] of topics.entries()) one.publish(sent(topic, n + 1))
    await until(() => heard.length >= topics.length)
    expect(heard.toSorted()).toEqual(topics.map((topic, n) => shown(sent(topic, n + 1))).toSorted())
  }, 30_000)
})
