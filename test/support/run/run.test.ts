import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SPAWN_MS } from '../spawned.ts'
import { inBatches, LONGEST } from './order.ts'
import { idleBetween, idleProcessor } from './processor.ts'
import { Runner } from './runner.ts'

const RUN = join(import.meta.dir, '../../run.ts')
const fixture = (name: string) => join('test/support/run/fixtures', name)

/** Runs the runner on fixtures, which no run of all tests finds. */
async function run(names: string[], variables: Record<string, string> = {}) {
  const { PARLEY_TEST_POSTGRES: _, ...environment } = process.env
  const child = Bun.spawn([process.execPath, RUN, ...names], {
    cwd: join(import.meta.dir, '../../..'),
    env: { ...environment, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { out, error, closing: out.trimEnd().split('\n').at(-1), code: await child.exited }
}

const flaky = (count: number) => ({
  FLAKY: `${count}`,
  FLAKY_NOTE: join(mkdtempSync(join(tmpdir(), 'flaky-')), 'note'),
})

test.concurrent(
  'a run in which everything passes ends with the counts, skipped tests among them, and its time',
  async () => {
    const { out, closing, code } = await run([fixture('passing.ts')])
    expect([closing, code]).toEqual(['4 passed, 0 failed, 1 skipped', 0])
    expect(out).toMatch(/\n1 file in \d+\.\d s\n/)
    expect(out.match(/^\d+ passed, \d+ failed/gm)).toHaveLength(1)
  },
  SPAWN_MS,
)

test.concurrent(
  'a test that fails twice fails the run, and is named with its file',
  async () => {
    const { error, closing, code } = await run([fixture('failing.ts')])
    expect([closing, code]).toEqual(['1 passed, 1 failed', 1])
    expect(error).toContain(`failed: ${fixture('failing.ts')} > a group > fails\n`)
    expect(error).not.toContain('flaky:')
  },
  SPAWN_MS,
)

test.concurrent(
  'a test that fails once and then passes counts as passed and is listed as flaky',
  async () => {
    const { error, closing, code } = await run([fixture('flaky.ts')], flaky(2))
    expect([closing, code]).toEqual(['3 passed, 0 failed', 0])
    const listed = [...error.matchAll(/^flaky: (.*)$/gm)].map(([, what]) => what)
    expect(listed).toEqual([0, 1].map((n) => `${fixture('flaky.ts')} > fails once ${n}`))
  },
  SPAWN_MS,
)

test.concurrent(
  'the end of a run says what a flaky test printed',
  async () => {
    const { error } = await run([fixture('passing.ts'), fixture('flaky.ts')], flaky(1))
    expect(error).toMatch(/^flaky: \S+ > fails once 0\n[^]*^error: expect\(received\)/m)
    const { error: late } = await run([fixture('passing.ts'), fixture('late.ts')], flaky(0))
    expect(late).toMatch(/^flaky: \S+ > takes too long once\n[^]*^ +\^ this test timed out after 100ms/m)
  },
  SPAWN_MS,
)

test.concurrent(
  'the end of a run says what failed outside of a test: the error, or the last lines of a process that was ended',
  async () => {
    const { error } = await run([fixture('passing.ts'), fixture('leaves-work.ts')], flaky(0))
    expect(error).toMatch(/^flaky: \S+ > \(outside a test\)\n[^]*^error: A request that nobody waited for$/m)
    const { error: twice } = await run([fixture('outside.ts'), fixture('crash.ts')])
    expect(twice).toMatch(/^failed: \S+outside\.ts > \(outside a test\)\n[^]*^error: This file does not load$/m)
    expect(twice).toMatch(/^failed: \S+crash\.ts > \(outside a test\)\n[^]*^\(pass\) passes\b/m)
  },
  SPAWN_MS,
)

test.concurrent(
  'three flaky tests fail the run',
  async () => {
    const { error, closing, code } = await run([fixture('flaky.ts')], flaky(3))
    expect([closing, code]).toEqual(['4 passed, 1 failed', 1])
    expect(error.match(/^flaky: /gm)).toHaveLength(3)
  },
  SPAWN_MS,
)

test.concurrent.each([['outside.ts'], ['crash.ts']])(
  'a file whose process fails outside a test fails the run: %s',
  async (name) => {
    const { error, closing, code } = await run([fixture(name)])
    expect([closing, code]).toEqual(['0 passed, 1 failed', 1])
    expect(error).toContain(`failed: ${fixture(name)} > (outside a test)\n`)
  },
  SPAWN_MS,
)

test.concurrent(
  'several files run side by side: what one said stands together, and all are counted',
  async () => {
    const { out, closing, code } = await run([fixture('passing.ts'), fixture('failing.ts'), fixture('crash.ts')])
    expect([closing, code]).toEqual(['5 passed, 2 failed, 1 skipped', 1])
    expect(out).toMatch(
      /passing\.ts \[\d+\.\d s, CPU \d+\.\d s\]\n\(pass\) one is one.*\n(\((pass|skip)\) a group > .*\n){4}\n/,
    )
    expect(out).toMatch(/crash\.ts \[\d+\.\d s, CPU \d+\.\d s, ended by SIGKILL\]\n/)
  },
  SPAWN_MS,
)

test.concurrent(
  'a run of no test fails',
  async () => {
    const { error, closing, code } = await run(['test/no-such-folder'])
    expect([closing, code]).toEqual(['0 passed, 1 failed', 1])
    expect(error).toContain('No test file has such a path.')
  },
  SPAWN_MS,
)

test.concurrent(
  'flags are handed on: of a file only the tests whose title matches run',
  async () => {
    const { closing, code } = await run([fixture('failing.ts'), '-t', 'passes'])
    expect([closing, code]).toEqual(['1 passed, 0 failed, 1 skipped', 0])
  },
  SPAWN_MS,
)

test.concurrent(
  'of files in one process, each report of a failure, a crash or a load error names its file',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'batch-'))
    const root = join(import.meta.dir, '../../..')
    const runner = new Runner({ root, directory, coverage: join(directory, 'coverage'), flags: [], live: false })
    const reportsOf = async (...names: string[]) => {
      const runs = await runner.runBatch(names.map(fixture), undefined)
      return runs.map(({ results }) => [...results].filter(([, state]) => state !== 'passed').map(([title]) => title))
    }
    expect(await reportsOf('passing.ts', 'failing.ts')).toEqual([['a group > left out'], ['a group > fails']])
    expect(readdirSync(directory).filter((name) => name.endsWith('.xml'))).toHaveLength(1)
    expect(await reportsOf('passing.ts', 'failing.ts', 'outside.ts')).toEqual([
      ['a group > left out'],
      ['a group > fails'],
      ['(outside a test)'],
    ])
    expect(await reportsOf('passing.ts', 'crash.ts')).toEqual([['a group > left out'], ['(outside a test)']])
  },
  SPAWN_MS,
)

