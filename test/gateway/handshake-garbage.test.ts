import { afterEach, beforeEach, expect, jest, spyOn, test } from 'bun:test'
import { HandshakeGarbage } from '../../src/gateway/handshake-garbage.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** The number of collections while each second brings `each` handshakes, and the first second brings `first`. */
function collections(first: number, each: (second: number) => number, seconds: number): number {
  const collect = spyOn(Bun, 'gc')
  // The clock of the pause follows the timers.
  let now = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => now)
  const garbage = new HandshakeGarbage()
  for (let second = 0; second < seconds; second++) {
    for (let tenth = 0; tenth < 10; tenth++) {
      garbage.add((second === 0 ? first : each(second)) / 10)
      now += 100
      jest.advanceTimersByTime(100)
    }
  }
  const { length } = collect.mock.calls
  collect.mockRestore()
  clock.mockRestore()
  return length
}

test('the garbage of a storm of handshakes is collected once, although some handshakes keep coming', () => {
  expect(collections(1_000, () => 10, 600)).toBe(1)
})

test('while many handshakes come, no garbage is collected by hand', () => {
  expect(collections(1_000, () => 1_000, 20)).toBe(0)
})

test('without a storm no garbage is collected by hand, however many handshakes come in total', () => {
  for (const rate of [1, 10, 50]) expect([rate, collections(rate, () => rate, 600)]).toEqual([rate, 0])
})

test('after storms in quick succession, garbage is collected at most every ten seconds', () => {
  const count = collections(500, (second) => (second % 2 === 0 ? 500 : 0), 600)
  expect(count).toBeGreaterThan(40)
  expect(count).toBeLessThanOrEqual(60)
})

test('the garbage of bots that open servers is collected meanwhile, in a small heap and a tenth of the time', () => {
  let now = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => now)
  const collect = spyOn(Bun, 'gc').mockImplementation(() => void (now += 30))
  const usage = process.memoryUsage()
  const heap = spyOn(process, 'memoryUsage')
  /** Collections while each of a hundred milliseconds brings this many openings. */
  const collectionsOf = (openings: number, megabytes: number) => {
    heap.mockReturnValue({ ...usage, heapUsed: megabytes * 1024 * 1024 })
    now += 10_000
    const before = collect.mock.calls.length
    const garbage = new HandshakeGarbage()
    for (let n = 0; n < 100; n++, now++) garbage.addOfBots(openings)
    return collect.mock.calls.length - before
  }
  expect([1, 5, 10, 500].map((openings) => collectionsOf(openings, 60))).toEqual([0, 1, 1, 1])
  expect(collectionsOf(500, 600)).toBe(0)
  heap.mockReturnValue({ ...usage, heapUsed: 60 * 1024 * 1024 })
  const garbage = new HandshakeGarbage()
  const before = collect.mock.calls.length
  for (const end = now + 3_300; now < end; now++) garbage.addOfBots(100)
  expect(collect.mock.calls.length - before).toBe(10)
  for (const spy of [clock, collect, heap]) spy.mockRestore()
})
