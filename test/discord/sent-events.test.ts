import { expect, test } from 'bun:test'
import { SentEvents } from '../../src/discord/gateway/sent-events.ts'

test('a session remembers each event that it sent, in whatever order the events come', () => {
  const sent = new SentEvents([7, 3, 3], 2)
  expect([5, 9, 4, 9, 5, 3].map((id) => sent.add(id))).toEqual([true, true, true, false, false, false])
  expect(sent.ids).toEqual([3, 4, 5, 7, 9])
  expect([2, 3, 6, 7, 10].map((id) => sent.has(id))).toEqual([false, true, false, true, false])
  sent.delete(7)
  sent.delete(8)
  expect([sent.has(7), sent.add(7), sent.forgottenId]).toEqual([false, true, 2])
})

test('a session forgets the oldest events once it has sent thousands, and says from where it knows all', () => {
  const sent = new SentEvents([], 0)
  for (let id = 1; id <= 20_000; id++) sent.add(id)
  const { ids, forgottenId } = sent
  expect(ids.length).toBeGreaterThanOrEqual(5_000)
  expect(ids.length).toBeLessThanOrEqual(5_500)
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, at) => forgottenId + 1 + at))
  expect(ids.at(-1)).toBe(20_000)
})
