import { expect, test } from 'bun:test'
import { DeliveredEvents } from '../../src/events/delivered-events.ts'

test('an event is remembered as delivered for one to two minutes, and then counts as old', () => {
  let now = 0
  const delivered = new DeliveredEvents(() => now)
  delivered.add(7)
  expect([delivered.has(7), delivered.has(8)]).toEqual([true, false])
  now = 61_000
  delivered.add(9)
  expect([delivered.has(7), delivered.isOld(6)]).toEqual([true, false])
  now = 122_000
  delivered.add(10)
  expect([delivered.has(7), delivered.has(9)]).toEqual([false, true])
  // Everything up to the newest forgotten event counts as old.
  expect([6, 7, 8, 9, 10, 11].map((s) => delivered.isOld(s))).toEqual([true, true, false, true, true, false])
})
