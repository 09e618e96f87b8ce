import { expect, test } from 'bun:test'
import { completions, parsed } from '../../../src/web/state/search-query.ts'
import { marked } from '../../../src/web/state/search-marks.ts'

const known = {
  people: [
    { id: 1, name: 'Alice Winter' },
    { id: 2, name: 'Bób' },
    { id: 3, name: 'Sam' },
    { id: 4, name: 'Sam' },
  ],
  channels: [{ id: 7, name: 'general' }],
  today: '2026-05-05',
}

test('filters are taken out of the words, by name without case and accents, or by id', () => {
  expect(parsed('tea from:bob has:image in:#General before:2026-01-01 "at four"', known)).toEqual({
    query: { q: 'tea "at four"', from: 2, has: 'image', channel_id: 7, before: '2026-01-01' },
  })
  expect(parsed('from:"alice winter" mentions:4 pinned:TRUE after:today', known)).toEqual({
    query: { q: '', from: 1, mentions: 4, pinned: 'true', after: '2026-05-05' },
  })
  expect(parsed('https://example.org re:zero from:', known)).toEqual({ query: { q: 'https://example.org re:zero' } })
})

test('a value that means nothing is named', () => {
  expect(parsed('from:zoe', known)).toEqual({ filter: 'from', value: 'zoe' })
  expect(parsed('before:2026-13-45', known)).toEqual({ filter: 'before', value: '2026-13-45' })
  expect(parsed('has:everything', known)).toEqual({ filter: 'has', value: 'everything' })
})

test('filters and their values complete what is typed; names that two people have by their id', () => {
  const texts = (before: string) => completions(before, known, 8).map(({ text }) => text)
  expect(texts('tea fr')).toEqual(['from:'])
  expect(texts('tea from:al')).toEqual(['from:"Alice Winter"'])
  expect(texts('from:"alice w')).toEqual(['from:"Alice Winter"'])
  expect(texts('from:sam')).toEqual(['from:3', 'from:4'])
  expect(texts('in:')).toEqual(['in:general'])
  expect(texts('has:im')).toEqual(['has:image'])
  expect(texts('tea')).toEqual([])
})

test('what was found is marked as the server finds it', () => {
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
