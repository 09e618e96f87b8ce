import { afterAll, describe, expect, test } from 'bun:test'
import { type Bus, memoryBus } from '../../src/events/bus.ts'
import { openLog } from '../../src/core/log.ts'
import { newNodeId } from '../../src/cluster/nodes.ts'
import { openRedis, type RedisLink } from '../../src/redis/client.ts'
import { RedisBus } from '../../src/events/redis-bus.ts'
import { decodeFrame, encodeFrame, eventFrame, type Frame, topic } from '../../src/core/events.ts'
import { redisCluster, redisProgram, redisServer } from '../support/redis.ts'
import { until } from '../support/until.ts'

const links: RedisLink[] = []
afterAll(() => links.forEach((link) => link.stop()))
const redis = redisProgram === undefined ? undefined : await redisServer()

async function shared(cluster?: { url: string }, isAlone?: () => boolean): Promise<RedisBus> {
  const { url = '' } = cluster ?? redis ?? {}
  const link = openRedis(url, 'bus-test', cluster !== undefined, openLog('silent'))
  links.push(link)
  await until(() => link.isReady())
  return new RedisBus(link, newNodeId(), isAlone)
}

/** Everything that a bus delivers here, as `topic text`. */
function deliveredBy(bus: Bus): string[] {
  const delivered: string[] = []
  bus.onFrame(({ topic, text }) => void delivered.push(`${topic} ${text}`))
  return delivered
}
const typing = (topic: string, n: number) => eventFrame({ topic }, 'typing.started', undefined, `{"n":${n}}`)
const sent = (topic: string, s: number) => eventFrame({ topic }, 'message.created', s, `{"id":${s}}`)
/** A frame as `deliveredBy` lists it. */
const lineOf = ({ topic, text }: Frame) => `${topic} ${text}`

const kinds: [string, () => Promise<Bus>][] = [['memory', async () => memoryBus()]]
if (redis) kinds.push(['Redis', () => shared()])

