import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { changedSince, readChoice, speedOf, testsOf } from './choose.ts'
import { ImportGraph } from './import-graph.ts'

const clone = new ImportGraph(join(import.meta.dir, '../../..'))

/** Writes files into a folder of their own. @returns its path */
function folderOf(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'clone-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

test('what a test file imports decides on its speed', () => {
  const speeds = (...files: string[]) => files.map((file) => speedOf(file, clone))
  expect(speeds('test/features/friends/relation.test.ts', 'test/core/markup/markdown.test.ts')).toEqual([
    'unit',
    'unit',
  ])
  expect(speeds('test/gateway/presence.test.ts', 'test/backup/damage.test.ts')).toEqual(['api', 'api'])
  expect(speeds('test/browser/story.test.ts', 'test/web/client/package.test.ts')).toEqual(['browser', 'browser'])
})

test('a unit test starts nothing, nor does anything that it imports', () => {
  const graph = new ImportGraph(
    folderOf({
      'test/pure.test.ts':
        "import { one } from '../src/one.ts'\nimport type { Two } from '../src/two.ts'\nexport const x = one as Two",
      'src/one.ts': 'export const one = 1',
      'src/two.ts': "import postgres from 'postgres'\nexport type Two = number\nexport const sql = postgres()",
      'test/spawns.test.ts': "import { start } from './support/start.ts'\nstart()",
      'test/support/start.ts': "export const start = () => Bun.spawn(['true'])",
      'test/connects.test.ts': "import { sql } from '../src/two.ts'\nsql``",
      'test/later.test.ts': "const { sql } = await import('../src/two.ts')\nsql``",
      'test/browses.test.ts': "import { chromium } from 'playwright-core'\nchromium.launch()",
    }),
  )
  const tests = ['pure', 'spawns', 'connects', 'later', 'browses'].map((name) => `test/${name}.test.ts`)
  expect(tests.map((file) => speedOf(file, graph))).toEqual(['unit', 'api', 'api', 'api', 'browser'])
})

test('every test in a browser has the speed of browsers, and at least forty files start nothing', () => {
  const tests = clone.files.filter((file) => file.endsWith('.test.ts'))
  const unit = tests.filter((file) => speedOf(file, clone) === 'unit')
  expect(unit.length).toBeGreaterThanOrEqual(40)
  const inBrowsers = tests.filter((file) => file.startsWith('test/browser/'))
  expect(inBrowsers.filter((file) => speedOf(file, clone) !== 'browser')).toEqual([])
})

test('a change runs the tests that import the file, those of its feature, and the check of every file', () => {
  const relation = testsOf(['src/features/friends/relation.ts'], clone)
  expect(relation).toContain('test/features/friends/relation.test.ts')
  expect(relation).toContain('test/features/friends/friends.test.ts')
  expect(relation).toContain('test/tidy.test.ts')
  expect(relation).not.toContain('test/gateway/presence.test.ts')
  expect(testsOf(['src/web/state/timeline.ts'], clone)).toEqual(
    expect.arrayContaining(['test/web/state/timeline.test.ts', 'test/web/ui/settings-pages.test.ts']),
  )
  expect(testsOf(['sql/functions/messages/send_messages.sql'], clone)).toContain(
    'test/features/messages/messages.test.ts',
  )
  expect(testsOf(['locales/de/dialogs.json'], clone)).toContain('test/web/words/printed.test.ts')
})

test('a change of a file on a lower floor, or of the packages, runs every test that uses a server', () => {
  const usesServer = ['test/gateway/presence.test.ts', 'test/features/pins/pins.test.ts', 'test/browser/story.test.ts']
  expect(testsOf(['src/core/errors.ts'], clone)).toEqual(expect.arrayContaining(usesServer))
  expect(testsOf(['bun.lock'], clone)).toEqual(clone.files.filter((file) => file.endsWith('.test.ts')))
  expect(testsOf([], clone)).toEqual([])
})

test('a change of one feature runs at most a sixth of all tests', () => {
  const features = Map.groupBy(
    clone.files.filter((file) => file.startsWith('src/features/')),
    (file) => file.split('/')[2] ?? '',
  )
  expect(features.size).toBeGreaterThan(30)
  const all = clone.files.filter((file) => file.endsWith('.test.ts')).length
  const many = [...features].filter(([, files]) => testsOf(files, clone).length > all / 6).map(([name]) => name)
  expect(many).toEqual([])
})

test('what has changed counts from where the branch left its base, with files that nobody has committed', () => {
  const root = folderOf({ 'a.txt': 'a', 'b.txt': 'b' })
  const git = (...command: string[]) => {
    const identity = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.org']
    expect(Bun.spawnSync(['git', ...identity, ...command], { cwd: root }).exitCode).toBe(0)
  }
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('commit', '--quiet', '--message=Begin')
  git('checkout', '--quiet', '-b', 'work')
  writeFileSync(join(root, 'a.txt'), 'changed')
  git('commit', '--quiet', '--all', '--message=Change a')
  git('checkout', '--quiet', 'main')
  writeFileSync(join(root, 'b.txt'), 'changed on main')
  git('commit', '--quiet', '--all', '--message=Change b')
  git('checkout', '--quiet', 'work')
  writeFileSync(join(root, 'c d.txt'), 'new')
  expect(changedSince('main', root)).toEqual(['a.txt', 'c d.txt'])
  expect(() => changedSince('no-such-branch', root)).toThrow(/no-such-branch/)
})

test('the arguments of the runner are separated from those of bun test', () => {
  expect(readChoice([])).toEqual({ paths: [], flags: [] })
  expect(readChoice(['test/a', '-t', 'a title'])).toEqual({ paths: ['test/a'], flags: ['-t', 'a title'] })
  expect(readChoice(['--unit', 'test/a'])).toEqual({ paths: ['test/a'], flags: [], speed: 'unit' })
  expect(readChoice(['--changed'])).toEqual({ paths: [], flags: [], base: 'main' })
  expect(readChoice(['--changed', 'HEAD~2', '--api'])).toEqual({ paths: [], flags: [], base: 'HEAD~2', speed: 'api' })
  expect(readChoice(['--changed', '--bail'])).toEqual({ paths: [], flags: ['--bail'], base: 'main' })
})
