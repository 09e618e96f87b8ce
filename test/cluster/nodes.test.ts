import { afterAll, describe, expect, test } from 'bun:test'
import { openLog } from '../../src/core/log.ts'
import { memoryNodes, type Nodes } from '../../src/cluster/nodes.ts'
import { openRedis, type RedisLink } from '../../src/redis/client.ts'
import { RedisNodes } from '../../src/cluster/redis-nodes.ts'
import { redisCluster, redisProgram, redisServer } from '../support/redis.ts'
import { stopwatch } from '../support/stopwatch.ts'
import { until } from '../support/until.ts'

const quiet = openLog('silent')

interface Opened {
  nodes: Nodes
  link: RedisLink
  /** The nodes that this node has reported as gone. */
  gone: [node: string, died: boolean][]
}
const links: RedisLink[] = []
afterAll(() => links.forEach((link) => link.stop()))

/** Nodes on one Redis that know each other, each with its own connections. */
async function open(url: string, count: number, isCluster = false): Promise<[Opened, Opened, ...Opened[]]> {
  const opened = Array.from({ length: count }, (): Opened => {
    const link = openRedis(url, 'test', isCluster, quiet)
    links.push(link)
    const nodes = new RedisNodes(link, quiet)
    const lostNodes: Opened['gone'] = []
    nodes.onGone((...news) => lostNodes.push(news))
    return { nodes, link, gone: lostNodes }
  })
  await until(() => opened.every(({ nodes }) => nodes.others().length === count - 1))
  return opened as [Opened, Opened, ...Opened[]]
}
function openAnother(url: string): Opened {
  const link = openRedis(url, 'test', false, quiet)
  links.push(link)
  return { link, nodes: new RedisNodes(link, quiet), gone: [] }
}
const end = (...opened: Opened[]) => {
  for (const { nodes, link } of opened) {
    nodes.stop()
    link.stop()
  }
}
const rows = ({ nodes }: Opened, key: string, table = 'presence') => Object.fromEntries(nodes.table(table).at(key))

const kinds: [string, () => Promise<Nodes>][] = [['memory', async () => memoryNodes()]]
if (redisProgram) {
  const redis = redisServer()
  kinds.push(['Redis', async () => (await open((await redis).url, 1))[0].nodes])
}

describe.each(kinds)('a single node, by %s', (_kind, openOne) => {
  test('reads its own rows at once, and is called back for each that changes', async () => {
    const nodes = await openOne()
    const [presence, voice] = [nodes.table('presence'), nodes.table('voice')]
    const changes: [string, boolean][] = []
    presence.onChange((...news) => changes.push(news))
    presence.put('1', 'online')
    const before = presence.at('1')
    presence.put('1', 'online')
    presence.put('2', 'idle')
    presence.put('1', undefined)
    presence.put('3', undefined)
    voice.put('2', 'home')
    expect([...before]).toEqual([[nodes.id, 'online']])
    expect([...presence.at('1')]).toEqual([])
    expect([...nodes.table('presence').at('2')]).toEqual([[nodes.id, 'idle']])
    expect([...voice.at('2')]).toEqual([[nodes.id, 'home']])
    expect(changes).toEqual([
      ['1', false],
      ['2', false],
      ['1', false],
    ])
    nodes.stop()
  })

  test('calls everybody back who waits for its own message', async () => {
    const nodes = await openOne()
    const called: number[] = []
    for (const caller of [1, 2]) nodes.echo(() => void called.push(caller))
    await until(() => called.length === 2)
    nodes.stop()
  })

  test('refuses a row that is too long, and drops a message to an unknown node or to itself', async () => {
    const nodes = await openOne()
    const table = nodes.table('presence')
    expect(() => table.put('1', 'x'.repeat(4_001))).toThrow(RangeError)
    expect(() => table.put('1'.repeat(201), 'x')).toThrow(RangeError)
    expect([...table.at('1')]).toEqual([])
    expect(nodes.others()).toEqual([])
    const received: unknown[] = []
    nodes.onMessage('hail', (_from, body) => received.push(body))
    nodes.send('0123456789abcdef', 'hail', 1)
    nodes.send(nodes.id, 'hail', 2)
    await Bun.sleep(50)
    expect(received).toEqual([])
    nodes.stop()
  })
})

