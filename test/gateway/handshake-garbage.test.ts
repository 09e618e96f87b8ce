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
