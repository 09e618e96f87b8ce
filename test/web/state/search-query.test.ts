import { expect, test } from 'bun:test'
import { completions, localDay, parseQuery } from '../../../src/web/state/search-query.ts'
import { markHits } from '../../../src/web/state/search-marks.ts'

const vocabulary = {
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
  expect(parseQuery('tea from:bob has:image in:#General before:2026-01-01 "at four"', vocabulary)).toEqual({
    query: { q: 'tea "at four"', from: 2, has: 'image', channel_id: 7, before: midnight(2026, 1, 1) },
  })
  expect(parseQuery('from:"alice winter" mentions:4 pinned:TRUE after:today', vocabulary)).toEqual({
    query: { q: '', from: 1, mentions: 4, pinned: 'true', after: midnight(2026, 5, 5) },
  })
  expect(parseQuery('https://example.org re:zero from:', vocabulary)).toEqual({
    query: { q: 'https://example.org re:zero' },
  })
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
      expect(parseQuery('after:2026-05-05', vocabulary)).toEqual({ query: { q: '', after } })
      expect(parseQuery('after:today', { ...vocabulary, today: localDay(new Date(moment)) })).toEqual({
        query: { q: '', after },
      })
    }
  } finally {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  }
})

test('me is the account that searches, unless somebody has that name', () => {
  expect(parseQuery('mentions:me', vocabulary)).toEqual({ query: { q: '', mentions: 1 } })
  const people = [...vocabulary.people, { id: 9, name: 'Me' }]
  expect(parseQuery('from:me', { ...vocabulary, people })).toEqual({ query: { q: '', from: 9 } })
  expect(parseQuery('in:me', vocabulary)).toEqual({ filter: 'in', value: 'me' })
})

test('two filters of one kind are reported, and none is dropped silently', () => {
  expect(parseQuery('has:image has:link', vocabulary)).toEqual({ twice: 'has' })
  expect(parseQuery('from:bob lapwing From:sam', vocabulary)).toEqual({ twice: 'from' })
  expect(parseQuery('from: from:bob', vocabulary)).toEqual({ query: { q: '', from: 2 } })
})

test('a value that means nothing is named', () => {
  expect(parseQuery('from:zoe', vocabulary)).toEqual({ filter: 'from', value: 'zoe' })
  for (const value of ['2026-13-45', '2026-02-30', '2026-5-5'])
    expect(parseQuery(`before:${value}`, vocabulary)).toEqual({ filter: 'before', value })
  expect(parseQuery('has:everything', vocabulary)).toEqual({ filter: 'has', value: 'everything' })
})

test('filters and their values complete the query; equal names of two people complete to their ids', () => {
  const texts = (before: string) => completions(before, vocabulary, 8).map(({ text }) => text)
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
  const hits = (text: string, q: string) => markHits(text, q).flatMap((part) => (part.isHit ? [part.text] : []))
  expect(hits('A Kingfisher, two kingfishers and a Königsfischer', 'kingf')).toEqual(['Kingfisher', 'kingfishers'])
  expect(hits('Die STRASSE über', 'straße uber -die')).toEqual(['STRASSE', 'über'])
  expect(hits('明日は東京で鳥を見ます、東京', '東京')).toEqual(['東京', '東京'])
  expect(
    markHits('a < b & c', 'x')
      .map(({ text }) => text)
      .join(''),
  ).toBe('a < b & c')
})
