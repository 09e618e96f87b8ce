import { expect, test } from 'bun:test'
import { completions, localDay, parsed } from '../../../src/web/state/search-query.ts'
import { marked } from '../../../src/web/state/search-marks.ts'

const known = {
  people: [
    { id: 1, name: 'Alice Winter' },
    { id: 2, name: 'Bób' },
    { id: 3, name: 'Sam' },
    { id: 4, name: 'Sam' },
  ],
  channels: [{ id: 7, name: 'general' }],
  me: 1,
  today: '2026-05-05',
}

/** The start of a day in the time zone of the test. */
const midnight = (year: number, month: number, day: number) => new Date(year, month - 1, day).toISOString()

test('filters are taken out of the words, by name without case and accents, or by id', () => {
  expect(parsed('tea from:bob has:image in:#General before:2026-01-01 "at four"', known)).toEqual({
    query: { q: 'tea "at four"', from: 2, has: 'image', channel_id: 7, before: midnight(2026, 1, 1) },
  })
  expect(parsed('from:"alice winter" mentions:4 pinned:TRUE after:today', known)).toEqual({
    query: { q: '', from: 1, mentions: 4, pinned: 'true', after: midnight(2026, 5, 5) },
  })
  expect(parsed('https://example.org re:zero from:', known)).toEqual({ query: { q: 'https://example.org re:zero' } })
})

test('a day is a day in the browser’s time zone, today too', () => {
  const zone = process.env['TZ']
  try {
    for (const [name, moment] of [
      ['Pacific/Auckland', '2026-05-04T12:00:00.000Z'],
      ['America/Los_Angeles', '2026-05-05T07:00:00.000Z'],
    ] as const) {
      process.env['TZ'] = name
      const after = moment
      expect(parsed('after:2026-05-05', known)).toEqual({ query: { q: '', after } })
      expect(parsed('after:today', { ...known, today: localDay(new Date(moment)) })).toEqual({
        query: { q: '', after },
      })
    }
  } finally {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  }
})

test('me is the account that searches, unless somebody has that name', () => {
  expect(parsed('mentions:me', known)).toEqual({ query: { q: '', mentions: 1 } })
  const people = [...known.people, { id: 9, name: 'Me' }]
  expect(parsed('from:me', { ...known, people })).toEqual({ query: { q: '', from: 9 } })
  expect(parsed('in:me', known)).toEqual({ filter: 'in', value: 'me' })
})

test('two filters of one kind are reported, and none is dropped silently', () => {
  expect(parsed('has:image has:link', known)).toEqual({ twice: 'has' })
  expect(parsed('from:bob lapwing From:sam', known)).toEqual({ twice: 'from' })
  expect(parsed('from: from:bob', known)).toEqual({ query: { q: '', from: 2 } })
})

test('a value that means nothing is named', () => {
  expect(parsed('from:zoe', known)).toEqual({ filter: 'from', value: 'zoe' })
  for (const value of ['2026-13-45', '2026-02-30', '2026-5-5'])
    expect(parsed(`before:${value}`, known)).toEqual({ filter: 'before', value })
  expect(parsed('has:everything', known)).toEqual({ filter: 'has', value: 'everything' })
})

test('filters and their values complete the query; equal names of two people complete to their ids', () => {
  const texts = (before: string) => completions(before, known, 8).map(({ text }) => text)
  expect(texts('tea fr')).toEqual(['from:'])
  expect(texts('tea from:al')).toEqual(['from:"Alice Winter"'])
  expect(texts('from:"alice w')).toEqual(['from:"Alice Winter"'])
  expect(texts('from:sam')).toEqual(['from:3', 'from:4'])
  expect(texts('in:')).toEqual(['in:general'])
  expect(texts('has:im')).toEqual(['has:image'])
  expect(texts('has:image')).toEqual([])
  expect(texts('tea')).toEqual([])
})

test('search results are highlighted by the server’s rules', () => {
  const hits = (text: string, q: string) => marked(text, q).flatMap((part) => (part.isHit ? [part.text] : []))
  expect(hits('A Kingfisher, two kingfishers and a Königsfischer', 'kingf')).toEqual(['Kingfisher', 'kingfishers'])
  expect(hits('Die STRASSE über', 'straße uber -die')).toEqual(['STRASSE', 'über'])
  expect(hits('明日は東京で鳥を見ます、東京', '東京')).toEqual(['東京', '東京'])
  expect(
    marked('a < b & c', 'x')
      .map(({ text }) => text)
      .join(''),
  ).toBe('a < b & c')
})