describe.each(kinds)('by %s', (_name, open) => {
  test('a published or delivered frame reaches the listeners here, once, at once and in order', async () => {
    const bus = await open()
    const delivered = deliveredBy(bus)
    await bus.follow(['server:1'])
    for (let n = 1; n <= 3; n++) bus.publish(sent('server:1', n))
    bus.deliver(typing('server:1', 4))
    const all = [sent('server:1', 1), sent('server:1', 2), sent('server:1', 3), typing('server:1', 4)].map(lineOf)
    expect(delivered).toEqual(all)
    await Bun.sleep(100)
    expect(delivered).toEqual(all)
    expect(bus.state()).toBe('ok')
  })

  test('notify resolves when every listener here has acted on the notice', async () => {
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

  test('a topic without subscribers may be dropped, and followed again', async () => {
    const bus = await open()
    const delivered = deliveredBy(bus)
    await bus.follow(['server:2'])
    bus.retain(() => false)
    await bus.follow(['server:2'])
    bus.publish(typing('server:2', 1))
    expect(delivered).toEqual([lineOf(typing('server:2', 1))])
  })
})

test('a frame decoded from its text equals the frame that was encoded', () => {
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
  for (const frame of frames) expect(decodeFrame(frame.topic, encodeFrame(frame))).toEqual(frame)
  for (const text of ['', '{"t":"', 'null', '{"t":"ready"}']) expect(decodeFrame('server:1', text)).toBeUndefined()
})

/** The messages that reach the Redis channel of a topic. */
async function messagesOn(topic: string): Promise<string[]> {
  const link = openRedis(redis?.url ?? '', 'bus-test', false, openLog('silent'))
  links.push(link)
  await until(() => link.isReady())
  const messages: string[] = []
  link.subscriber.on('smessage', (_channel: string, message: string) => void messages.push(message))
  await link.subscriber.ssubscribe(link.key(`topic:${topic}`))
  return messages
}

describe.if(redis !== undefined)('frames that a node sends through Redis', () => {
  test('goes in one message until it is flushed, or by itself within milliseconds', async () => {
    const [bus, messages] = [await shared(), await messagesOn('server:20')]
    const framesIn = (message = '') => message.split('message.created').length - 1
    for (let n = 1; n <= 3; n++) {
      bus.publish(sent('server:20', n))
      // Imitates messages that are committed one after another.
      await Promise.resolve()
    }
    bus.flush()
    bus.publish(sent('server:20', 4))
    await until(() => messages.length === 2)
    expect(messages.map(framesIn)).toEqual([3, 1])
  })

  test('are nothing while there is no other node, and everything once one appears', async () => {
    let isAlone = true
    const [bus, messages] = [await shared(undefined, () => isAlone), await messagesOn('server:21')]
    const delivered = deliveredBy(bus)
    bus.publish(sent('server:21', 1))
    bus.flush()
    isAlone = false
    bus.publish(sent('server:21', 2))
    await until(() => messages.length > 0)
    expect([messages.length, messages[0]?.includes('"s":2'), messages[0]?.includes('"s":1')]).toEqual([1, true, false])
    expect(delivered).toHaveLength(2)
  })
})

describe.if(redis !== undefined)('two nodes on one Redis', () => {
  test('receive each other’s frames of followed topics, in order, and nothing else', async () => {
    const [one, two] = [await shared(), await shared()]
    const delivered = deliveredBy(two)
    await two.follow(['server:3'])
    for (let n = 1; n <= 200; n++) one.publish(n % 2 ? sent('server:3', n) : typing('server:3', n))
    one.publish(sent('server:4', 1_000))
    one.deliver(sent('server:3', 1_001))
    await until(() => delivered.length >= 200)
    await Bun.sleep(100)
    expect(delivered).toEqual(
      Array.from({ length: 200 }, (_, at) =>
        lineOf((at + 1) % 2 ? sent('server:3', at + 1) : typing('server:3', at + 1)),
      ),
    )
    expect([two.isFollowed('server:3'), two.isFollowed('server:4')]).toEqual([true, false])
  })

  test('deliver an event once, however often it arrives', async () => {
    const [one, two] = [await shared(), await shared()]
    const delivered = deliveredBy(two)
    await two.follow(['server:5'])
    two.deliver(sent('server:5', 7))
    one.publish(sent('server:5', 7))
    one.publish(sent('server:5', 8))
    await until(() => delivered.length >= 2)
    expect(delivered).toEqual([lineOf(sent('server:5', 7)), lineOf(sent('server:5', 8))])
    expect([two.hasDelivered(8), two.hasDelivered(9)]).toEqual([true, false])
  })

  test('deliver nothing while they receive no notices', async () => {
    const [one, two] = [await shared(), await shared()]
    const delivered = deliveredBy(two)
    await two.follow(['server:6'])
    await two.notify({ kind: 'disconnected' })
    one.publish(sent('server:6', 11))
    two.publish(sent('server:6', 12))
    await Bun.sleep(100)
    expect(delivered).toEqual([])
    // The log follower delivers them later.
    expect([two.receivesNotices(), two.hasDelivered(11), two.hasDelivered(12)]).toEqual([false, false, false])
    await two.notify({ kind: 'connected' })
    one.publish(sent('server:6', 13))
    await until(() => delivered.length > 0)
    expect(delivered).toEqual([lineOf(sent('server:6', 13))])
  })
  test('reach each other through a Redis Cluster too, whichever master a topic belongs to', async () => {
    const cluster = await redisCluster()
    const [one, two] = [await shared(cluster), await shared(cluster)]
    const delivered = deliveredBy(two)
    const topics = Array.from({ length: 30 }, (_, n) => `server:${n}`)
    await two.follow(topics)
    for (const [n, topic] of topics.entries()) one.publish(sent(topic, n + 1))
    await until(() => delivered.length >= topics.length)
    expect(delivered.toSorted()).toEqual(topics.map((topic, n) => lineOf(sent(topic, n + 1))).toSorted())
  })
})
