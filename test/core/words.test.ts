import { expect, test } from 'bun:test'
import { folded, sequenceOf, wordsOf, wordsOfName } from '../../src/core/words.ts'

/** Processor time to fold a text, milliseconds. */
function cost(text: string): number {
  const before = process.cpuUsage()
  folded(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

test('folding a text takes time in proportion to its length, with any marks in it', () => {
  // Alternating marks of two classes are sorted: 40,000 in a row took a second.
  expect(cost('\u0301\uff9e'.repeat(20_000))).toBeLessThan(200)
  // Folding removes tatweel, and so joins the marks that it separated.
  expect(cost(`\u0640${'\u0f72\u0f71'.repeat(15)}`.repeat(1_300))).toBeLessThan(200)
})

test('folding leaves out case, accents and widths, and keeps marks that make other words', () => {
  expect(folded('Ångström Straße İı ﬁn')).toBe('angstrom strasse ii fin')
  expect(folded('ｶﾞｷﾞ')).toBe('ガギ')
  expect(folded('เป็น')).toBe('เป็น')
})

/** True if every index term of a query is one of the content's. */
const finds = (query: string, content: string): boolean =>
  wordsOf(query).every((word) => wordsOf(content).includes(word))

test('Hangul is found inside words, by pairs of letters', () => {
  expect(wordsOf('한국어검색')).toEqual(['한국', '국어', '어검', '검색', '색'])
  const isFound = (query: string) => sequenceOf(query).words.every((word) => wordsOf('한국어검색엔진을').includes(word))
  expect(['검색', '엔진', '색검'].map(isFound)).toEqual([true, true, false])
})

test('letters and digits that Arabic and Persian keyboards exchange are one', () => {
  for (const [query, content] of [
    ['کتاب علی', 'كتاب علي'],
    ['المدرسه', 'المدرسة'],
    ['احمد', 'أحمد'],
    ['1234', '١٢٣٤'],
    ['5678', '۵۶۷۸'],
  ] as const)
    expect([query, finds(query, content)]).toEqual([query, true])
})

test('non-joiners, soft hyphens and zero-width spaces count as nothing', () => {
  expect(wordsOf('می\u200cخواهم')).toEqual(wordsOf('میخواهم'))
  expect(wordsOf('Donau\u00addampf\u200bschiff')).toEqual(['donaudampfschiff'])
})

test('letters with nukta are found with it in one code point or two, and without it', () => {
  expect(wordsOf('\u0958लम')).toEqual(wordsOf('क\u093cलम'))
  expect(wordsOf('क\u093cलम')).toEqual(wordsOf('कलम'))
})

test('a file name is found by the parts of its words', () => {
  expect(wordsOfName('QuarterlyReport2024.pdf')).toEqual(['quarterlyreport2024', 'pdf', 'quarterly', 'report', '2024'])
})