test('short files share a process, and each other file has its own', () => {
  const short = Array.from({ length: 9 }, (_, n) => `test/features/a/${n}.test.ts`)
  const others = ['test/cli/a.test.ts', 'test/cli/b.test.ts', 'test/features/push/push-notices.test.ts']
  const alone = others.map((file) => [file])
  const browser = Array.from({ length: 4 }, (_, n) => `test/browser/${n}.test.ts`)
  const batches = [short.slice(0, 8), short.slice(8), browser.slice(0, 3), browser.slice(3)]
  expect(inBatches([...others, ...short, ...browser])).toEqual([...alone, ...batches])
})

test('every file that the order names is there', () => {
  const files = [...new Bun.Glob('test/**/*.test.ts').scanSync({ cwd: join(import.meta.dir, '../../..') })]
  expect(LONGEST.filter((start) => !files.some((file) => file.startsWith(start)))).toEqual([])
})

test('the room of the processor is the part of its time between two looks in which it did nothing', () => {
  expect(idleBetween({ idle: 100, all: 1000 }, { idle: 600, all: 2000 })).toBe(0.5)
  expect(idleBetween({ idle: 100, all: 1000 }, { idle: 100, all: 1000 })).toBe(0)
})

test('a caller that waits for room goes on at once when nothing is left to do', async () => {
  await Promise.all([idleProcessor(() => false), idleProcessor(() => false)])
})
