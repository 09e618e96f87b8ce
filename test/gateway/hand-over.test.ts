import { expect, test } from 'bun:test'
import { closeOverTime, dueSockets } from '../../src/gateway/hand-over.ts'

const sockets = (count: number) => Array.from({ length: count }, (_, at) => at)

test('many sockets are closed evenly over 30 s, few at fifty a second, and none is left out', () => {
  expect([0, 10_000, 15_000, 30_000, 90_000].map((ms) => dueSockets(10_000, ms))).toEqual([
    0, 3333, 5000, 10_000, 10_000,
  ])
  expect([0, 500, 1000, 2000].map((ms) => dueSockets(50, ms))).toEqual([0, 25, 50, 50])
  expect(dueSockets(0, 0)).toBe(0)
})

test('every socket is closed once, in order, and not all in the same moment', async () => {
  const groups: number[][] = []
  await closeOverTime(sockets(20), (due) => groups.push(due), new AbortController().signal)
  expect(groups.flat()).toEqual(sockets(20))
  await closeOverTime([], () => groups.push([]), new AbortController().signal)
  expect(groups).not.toContainEqual([])
})

test('a signal closes the rest at once, also one that came before', async () => {
  const hurry = new AbortController()
  const groups: number[][] = []
  const close = (due: number[]) => {
    groups.push(due)
    hurry.abort()
  }
  await closeOverTime(sockets(1_000_000), close, hurry.signal)
  expect(groups).toHaveLength(2)
  expect(groups.flat().length).toBe(1_000_000)
  await closeOverTime(sockets(3), (due) => groups.push(due), hurry.signal)
  expect(groups.at(-1)).toEqual([0, 1, 2])
})
