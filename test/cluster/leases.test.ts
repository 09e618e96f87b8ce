import { afterAll, describe, expect, test } from 'bun:test'
import { type Leases, memoryLeases } from '../../src/cluster/leases.ts'
import { openLog } from '../../src/core/log.ts'
import { newNodeId } from '../../src/cluster/nodes.ts'
import { openRedis, type RedisLink } from '../../src/redis/client.ts'
import { RedisLeases } from '../../src/cluster/redis-leases.ts'
import { redisCluster, redisProgram, redisServer } from '../support/redis.ts'
import { stopwatch } from '../support/stopwatch.ts'
import { until } from '../support/until.ts'

const quiet = openLog('silent')
const links: RedisLink[] = []
afterAll(() => links.forEach((link) => link.stop()))

interface Holder {
  id: string
  leases: Leases
  link: RedisLink
  lost: string[]
}
async function openHolder(url: string, isCluster = false): Promise<Holder> {
  const [id, link] = [newNodeId(), openRedis(url, 'test', isCluster, quiet)]
  links.push(link)
  const leases = new RedisLeases(link, id, quiet)
  const lost: string[] = []
  leases.onLost((name) => lost.push(name))
  await until(() => link.isReady())
  return { id, leases, link, lost }
}

const kinds: [string, () => Promise<Pick<Holder, 'id' | 'leases'>>][] = [
  ['memory', async () => ({ id: 'alice', leases: memoryLeases('alice') })],
]
if (redisProgram) {
  const redis = redisServer()
  kinds.push(['Redis', async () => openHolder((await redis).url)])
}

test.each(kinds)('a single node gets every lease, by %s', async (_kind, open) => {
  const { id, leases } = await open()
  expect(await leases.take('voice:1')).toBe(id)
  expect(await leases.take('voice:1')).toBe(id)
  leases.release('voice:1')
  leases.release('voice:2')
  expect(await Promise.all([leases.take('voice:1'), leases.take('voice:1'), leases.take('voice:2')])).toEqual([
    id,
    id,
    id,
  ])
  leases.stop()
})

