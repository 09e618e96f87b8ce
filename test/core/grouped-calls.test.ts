import { expect, test } from 'bun:test'
import { GroupedCalls } from '../../src/core/grouped-calls.ts'

/** Calls that double numbers; the groups end one by one, when `next` is called. */
function doubling(atOnce: number, sizeMax: number) {
  const groups: number[][] = []
  const ends: (() => void)[] = []
  const calls = new GroupedCalls<number, number>(
    async (numbers) => {
      groups.push(numbers)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (numbers.some((number) => number < 0)) throw new RangeError('negative')
      if (numbers.includes(0)) throw new Error('zero')
      return numbers.map((number) => 2 * number)
    },
    atOnce,
    sizeMax,
    5,
    (error) => !(error instanceof RangeError),
  )
  const next = async () => {
    ends.shift()?.()
    await Bun.sleep(0)
  }
  return { calls, groups, next }
}

test('calls that arrive during a group go together with the next, in their order', async () => {
  const { calls, groups, next } = doubling(1, 3)
  const first = [calls.call(1), calls.call(2)]
  await Bun.sleep(0)
  const later = [3, 4, 5, 6].map((number) => calls.call(number))
  for (let n = 0; n < 3; n++) await next()
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10, 12])
  expect(groups).toEqual([[1, 2], [3, 4, 5], [6]])
})

test('no more groups are under way than allowed, and a full queue says so', async () => {
  const { calls, groups, next } = doubling(2, 1)
  const results = [1, 2, 3, 4, 5].map((number) => calls.call(number))
  await Bun.sleep(0)
  expect(groups).toEqual([[1], [2]])
  expect(calls.isFull()).toBe(false)
  results.push(calls.call(6), calls.call(7))
  expect(calls.isFull()).toBe(true)
  for (let n = 0; n < 7; n++) await next()
  expect(await Promise.all(results)).toEqual([2, 4, 6, 8, 10, 12, 14])
})

test('in a group that fails, only the calls that fail by themselves fail', async () => {
  const { calls, groups, next } = doubling(1, 9)
  const results = Promise.allSettled([1, -2, 3].map((number) => calls.call(number)))
  await Bun.sleep(0)
  for (let n = 0; n < 4; n++) await next()
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(groups).toEqual([[1, -2, 3], [1], [-2], [3]])
})

test('in a group whose failure is shared, all calls fail at once', async () => {
  const { calls, groups, next } = doubling(1, 9)
  const results = Promise.allSettled([1, 0, 3].map((number) => calls.call(number)))
  await Bun.sleep(0)
  await next()
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(groups).toEqual([[1, 0, 3]])
})
