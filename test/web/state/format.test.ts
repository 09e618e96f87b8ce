import { expect, test } from 'bun:test'
import { briefOf, clockOf, dateOf } from '../../../src/web/state/format.ts'

test('a moment of today shows its time, any other its date', () => {
  const now = new Date().toISOString()
  const before = new Date(Date.now() - 25 * 3_600_000).toISOString()
  expect([briefOf(now), briefOf(before)]).toEqual([clockOf(now), dateOf(before)])
})
