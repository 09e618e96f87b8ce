import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { datesOf, parseRule } from '../../../src/features/calendar/recurrence.ts'

const DAY_MS = 86_400_000
const dates = (start: string, zone: string, rule: string) =>
  datesOf(Date.parse(start), zone, parseRule(rule)!)?.map((at) => new Date(at).toISOString())

test('only our part of RFC 5545 is parsed', () => {
  for (const rule of [
    'FREQ=DAILY;COUNT=3',
    'FREQ=DAILY;INTERVAL=2;UNTIL=20280229T120000Z',
    'FREQ=WEEKLY;COUNT=366',
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;COUNT=1',
    'FREQ=MONTHLY;BYMONTHDAY=31;COUNT=4',
    'FREQ=MONTHLY;BYDAY=-1FR;COUNT=4',
    'COUNT=4;FREQ=MONTHLY',
  ])
    expect(parseRule(rule)).toBeDefined()
  for (const rule of [
    '',
    'FREQ=DAILY',
    'FREQ=DAILY;COUNT=3;UNTIL=20280229T120000Z',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;COUNT=367',
    'FREQ=DAILY;COUNT=3;COUNT=4',
    'FREQ=DAILY;BYDAY=MO;COUNT=3',
    'FREQ=DAILY;INTERVAL=0;COUNT=3',
    'FREQ=DAILY;INTERVAL=100;COUNT=3',
    'FREQ=DAILY;UNTIL=20270229T120000Z',
    'FREQ=DAILY;UNTIL=20270228',
    'FREQ=WEEKLY;BYDAY=MO,MO;COUNT=3',
    'FREQ=WEEKLY;BYDAY=1MO;COUNT=3',
    'FREQ=MONTHLY;BYDAY=5MO;COUNT=3',
    'FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=1;COUNT=3',
    'FREQ=MONTHLY;BYMONTHDAY=32;COUNT=3',
    'FREQ=SECONDLY;COUNT=3',
    'FREQ=YEARLY;COUNT=3',
    'FREQ=DAILY;BYSETPOS=1;COUNT=3',
    'FREQ=DAILY;__proto__=1;COUNT=3',
    'FREQ=constructor;COUNT=3',
    'FREQ=DAILY;COUNT=3\r\nX-EVIL:1',
  ])
    expect([rule, parseRule(rule)]).toEqual([rule, undefined])
})

test('dates follow the rule, and the clocks of the zone through daylight saving', () => {
  expect(dates('2027-03-25T18:00:00Z', 'Europe/Berlin', 'FREQ=WEEKLY;COUNT=2')).toEqual([
    '2027-03-25T18:00:00.000Z',
    '2027-04-01T17:00:00.000Z',
  ])
  expect(dates('2027-01-31T12:00:00Z', 'UTC', 'FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3')).toEqual([
    '2027-01-31T12:00:00.000Z',
    '2027-03-31T12:00:00.000Z',
    '2027-05-31T12:00:00.000Z',
  ])
  expect(dates('2027-01-29T12:00:00Z', 'UTC', 'FREQ=MONTHLY;BYDAY=-1FR;COUNT=3')).toEqual([
    '2027-01-29T12:00:00.000Z',
    '2027-02-26T12:00:00.000Z',
    '2027-03-26T12:00:00.000Z',
  ])
  // A clock that skips 02:30 shows 03:30 then, and one that shows 02:30 twice means the first.
  expect(dates('2027-03-27T01:30:00Z', 'Europe/Berlin', 'FREQ=DAILY;COUNT=3')).toEqual([
    '2027-03-27T01:30:00.000Z',
    '2027-03-28T01:30:00.000Z',
    '2027-03-29T00:30:00.000Z',
  ])
  expect(dates('2027-10-30T00:30:00Z', 'Europe/Berlin', 'FREQ=DAILY;COUNT=3')).toEqual([
    '2027-10-30T00:30:00.000Z',
    '2027-10-31T00:30:00.000Z',
    '2027-11-01T01:30:00.000Z',
  ])
  expect(dates('2027-01-04T12:00:00Z', 'UTC', 'FREQ=DAILY;UNTIL=20270106T120000Z')).toHaveLength(3)
  // Too many, too far, or beginning on a day without a date.
  expect(dates('2027-01-04T12:00:00Z', 'UTC', 'FREQ=DAILY;UNTIL=20290101T000000Z')).toBeUndefined()
  expect(dates('2027-01-04T12:00:00Z', 'UTC', 'FREQ=MONTHLY;COUNT=26')).toBeUndefined()
  expect(dates('2027-01-04T12:00:00Z', 'UTC', 'FREQ=WEEKLY;BYDAY=TU;COUNT=3')).toBeUndefined()
  // Rules for days that no such month has, which the library would seek forever.
  for (const rule of ['FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=30;COUNT=3', 'FREQ=MONTHLY;INTERVAL=12;BYDAY=2SU;COUNT=1'])
    expect(dates('2027-02-15T12:00:00Z', 'UTC', rule)).toBeUndefined()
  expect(dates('2028-02-29T12:00:00Z', 'UTC', 'FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=29;COUNT=2')).toBeUndefined()
  expect(dates('2028-02-29T12:00:00Z', 'UTC', 'FREQ=MONTHLY;INTERVAL=99;BYMONTHDAY=29;COUNT=1')).toHaveLength(1)
})

test('in every zone from 2020 to 2040 each date is at the same time on the clocks, or at the edge of a change', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const scene = fc.record({
    zone: fc.constantFrom(...zones),
    start: fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2040-01-01') }),
    frequency: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY'),
    interval: fc.integer({ min: 1, max: 3 }),
    count: fc.integer({ min: 2, max: 60 }),
  })
  const clockOf = (at: number, zone: string) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    }).format(at)
  fc.assert(
    fc.property(scene, ({ zone, start, frequency, interval, count }) => {
      const moments = datesOf(start, zone, parseRule(`FREQ=${frequency};INTERVAL=${interval};COUNT=${count}`)!)
      if (!moments) return
      expect(moments[0]).toBe(start)
      expect(moments.length).toBe(count)
      for (const [n, at] of moments.entries()) {
        if (n > 0) expect(at).toBeGreaterThan(moments[n - 1] ?? 0)
        if (clockOf(at, zone) === clockOf(start, zone)) continue
        // A clock that skips the time: an hour later, or what its zone skips, on the day of the change.
        const day = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
        expect(day.hoursInDay).not.toBe(24)
        expect(Math.abs(day.offsetNanoseconds / 1e6)).toBeLessThan(DAY_MS)
      }
    }),
    { numRuns: 400 },
  )
  // Every zone is met at least once, over both changes of a year.
  for (const zone of zones) {
    const start = Date.parse('2031-01-15T18:20:00Z')
    const moments = datesOf(start, zone, parseRule('FREQ=WEEKLY;COUNT=52')!) ?? []
    expect([zone, new Set(moments.map((at) => clockOf(at, zone))).size]).toEqual([zone, 1])
  }
})
