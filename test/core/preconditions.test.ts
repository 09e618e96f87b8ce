import { expect, test } from 'bun:test'
import { isRangeWanted, judgePreconditions, type Verdict } from '../../src/core/preconditions.ts'

const etag = '"a"'
const modified = new Date('2026-11-29T10:00:00.400Z')
const [BEFORE, AT, AFTER] = ['09:59:59', '10:00:00', '10:00:01'].map((time) => `Sun, 29 Nov 2026 ${time} GMT`) as [
  string,
  string,
  string,
]

test('the conditions of a request are judged in the order of RFC 9110, for reads and writes', () => {
  const cases: [conditions: Record<string, string>, read: Verdict, write: Verdict][] = [
    [{}, 'met', 'met'],
    [{ 'if-match': '"b", "a"' }, 'met', 'met'],
    [{ 'if-match': '*' }, 'met', 'met'],
    [{ 'if-match': '"b"' }, 'failed', 'failed'],
    [{ 'if-match': 'W/"a"' }, 'failed', 'failed'],
    [{ 'if-none-match': '"a"' }, 'not modified', 'failed'],
    [{ 'if-none-match': 'W/"a"' }, 'not modified', 'failed'],
    [{ 'if-none-match': '"b"' }, 'met', 'met'],
    [{ 'if-unmodified-since': AT }, 'met', 'met'],
    [{ 'if-unmodified-since': BEFORE }, 'failed', 'failed'],
    [{ 'if-match': '"a"', 'if-unmodified-since': BEFORE }, 'met', 'met'],
    [{ 'if-modified-since': AT }, 'not modified', 'met'],
    [{ 'if-modified-since': BEFORE }, 'met', 'met'],
    [{ 'if-none-match': '"b"', 'if-modified-since': AFTER }, 'met', 'met'],
    [{ 'if-unmodified-since': 'yesterday' }, 'met', 'met'],
  ]
  for (const [conditions, ...verdicts] of cases) {
    const judged = [true, false].map((isRead) =>
      judgePreconditions(new Headers(conditions), isRead, { etag, modified }),
    )
    expect([conditions, judged]).toEqual([conditions, verdicts])
  }
})

test('a range counts only if what it continues is unchanged', () => {
  for (const [condition, isWanted] of [
    ['"a"', true],
    ['W/"a"', false],
    ['"b"', false],
    [AT, true],
    [BEFORE, false],
  ] as const)
    expect([condition, isRangeWanted(new Headers({ 'if-range': condition }), { etag, modified })]).toEqual([
      condition,
      isWanted,
    ])
  expect(isRangeWanted(new Headers(), { etag, modified })).toBe(true)
})
