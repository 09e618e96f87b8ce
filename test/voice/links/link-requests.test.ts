import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { RedisNodes } from '../../../src/cluster/redis-nodes.ts'
import { openLog } from '../../../src/core/log.ts'
import { LinkRequests, Unanswered } from '../../../src/voice/links/link-requests.ts'
import { UNDERWAY_MAX } from '../../../src/voice/links/model.ts'
import { until } from '../../support/harness.ts'
import { linkTo, redisProgram, redisServer } from '../../support/redis.ts'

const quiet = openLog('silent')

describe.if(redisProgram !== undefined)('requests to another process', () => {
  const stops: (() => void)[] = []
  let asking: RedisNodes
  let other: RedisNodes
  /** The branches of the requests that have arrived, in order. */
  let arrived: string[] = []
  beforeAll(async () => {
    const { url } = await redisServer()
    const open = async () => {
      const connection = await linkTo(url)
      const nodes = new RedisNodes(connection, quiet)
      stops.push(() => nodes.stop(), connection.stop)
      return nodes
    }
    ;[asking, other] = await Promise.all([open(), open()])
    await until(() => asking.others().includes(other.id))
    other.onMessage('voice.link', (_from, body) => void arrived.push((body as any).d.branch))
    // A process sends nothing until its own messages come back to it.
    let isUp = false
    other.onMessage('probe', () => void (isUp = true))
    await until(() => (asking.send(other.id, 'probe', {}), isUp))
  })
  afterAll(() => stops.forEach((stop) => stop()))

  function open() {
    arrived = []
    const requests = new LinkRequests(asking, quiet, () => true)
    const ask = (branch: string) => requests.ask(other.id, 'close', { branch })
    const crowd = () => Array.from({ length: UNDERWAY_MAX }, (_, at) => ask(`${at}`))
    return {
      ask,
      crowd,
      settle: (n: number) => requests.settle(other.id, { n, d: {} }),
      drop: () => requests.drop(other.id),
    }
  }

  test('those that wait for a process that is gone fail with it, instead of being sent one after another', async () => {
    const { ask, crowd, drop } = open()
    const all = [...crowd(), ...crowd()]
    await until(() => arrived.length === UNDERWAY_MAX)
    drop()
    const results = await Promise.allSettled(all)
    expect(results.every((result) => result.status === 'rejected' && result.reason instanceof Unanswered)).toBe(true)
    // Messages arrive in order.
    const last = ask('last')
    await until(() => arrived.includes('last'))
    expect(arrived).toHaveLength(UNDERWAY_MAX + 1)
    drop()
    await expect(last).rejects.toBeInstanceOf(Unanswered)
  })

  test('one that waits goes before those that come later, so that a pause does not overtake what it ends', async () => {
    const { ask, crowd, settle, drop } = open()
    const [first, ...others] = crowd()
    const waiting = ask('waits')
    let later: Promise<unknown> | undefined
    const then = first!.then(() => {
      later = ask('later')
    })
    settle(1)
    await then
    settle(2)
    await until(() => arrived.includes('later'))
    expect(arrived.indexOf('waits')).toBeLessThan(arrived.indexOf('later'))
    drop()
    await Promise.allSettled([...others, waiting, later])
  })

  test('requests that a worker never answers do not count forever among those that run for a process', async () => {
    const requests = new LinkRequests(other, quiet, () => true)
    const answers = new Map<number, { d?: unknown; error?: { reason: string } }>()
    asking.onMessage('voice.link_answer', (_from, body) => {
      const { n, ...answer } = body as { n: number; d?: unknown; error?: { reason: string } }
      answers.set(n, answer)
    })
    const hangs = Promise.withResolvers<never>().promise
    const handlers = {
      close: (_from: string, { branch }: { branch: string }) => (branch === 'hangs' ? hangs : Promise.resolve({})),
    }
    const run = (n: number, branch: string) =>
      requests.answer(asking.id, { n, op: 'close', d: { branch } }, handlers as never)
    const hanging = Array.from({ length: 2 * UNDERWAY_MAX }, (_, at) => run(at + 1, 'hangs'))
    await run(1_000, 'well')
    await until(() => answers.has(1_000))
    expect(answers.get(1_000)?.error?.reason).toBe('Too many requests')
    await Promise.all(hanging)
    await run(1_001, 'well')
    await until(() => answers.has(1_001))
    expect(answers.get(1_001)).toEqual({ d: {} })
  })
})
