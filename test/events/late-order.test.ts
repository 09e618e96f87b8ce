import { expect, test } from 'bun:test'
import { LateEvents } from '../../src/events/late-events.ts'

test('an event is late if a newer one was delivered well before it, however long nothing came in between', () => {
  let now = 1_000
  const late = new LateEvents(() => now)
  const at = (time: number, s: number) => {
    now = time
    late.note(s)
  }
  at(1_000, 10)
  at(1_050, 9)
  expect(late.all()).toEqual([])
  at(1_060, 20)
  at(1_110, 19)
  at(1_110, 8)
  expect(late.all()).toEqual([8])
  at(60_000, 18)
  at(60_010, 30)
  expect(late.all()).toEqual([8, 18])
  late.settle([8])
  expect(late.all()).toEqual([18])
})

test('the newest stay when too many events are late', () => {
  let now = 0
  const late = new LateEvents(() => now)
  late.note(1_000_000)
  now = 1_000
  for (let s = 1; s <= 5_001; s++) late.note(s)
  expect([late.all().length, late.all()[0]]).toEqual([5_000, 2])
})
