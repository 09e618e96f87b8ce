import { afterEach, beforeEach, expect, jest, spyOn, test } from 'bun:test'
import { HandshakeGarbage } from '../../src/gateway/handshake-garbage.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** How often garbage is collected while, after a storm, so many handshakes come every tenth of a second. */
function collections(handshakes: number, seconds: number): number {
  const collect = spyOn(Bun, 'gc')
  const garbage = new HandshakeGarbage()
  garbage.add(1_000)
  for (let tenth = 0; tenth < 10 * seconds; tenth++) {
    garbage.add(handshakes)
    jest.advanceTimersByTime(100)
  }
  const { length } = collect.mock.calls
  collect.mockRestore()
  return length
}

test('the garbage of a storm of handshakes is collected once, though one comes now and then', () => {
  expect(collections(1, 20)).toBe(1)
})

test('while many handshakes come, no garbage is collected by hand', () => {
  expect(collections(100, 20)).toBe(0)
})
