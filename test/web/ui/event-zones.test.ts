import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { repeatOf, ruleOf } from '../../../src/web/ui/calendar/rules.ts'
import { localIn, momentIn } from '../../../src/web/ui/calendar/zones.ts'

const ZONES = Intl.supportedValuesOf('timeZone')

test('in every zone a time of the form is the moment that Temporal gives, also at a change of the clocks', () => {
  const scene = fc.record({
    zone: fc.constantFrom(...ZONES),
    at: fc.integer({ min: Date.parse('2020-01-01T00:00Z') / 60_000, max: Date.parse('2040-01-01T00:00Z') / 60_000 }),
  })
  fc.assert(
    fc.property(scene, ({ zone, at }) => {
      const local = localIn(at * 60_000, zone)
      const there = Temporal.Instant.fromEpochMilliseconds(at * 60_000).toZonedDateTimeISO(zone)
      expect(local).toBe(there.toPlainDateTime().toString({ smallestUnit: 'minute' }))
      const { epochMilliseconds } = Temporal.PlainDateTime.from(local).toZonedDateTime(zone)
      expect([zone, local, momentIn(local, zone)]).toEqual([zone, local, epochMilliseconds])
    }),
    { numRuns: 1_000 },
  )
  // Skipped, and shown twice.
  expect(new Date(momentIn('2027-03-28T02:30', 'Europe/Berlin')).toISOString()).toBe('2027-03-28T01:30:00.000Z')
  expect(new Date(momentIn('2027-10-31T02:30', 'Europe/Berlin')).toISOString()).toBe('2027-10-31T00:30:00.000Z')
})

test('a rule of the form is read back as its choice, and another rule is kept', () => {
  for (const start of ['2027-01-31T18:00', '2027-02-03T00:00', '2028-02-29T23:59'])
    for (const repeat of ['daily', 'weekly', 'fortnightly', 'monthlyByDay', 'monthlyByWeekday'] as const)
      expect(repeatOf(ruleOf(repeat, start, 7), start)).toEqual({ repeat, count: 7 })
  expect(ruleOf('monthlyByWeekday', '2027-01-31T18:00', 3)).toBe('FREQ=MONTHLY;BYDAY=-1SU;COUNT=3')
  expect(repeatOf(null, '2027-01-31T18:00').repeat).toBe('none')
  expect(repeatOf('FREQ=WEEKLY;BYDAY=MO,TU;COUNT=3', '2027-02-01T18:00')).toEqual({ repeat: 'kept', count: 3 })
})