// Concurrent: each has a Redis of its own, and waits for what takes seconds.
describe.if(redisProgram !== undefined)('nodes that share a Redis', () => {
  test.concurrent(
    'if several nodes take a lease at once, one gets it, and keeps it for as long as it lives',
    async () => {
      const { url } = await redisServer()
      const all = await Promise.all([openHolder(url), openHolder(url), openHolder(url)])
      const [alice] = all
      const names = Array.from({ length: 600 }, (_, n) => `voice:${n}`)
      const whoHolds = (name: string) => Promise.all(all.map(({ leases }) => leases.take(name)))
      const before = await Promise.all(names.map(whoHolds))
      for (const holders of before) expect(new Set(holders).size).toBe(1)
      await Bun.sleep(5_000)
      expect(await Promise.all(names.map(whoHolds))).toEqual(before)
      expect(all.flatMap(({ lost }) => lost)).toEqual([])
      expect(before.flat().filter((id) => id === alice.id).length).toBeGreaterThan(0)
      for (const { leases } of all) leases.stop()
    },
  )

  test.concurrent('a released lease is free at once, a lease of a dead node within five seconds', async () => {
    const { url } = await redisServer()
    const [alice, bob] = await Promise.all([openHolder(url), openHolder(url)])
    for (const name of ['released', 'kept', 'died']) expect(await alice.leases.take(name)).toBe(alice.id)
    // Releasing another node's lease changes nothing.
    bob.leases.release('kept')
    alice.leases.release('released')
    const take = (name: string) => bob.leases.take(name)
    const free = stopwatch()
    await until(async () => (await take('released')) === bob.id)
    expect(free()).toBeLessThan(500)
    expect(await Promise.all(['released', 'kept', 'died'].map(take))).toEqual([bob.id, alice.id, alice.id])
    alice.link.stop()
    const [diedAt, passed] = [performance.now(), stopwatch()]
    await until(async () => (await take('died')) === bob.id)
    expect(performance.now() - diedAt).toBeGreaterThan(1_000)
    expect(passed()).toBeLessThan(4_500)
    bob.leases.stop()
    const carol = await openHolder(url)
    const released = stopwatch()
    await until(async () => (await carol.leases.take('died')) === carol.id)
    expect(released()).toBeLessThan(500)
    carol.leases.stop()
  })

  test.concurrent(
    'while Redis is away each node keeps and takes leases; later one loses a lease that both took',
    async () => {
      const redis = await redisServer()
      const [alice, bob] = await Promise.all([openHolder(redis.url), openHolder(redis.url)])
      expect(await alice.leases.take('before')).toBe(alice.id)
      await redis.kill()
      await Bun.sleep(5_000)
      expect(await alice.leases.take('before')).toBe(alice.id)
      expect(await alice.leases.take('both')).toBe(alice.id)
      expect(await bob.leases.take('both')).toBe(bob.id)
      expect([...alice.lost, ...bob.lost]).toEqual([])
      await redis.restart()
      await until(() => alice.lost.length + bob.lost.length > 0)
      const [keeper, loser] = alice.lost.length > 0 ? [bob, alice] : [alice, bob]
      expect([keeper.lost, loser.lost]).toEqual([[], ['both']])
      expect(await loser.leases.take('both')).toBe(keeper.id)
      await until(async () => (await bob.leases.take('before')) === alice.id)
      for (const { leases } of [alice, bob]) leases.stop()
    },
  )

  test.concurrent('if two nodes took a lease while Redis stood still, the one with more weight keeps it', async () => {
    const redis = await redisServer()
    const [alice, bob] = await Promise.all([openHolder(redis.url), openHolder(redis.url)])
    const names = Array.from({ length: 6 }, (_, n) => `voice:${n}`)
    alice.leases.weighBy((name) => (Number(name.at(-1)) % 2 === 0 ? 3 : 2))
    bob.leases.weighBy((name) => (Number(name.at(-1)) % 2 === 0 ? 2 : 3))
    redis.freeze()
    // Redis executes Alice's commands first when it resumes.
    for (const { leases, id } of [alice, bob])
      expect(await Promise.all(names.map((name) => leases.take(name)))).toEqual(names.map(() => id))
    redis.thaw()
    const thawedAt = performance.now()
    await until(() => alice.lost.length + bob.lost.length === 6)
    console.log(`each lease was one node's ${Math.round(performance.now() - thawedAt)} ms after Redis went on`)
    expect([alice.lost, bob.lost]).toEqual([
      ['voice:1', 'voice:3', 'voice:5'],
      ['voice:0', 'voice:2', 'voice:4'],
    ])
    await Bun.sleep(1_500)
    for (const name of names) expect(await alice.leases.take(name)).toBe(await bob.leases.take(name))
    expect(alice.lost.length + bob.lost.length).toBe(6)
    for (const { leases } of [alice, bob]) leases.stop()
  })

  test.concurrent('while Redis is frozen, one of many requests waits for its timeout', async () => {
    const redis = await redisServer()
    const alice = await openHolder(redis.url)
    expect(await alice.leases.take('before')).toBe(alice.id)
    redis.freeze()
    await Bun.sleep(2_500)
    const passed = stopwatch()
    for (let n = 0; n < 20; n++) expect(await alice.leases.take(`voice:${n}`)).toBe(alice.id)
    expect(passed()).toBeLessThan(10_000)
    redis.thaw()
    const bob = await openHolder(redis.url)
    const stored = () => bob.link.commands.get(bob.link.key('{leases}:voice:19'))
    await until(async () => (await stored()) === alice.id)
    expect(await bob.leases.take('voice:19')).toBe(alice.id)
    expect(alice.lost).toEqual([])
    for (const { leases } of [alice, bob]) leases.stop()
  })

  test.concurrent('leases work on a Redis Cluster', async () => {
    const { url } = await redisCluster()
    const [alice, bob] = await Promise.all([openHolder(url, true), openHolder(url, true)])
    const names = Array.from({ length: 20 }, (_, n) => `voice:${n}`)
    for (const name of names) expect(await alice.leases.take(name)).toBe(alice.id)
    await Bun.sleep(5_000)
    for (const name of names) expect(await bob.leases.take(name)).toBe(alice.id)
    alice.leases.stop()
    const passed = stopwatch()
    for (const name of names) await until(async () => (await bob.leases.take(name)) === bob.id)
    // Earlier than they would expire.
    expect(passed()).toBeLessThan(2_000)
    bob.leases.stop()
  })
})
