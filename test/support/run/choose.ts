import { basename } from 'node:path'
import { ImportGraph } from './import-graph.ts'

/** Test files by what they start: nothing; servers and other programs; browsers too. */
export type Speed = 'unit' | 'api' | 'browser'

/** Starts a process or a thread, listens, or connects. */
const STARTS = new RegExp(
  [
    String.raw`\bBun\.(spawn|spawnSync|serve|listen|connect|udpSocket)\b`,
    String.raw`\bnew Worker\(`,
    String.raw`\bcreate(Server|Connection|Socket)\(`,
    "'node:(child_process|worker_threads|dgram|http|https|tls)'",
  ].join('|'),
)
const CONNECTING_PACKAGES = ['postgres', 'ioredis', 'mediasoup']
const BROWSER_PACKAGES = ['playwright-core']

/**
 * Sorts a test file by everything that it imports. A file whose imports could start something counts as if it did, so
 * that `unit` starts nothing for certain.
 */
export function speedOf(file: string, graph: ImportGraph): Speed {
  const closure = [...graph.closure(file)]
  const imports = (packages: string[]) =>
    closure.some((each) => graph.of(each).packages.some((name) => packages.includes(name)))
  if (imports(BROWSER_PACKAGES)) return 'browser'
  return imports(CONNECTING_PACKAGES) || closure.some((each) => STARTS.test(graph.text(each))) ? 'api' : 'unit'
}

/** These import every feature, to put the server together or to describe it. */
const COMPOSITION = /^src\/(parley|main|commands|api\/(app|asyncapi))\.ts$/
/** Support that more of the test files use, as a fraction, does not tell what they test. */
const COMMON_SUPPORT_MIN = 0.2
/** The upper floors of src. What lies below them serves every feature. */
const UPPER_FLOORS = /^src\/(features|turn|voice|gateway|api|web|cli)\//
/** A change of these may change any test. */
const CHANGES_ALL = /^(package\.json|bun\.lock|bunfig\.toml|patches\/.*|test\/setup\.ts)$/
/** These check every file, and take little time. */
const CHECKS_ALL = /^test\/tidy[\w-]*\.test\.ts$/

/**
 * The test files to run after a change: those that import a changed file, transitively (of the upper floors, not
 * through the composition or common support); those in the folder of test/ that mirrors its folder, or its feature's;
 * and for a file that is no program, those that name it.
 */
export function testsOf(changed: string[], graph: ImportGraph): string[] {
  const tests = graph.files.filter((file) => file.endsWith('.test.ts'))
  if (changed.some((file) => CHANGES_ALL.test(file))) return tests
  const programs = changed.filter((file) => graph.files.includes(file))
  const isUpper = (file: string) => UPPER_FLOORS.test(file)
  const isCommon = (file: string) => {
    if (!file.startsWith('test/support/')) return COMPOSITION.test(file)
    const users = graph.importers([file], () => false)
    return tests.filter((test) => users.has(test)).length > COMMON_SUPPORT_MIN * tests.length
  }
  const chosen = graph.importers(programs.filter(isUpper), isCommon).union(
    graph.importers(
      programs.filter((file) => !isUpper(file)),
      () => false,
    ),
  )
  const folders = changed.flatMap((file) => foldersOf(file, tests))
  const names = changed.filter((file) => !/^sql\/|\.tsx?$/.test(file)).map((file) => basename(file))
  return tests.filter(
    (file) =>
      (changed.length > 0 && CHECKS_ALL.test(file)) ||
      chosen.has(file) ||
      folders.some((folder) => file.startsWith(folder)) ||
      names.some((name) => graph.text(file).includes(name)),
  )
}

/** The beginnings of paths of the tests that belong to a file's folder. */
function foldersOf(file: string, tests: string[]): string[] {
  const [top, ...rest] = file.split('/')
  if (top === 'sql')
    return ['test/database/', ...(rest[0] === 'functions' ? mirrors(['features', rest[1] ?? ''], tests) : [])]
  if (top === 'locales') return ['test/web/words/']
  if (top !== 'src') return []
  const folders = rest.slice(0, -1)
  const [, area = ''] = folders[0] === 'features' ? folders : folders.slice(1)
  const hasScreens = area && (folders[0] === 'features' || folders[1] === 'ui')
  const screens = hasScreens ? [`test/browser/${area}`, `test/web/ui/${area}`] : []
  // Pages of these tests run the whole client.
  const pages = folders[0] === 'web' ? ['test/web/ui/'] : []
  return [...mirrors(folders, tests), ...screens, ...pages]
}

/** The nearest folder of test/ for a folder of src/; of a feature at most the whole feature. */
function mirrors(folders: string[], tests: string[]): string[] {
  for (let length = folders.length; length >= (folders[0] === 'features' ? 2 : 1); length--) {
    const mirror = `test/${folders.slice(0, length).join('/')}/`
    if (tests.some((file) => file.startsWith(mirror))) return [mirror]
  }
  return []
}

/**
 * Paths that differ from the commit at which HEAD left the base, with what is not committed.
 * @throws Error in one sentence when git does not know the base
 */
export function changedSince(base: string, root: string): string[] {
  const git = (...command: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(['git', ...command], { cwd: root })
    if (exitCode !== 0) throw new Error(`git ${command.join(' ')} failed: ${stderr.toString().trim()}`)
    return stdout.toString().split('\0').filter(Boolean)
  }
  const [fork = ''] = git('merge-base', base, 'HEAD').map((line) => line.trim())
  const changed = git('diff', '--name-only', '--no-renames', '-z', fork)
  return [...new Set([...changed, ...git('ls-files', '--others', '--exclude-standard', '-z')])]
}

export interface Choice {
  paths: string[]
  /** Handed on to `bun test`. */
  flags: string[]
  speed?: 'unit' | 'api'
  /** The commit that a change is compared with. */
  base?: string
}

/** Reads `[path…] [--unit | --api] [--changed [base]] [flag…]`; flags of `bun test` follow the runner's. */
export function readChoice(typed: string[]): Choice {
  const choice: Choice = { paths: [], flags: [] }
  for (const [at, argument] of typed.entries()) {
    if (choice.flags.length > 0) choice.flags.push(argument)
    else if (argument === '--unit' || argument === '--api') choice.speed = argument === '--unit' ? 'unit' : 'api'
    else if (argument === '--changed') choice.base = 'main'
    else if (argument.startsWith('-')) choice.flags.push(argument)
    else if (typed[at - 1] === '--changed') choice.base = argument
    else choice.paths.push(argument)
  }
  return choice
}