describe.if(redisProgram !== undefined)('nodes that share a Redis', () => {
  test('read each other’s rows, a new node all of them, also late, and none of a node that has ended', async () => {
    const redis = await redisServer()
    const [alice, bob] = await open(redis.url, 2)
    const table = alice.nodes.table('presence')
    for (let user = 0; user < 20_000; user++) table.put(String(user), 'online')
    bob.nodes.table('presence').put('7', 'idle')
    await until(() => rows(alice, '7')[bob.nodes.id] === 'idle' && rows(bob, '19999')[alice.nodes.id] === 'online')
    expect(rows(alice, '7')).toEqual({ [alice.nodes.id]: 'online', [bob.nodes.id]: 'idle' })
    const late = openAnother(redis.url)
    await until(() => Object.keys(rows(late, '7')).length === 2 && rows(late, '19999')[alice.nodes.id] === 'online')
    const received: string[] = []
    late.nodes.table('presence').onChange((key) => received.push(key))
    // Messages from before it listened.
    expect(received.splice(0)).toHaveLength(20_000)
    alice.nodes.stop()
    await until(() => late.nodes.others().length === 1)
    expect(rows(late, '7')).toEqual({ [bob.nodes.id]: 'idle' })
    expect(received).toHaveLength(20_000)
    await until(() => bob.gone.length > 0)
    expect(bob.gone).toEqual([[alice.nodes.id, false]])
    end(alice, bob, late)
  })

  test('receive messages in order, whole, and only their own', async () => {
    const redis = await redisServer()
    const [alice, bob, carol] = await open(redis.url, 3)
    const received: [string, unknown][] = []
    const strays: unknown[] = []
    bob.nodes.onMessage('count', (from, body) => received.push([from, body]))
    bob.nodes.onMessage('other', (_from, body) => strays.push(body))
    carol?.nodes.onMessage('count', (_from, body) => strays.push(body))
    for (let n = 0; n < 5_000; n++) alice.nodes.send(bob.nodes.id, 'count', { n, sdp: 'x'.repeat(n % 7) })
    await until(() => received.length === 5_000)
    expect(received.map(([from]) => from)).toEqual(Array(5_000).fill(alice.nodes.id))
    expect(received.map(([, body]) => body)).toEqual(
      Array.from({ length: 5_000 }, (_, n) => ({ n, sdp: 'x'.repeat(n % 7) })),
    )
    expect(strays).toEqual([])
    end(alice, bob, carol as Opened)
  })

  test('ignore malformed messages and other installations', async () => {
    const redis = await redisServer()
    const [alice, bob] = await open(redis.url, 2)
    const stranger = openRedis(redis.url, 'another', false, quiet)
    links.push(stranger)
    const strangers = new RedisNodes(stranger, quiet)
    const { nodes } = alice
    nodes.onMessage('fragile', () => {
      throw new Error('A fault of ours')
    })
    const node = bob.nodes.id
    const messages = [
      '',
      'nonsense',
      'null',
      '[]',
      '{}',
      JSON.stringify({ say: 'beat', node: 'mallory', seq: 1, sent_at: 0, hello: false }),
      JSON.stringify({ say: 'beat', node, seq: -1, sent_at: 0, hello: false }),
      JSON.stringify({ say: 'changes', node, seq: 1, rows: [['presence', 1, 2]] }),
      JSON.stringify({ say: 'changes', node, seq: 1, rows: [['presence', '1', 'x'.repeat(5_000)]] }),
      JSON.stringify({ say: 'whole', node, seq: 9, part: 3, parts: 2, rows: [] }),
      JSON.stringify({ say: 'changes', node, seq: 77, rows: [['presence', '1', 'forged']] }),
      JSON.stringify({ node, seq: 900, kind: 'fragile', body: 1 }),
    ]
    for (const message of messages)
      for (const name of ['nodes', `node:${nodes.id}`]) await bob.link.commands.spublish(bob.link.key(name), message)
    bob.nodes.table('presence').put('1', 'online')
    await until(() => rows(alice, '1')[node] === 'online')
    expect(rows(alice, '1')).toEqual({ [node]: 'online' })
    expect([nodes.others(), strangers.others()]).toEqual([[node], []])
    strangers.stop()
    end(alice, bob)
  })

  // Concurrent: each has a Redis of its own, and waits for what takes seconds.
  test.concurrent(
    'continue without others after seconds of silence, and see others again as soon as they begin',
    async () => {
      const redis = await redisServer()
      const beganAt = performance.now()
      const [alice] = await open(redis.url, 1)
      const isAlone = ({ nodes }: Opened) => nodes instanceof RedisNodes && nodes.isAlone()
      expect(isAlone(alice)).toBe(false)
      await until(() => isAlone(alice))
      // Long enough for two heartbeats of another node.
      expect(performance.now() - beganAt).toBeGreaterThan(4_000)
      const bob = openAnother(redis.url)
      await until(() => bob.nodes.others().length === 1)
      expect([isAlone(alice), isAlone(bob)]).toEqual([false, false])
      bob.nodes.stop()
      await until(() => isAlone(alice))
      // The node cannot know it while it receives nothing.
      await redis.kill()
      await until(() => !isAlone(alice))
      end(alice, bob)
    },
  )

  test.concurrent('drop a dead node ten seconds after its last message, and report that it died', async () => {
    const redis = await redisServer()
    const [alice, bob, carol] = await open(redis.url, 3)
    carol?.nodes.table('presence').put('3', 'online')
    alice.nodes.table('presence').put('1', 'online')
    const know = (one: Opened, key: string, of?: Opened) => rows(one, key)[of?.nodes.id ?? ''] === 'online'
    await until(() => know(alice, '3', carol) && know(bob, '3', carol) && know(bob, '1', alice))
    const changes: [string, boolean][] = []
    bob.nodes.table('presence').onChange((...news) => changes.push(news))
    expect(changes.splice(0).toSorted()).toEqual([
      ['1', false],
      ['3', false],
    ])
    // Its connections end without a farewell, like those of a killed process.
    carol?.link.stop()
    const [diedAt, passed] = [performance.now(), stopwatch()]
    await until(() => alice.gone.length > 0 && bob.gone.length > 0)
    expect(performance.now() - diedAt).toBeGreaterThan(7_500)
    expect(passed()).toBeLessThan(11_500)
    expect([alice.gone, bob.gone]).toEqual([[[carol?.nodes.id ?? '', true]], [[carol?.nodes.id ?? '', true]]])
    expect(changes).toEqual([['3', true]])
    expect([rows(alice, '3'), rows(bob, '1')]).toEqual([{}, { [alice.nodes.id]: 'online' }])
    end(alice, bob, carol as Opened)
  })

  test.concurrent('drop no node while Redis is dead or frozen, and have all rows again when it is back', async () => {
    const redis = await redisServer()
    const [alice, bob, carol] = (await open(redis.url, 3)) as [Opened, Opened, Opened]
    const put = (opened: Opened, row?: string) => opened.nodes.table('presence').put('1', row)
    const agree = () =>
      [alice, bob, carol].every((one) => Bun.deepEquals(rows(one, '1'), rows(alice, '1'))) &&
      rows(alice, '1')[bob.nodes.id]
    put(alice, 'online')
    put(bob, 'before')
    await until(() => agree() === 'before')

    await redis.kill()
    put(bob, 'while it was away')
    put(alice, undefined)
    await Bun.sleep(12_000)
    await redis.restart()
    const passed = stopwatch()
    await until(() => agree() === 'while it was away')
    expect(passed()).toBeLessThan(4_000)

    redis.freeze()
    put(bob, 'while it was frozen')
    await Bun.sleep(12_000)
    put(carol, 'too')
    redis.thaw()
    await until(() => agree() === 'while it was frozen')
    const received: unknown[] = []
    carol.nodes.onMessage('hail', (_from, body) => received.push(body))
    await until(() => {
      bob.nodes.send(carol.nodes.id, 'hail', 'hello again')
      return received.length > 0
    })
    expect([alice.gone, bob.gone, carol.gone]).toEqual([[], [], []])
    end(alice, bob, carol)
  })

  test.concurrent('find each other on a Redis Cluster', async () => {
    const { url } = await redisCluster()
    const [alice, bob, carol] = (await open(url, 3, true)) as [Opened, Opened, Opened]
    const received: unknown[] = []
    for (const { nodes } of [alice, bob, carol]) nodes.onMessage('hail', (_from, body) => received.push(body))
    alice.nodes.table('presence').put('1', 'online')
    await until(() => [bob, carol].every((one) => rows(one, '1')[alice.nodes.id] === 'online'))
    await until(() => {
      received.length = 0
      for (const from of [alice, bob, carol])
        for (const to of [alice, bob, carol]) from.nodes.send(to.nodes.id, 'hail', 1)
      return Bun.sleep(200).then(() => received.length === 6)
    })
    end(alice, bob, carol)
  })
})
