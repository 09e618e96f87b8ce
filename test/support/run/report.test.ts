import { expect, test } from 'bun:test'
import { failureOf, merge, OUTSIDE_A_TEST } from './report.ts'

const LINE = '-------------------------------'
const failed = (...lines: string[]) => ['# Unhandled error between tests', LINE, ...lines, LINE, ''].join('\n')

test('of a failure outside of a test, every error between tests is named, and nothing else', () => {
  const output = ['(pass) one', failed('3 | work()', '    ^', 'error: first'), '(pass) two', failed('error: second')]
  expect(failureOf(output.join('\n'), OUTSIDE_A_TEST)).toBe('3 | work()\n    ^\nerror: first\nerror: second')
})

test('what is named of a failure outside of a test is bounded, in lines and in their lengths', () => {
  const long = Array.from({ length: 400 }, (_, n) => `${n} ${'x'.repeat(1_000)}`)
  for (const output of [long.join('\n'), Array.from({ length: 9 }, () => failed(...long)).join('\n')]) {
    const lines = failureOf(output, OUTSIDE_A_TEST).split('\n')
    expect(lines.length).toBeLessThanOrEqual(50)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(300)
  }
})

test('of a process that ended without an error, the last forty lines are named, and of no output nothing', () => {
  const output = Array.from({ length: 60 }, (_, n) => `line ${n}`).join('\n')
  const lines = failureOf(`${output}\n\n\n`, OUTSIDE_A_TEST).split('\n')
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([40, 'line 20', 'line 59'])
  expect(failureOf('', OUTSIDE_A_TEST)).toBe('')
  // The output of a process that was ended while it printed.
  expect(failureOf(`# Unhandled error between tests\n${LINE}\nerror: cut`, OUTSIDE_A_TEST)).toBe('error: cut')
})

test('a failure in a test is named by its error, and other tests’ errors are not', () => {
  const output = [
    'error: other',
    '(fail) other [1 ms]',
    'noise',
    '1 | code',
    '    ^',
    'error: own',
    '(fail) a > own [2 ms]',
  ]
  expect(failureOf(output.join('\n'), 'a > own')).toBe('1 | code\n    ^\nerror: own')
  expect(failureOf(output.join('\n'), 'never ran')).toBe('')
})

test('a failure outside of a test that does not come again is flaky, and one that does is a failure', () => {
  const [first, calm] = [new Map([[OUTSIDE_A_TEST, 'failed' as const]]), new Map([['passes', 'passed' as const]])]
  expect(merge(first, calm)).toEqual({ results: calm, flaky: [OUTSIDE_A_TEST] })
  expect(merge(first, first)).toEqual({ results: first, flaky: [] })
})
