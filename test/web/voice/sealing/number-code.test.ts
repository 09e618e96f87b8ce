import { expect, test } from 'bun:test'
import { codeText, compareCode } from '../../../../src/web/voice/number-code.ts'

const GROUPS = ['12345', '67890', '00000', '11111', '22222', '33333']
const OTHERS = ['12345', '67890', '00000', '11111', '22222', '33334']

test('a scanned code says the same on both sides, and another number of the same people is noticed', () => {
  const own = codeText(7, 12, GROUPS)
  expect(codeText(12, 7, GROUPS)).toBe(own)
  expect(compareCode(own, codeText(12, 7, GROUPS))).toBe('same')
  expect(compareCode(own, codeText(12, 7, OTHERS))).toBe('differs')
})

test('a code of other people, and any other text, is not taken for a number', () => {
  const own = codeText(7, 12, GROUPS)
  for (const text of [
    codeText(7, 13, GROUPS),
    codeText(6, 12, GROUPS),
    '',
    'https://example.org',
    GROUPS.join(''),
    `${own} `,
    `${own}\n`,
    `x${own}`,
    own.replace('7', '07'),
    own.slice(0, -1),
    own.toUpperCase(),
    'parley-devices:1:1:٠'.padEnd(60, '٠'),
  ])
    expect([text, compareCode(own, text)]).toEqual([text, 'foreign'])
})
