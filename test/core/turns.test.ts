import { expect, test } from 'bun:test'
import { Turns } from '../../src/core/turns.ts'

test('much work runs in order, and yields the event loop every few milliseconds', async () => {
  const turns = new Turns()
  const done: number[] = []
  const work = (n: number) => {
    for (const until = performance.now() + 1; performance.now() < until;);
    done.push(n)
    return n
  }
  const numbers = Array.from({ length: 60 }, (_, n) => n)
  const all = Promise.all(numbers.map((n) => turns.run(() => work(n))))
  let others = 0
  for (let isWaiting = true; isWaiting; others++) {
    await new Promise(setImmediate)
    isWaiting = done.length < numbers.length
  }
  expect(await all).toEqual(numbers)
  expect(done).toEqual(numbers)
  // 60 ms in turns of 4.
  expect(others).toBeGreaterThanOrEqual(10)
})

test('a task that fails does not affect others', async () => {
  const turns = new Turns()
  const failing = turns.run(() => {
    throw new Error('no')
  })
  const next = turns.run(() => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
