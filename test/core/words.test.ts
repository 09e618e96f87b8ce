import { expect, test } from 'bun:test'
import { folded } from '../../src/core/words.ts'

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
