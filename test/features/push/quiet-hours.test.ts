import { expect, test } from 'bun:test'
import { isQuiet } from '../../../src/core/quiet-hours.ts'

const at = (time: string) => Date.parse(`2026-07-01T${time}:00Z`)

test('quiet hours are in the person’s time zone, and may pass midnight', () => {
  const berlin = { from: '22:00', until: '07:00', time_zone: 'Europe/Berlin' }
  const quiet = ['19:59', '20:00', '23:30', '04:59', '05:00'].map((time) => isQuiet(berlin, at(time)))
  expect(quiet).toEqual([false, true, true, true, false])
  const noon = { from: '12:00', until: '13:00', time_zone: 'UTC' }
  expect(['11:59', '12:00', '12:59', '13:00'].map((time) => isQuiet(noon, at(time)))).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(isQuiet({ ...noon, from: '12:00', until: '12:00' }, at('12:00'))).toBe(false)
  // A time zone that this version of the runtime lacks.
  expect(isQuiet({ ...noon, time_zone: 'Gone/Away' }, at('12:30'))).toBe(false)
  expect(isQuiet(null, at('12:30'))).toBe(false)
})
