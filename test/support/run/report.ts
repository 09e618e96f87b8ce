import { existsSync, readFileSync } from 'node:fs'

export type State = 'passed' | 'failed' | 'skipped'

/** By title, with the titles of its groups before it. */
export type Results = Map<string, State>

/** A failure that belongs to no test: the file does not load, or its process ended early. */
export const OUTSIDE_A_TEST = '(outside a test)'

/**
 * Results of a file's tests.
 * @param report of `bun test --reporter=junit`; absent when its process crashed
 * @param code exit code of `bun test`
 * @param file the file of several that it concerns
 */
export function readReport(report: string, code: number, file?: string): Results {
  const results: Results = new Map()
  const xml = existsSync(report) ? readFileSync(report, 'utf8') : ''
  for (const [, attributes = '', body = ''] of xml.matchAll(/<testcase ([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs)) {
    if (file !== undefined && attribute(attributes, 'file') !== file) continue
    const [name, groups] = [attribute(attributes, 'name'), attribute(attributes, 'classname')]
    // JUnit's class name holds the inner group first.
    const title = [...groups.split(' > ').toReversed(), name].filter(Boolean).join(' > ') || '(a hook)'
    const state = body.includes('<failure') ? 'failed' : body.includes('<skipped') ? 'skipped' : 'passed'
    results.set(unused(results, title), state)
  }
  const states = new Set(results.values())
  // With a pattern that no title of the file matches, bun test skips all and fails.
  const isUnmatched = states.size === 1 && states.has('skipped')
  if (code !== 0 && !states.has('failed') && !isUnmatched) results.set(OUTSIDE_A_TEST, 'failed')
  return results
}

/** Several tests of a file may have one title. */
function unused(results: Results, title: string): string {
  for (let n = 1; ; n++) {
    const key = n === 1 ? title : `${title} (${n})`
    if (!results.has(key)) return key
  }
}

const ENTITIES: Record<string, string> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }

function attribute(attributes: string, name: string): string {
  const value = new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
  return value.replaceAll(/&(quot|apos|lt|gt|amp);/g, (_, entity: string) => ENTITIES[entity] ?? '')
}

/**
 * Merges the results of a file that ran twice because a test failed. A test that failed once and passed once is flaky.
 * @returns the results, in which flaky tests have passed, and the titles of those
 */
export function merge(first: Results, second: Results): { results: Results; flaky: string[] } {
  const results: Results = new Map()
  const flaky: string[] = []
  for (const title of new Set([...first.keys(), ...second.keys()])) {
    const states = [first.get(title), second.get(title)]
    const hasPassed = states.includes('passed')
    const hasFailed = states.includes('failed')
    // Files without tests do not appear among the passed ones.
    const isOutside = title === OUTSIDE_A_TEST && states[1] === undefined
    if (hasFailed && (hasPassed || isOutside)) flaky.push(title)
    if (!isOutside) results.set(title, hasPassed ? 'passed' : hasFailed ? 'failed' : 'skipped')
  }
  return { results, flaky }
}

const FAILURE_LINES_MAX = 25
const FAILURE_LINE_MAX = 300
/** Lines of the end of an output that names no error. */
const LAST_LINES = 40

/**
 * The part of the output that is about a failure, so that the end of a long run says why a test was flaky.
 * @param title as in Results, with the titles of its groups
 */
export const failureOf = (output: string, title: string): string =>
  (title === OUTSIDE_A_TEST ? failureOutside(output.split('\n')) : failureIn(output.split('\n'), title))
    .map((line) => line.slice(0, FAILURE_LINE_MAX))
    .join('\n')
    .trim()

function failureIn(lines: string[], title: string): string[] {
  const isEnd = (line: string) => /^\((?:pass|fail|skip)\) /.test(line)
  const end = lines.findIndex((line) => line.startsWith(`(fail) ${title}`))
  const before = lines.slice(0, Math.max(end, 0))
  const printed = before.slice(before.findLastIndex(isEnd) + 1)
  // The code around the error comes first; a long output of the test itself before that.
  const error = printed.findIndex((line) => /^\w*(?:[Ee]rror|Exception): /.test(line))
  // That a test took too long stands below its title.
  const [timeout = ''] = lines.slice(end + 1)
  return [...printed.slice(Math.max(0, error - 2)).slice(0, FAILURE_LINES_MAX), /^ +\^ /.test(timeout) ? timeout : '']
}

/** What bun test says of errors between tests; of a process that ended without a word, its last lines. */
function failureOutside(lines: string[]): string[] {
  const errors: string[] = []
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('# Unhandled error')) continue
    const rest = lines.slice(at + 2)
    const length = rest.findIndex((each) => /^-{9,}$/.test(each))
    errors.push(...rest.slice(0, length < 0 ? undefined : length).slice(0, FAILURE_LINES_MAX))
  }
  return errors.length > 0
    ? errors.slice(0, 2 * FAILURE_LINES_MAX)
    : lines.join('\n').trimEnd().split('\n').slice(-LAST_LINES)
}
