import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { installMissing } from './support/debian.ts'
import { leaveNothing } from './support/reaper.ts'
import { changedSince, readChoice, speedOf, testsOf } from './support/run/choose.ts'
import { ImportGraph } from './support/run/import-graph.ts'
import { directoryInMemory } from './support/run/memory.ts'
import { inBatches, inOrder, isAlone, isOfBrowsers, mostlyWaits } from './support/run/order.ts'
import { idleProcessor } from './support/run/processor.ts'
import { failureOf, merge, type State } from './support/run/report.ts'
import { Runner, type Run, keepClient, startClusters } from './support/run/runner.ts'

// `bun run test [path…] [--unit | --api] [--changed [base]] [flag…]`: runs test files, each or a few short ones in a
// separate `bun test`, several in parallel. `--unit` selects files that start nothing, `--api` files that start servers
// but no browser, `--changed` files that a change since the base, or since `main`, affects. A file with a failure
// runs once more at the end, without others. A whole run also checks that the tests covered everything that the
// contract declares.

/** Parallel test processes. On a slow machine more of them, each with a browser, exceed their time limits. */
const LANES = 2
/** At most this many while they leave the processor idle. */
const LANES_MAX = 4
/** Files that start nothing keep a core busy. */
const UNIT_LANES = 2
/** At most this many flaky tests; more fail the run. */
const FLAKY_MAX = 2

const root = join(import.meta.dir, '..')
const { paths, flags, speed, base } = readChoice(process.argv.slice(2))
const isWhole = process.argv.length === 2
const began = performance.now()

const memory = process.env.TMPDIR === undefined ? directoryInMemory() : undefined
if (memory) process.env.TMPDIR = memory
const directory = leaveNothing()
// Nobody waits for a run whose parent is gone; the reaper ends the rest.
const parent = process.ppid
setInterval(() => process.ppid === parent || process.exit(1), 1000).unref()

if (isWhole || speed === 'api') {
  installMissing()
  const { MEDIA_DIR } = await import('./support/media-worker.ts')
  // On a new machine this builds the media worker, which takes minutes, during the tests that do not need it.
  Bun.spawn([process.execPath, join(root, 'src/main.ts'), 'media'], {
    env: { ...process.env, MEDIA_DIR },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
}

/** A path names its file, or every test file whose path contains it. */
function named(path: string): string[] {
  const relativePath = relative(root, resolve(path))
  const all = [...new Bun.Glob('test/**/*.test.ts').scanSync({ cwd: root })]
  return path.endsWith('.ts') && existsSync(path) ? [relativePath] : all.filter((file) => file.includes(relativePath))
}
const files = inOrder(chosen(new Set(paths.length === 0 ? named('.') : paths.flatMap(named))))

const coverage = join(directory, 'coverage.txt')
const client = files.filter(isOfBrowsers).length > 1 ? await keepClient(directory) : undefined
const lanesCount = Math.min(speed === 'unit' ? UNIT_LANES : LANES_MAX, files.length)
const clusters = files.length > 1 && speed !== 'unit' ? await startClusters(directory, lanesCount) : undefined
const lanes = clusters?.sockets ?? Array.from({ length: lanesCount }, () => undefined)
const [firstLane] = lanes
const runner = new Runner({
  root,
  directory,
  coverage,
  client,
  cluster: clusters?.cluster,
  flags,
  inMemory: memory !== undefined,
  live: files.length === 1,
})
const beside = files.filter((file) => !isAlone(file))
const waiting = speed === 'unit' ? [] : inBatches(beside.filter(mostlyWaits))
const working = speed === 'unit' ? inShares(beside) : inBatches(beside.filter((file) => !mostlyWaits(file)))
/** One lane runs the files that mostly wait, one after another; the other lanes run those that use the processor. */
const next = (lane: number): string[] | undefined =>
  lane === 0 ? (waiting.shift() ?? working.shift()) : (working.shift() ?? waiting.shift())
const runs: Run[] = []
await Promise.all(
  lanes.map(async (postgres, lane) => {
    for (;;) {
      if (lane >= LANES) await idleProcessor(() => waiting.length + working.length > 0)
      const batch = next(lane)
      if (batch === undefined) break
      runs.push(...(await runner.runBatch(batch, postgres)))
    }
  }),
)
for (const file of files.filter(isAlone)) runs.push(await runner.run(file, firstLane))

const counts: Record<State, number> = { passed: 0, failed: 0, skipped: 0 }
const flaky: string[] = []
for (const { file, results, output } of runs) {
  let final = results
  let laterOutput = ''
  /** The failure as the first run printed it, or the second one if only that failed. */
  const reasonOf = (title: string) => failureOf(results.get(title) === 'failed' ? output : laterOutput, title)
  if ([...results.values()].includes('failed')) {
    const second = await runner.run(file, firstLane, 'once more, by itself: ')
    const again = merge(results, second.results)
    final = again.results
    laterOutput = second.output
    flaky.push(...again.flaky.map((title) => `${file} > ${title}\n${reasonOf(title)}`))
  }
  for (const [title, state] of final) {
    counts[state] += 1
    if (state === 'failed') console.error(`failed: ${file} > ${title}\n${reasonOf(title)}`)
  }
}
for (const what of flaky) console.error(`flaky: ${what}`)
if (flaky.length > FLAKY_MAX) {
  console.error(`More than ${FLAKY_MAX} flaky tests fail the run.`)
  counts.failed += 1
}
if (files.length === 0 && base === undefined) {
  console.error('No test file has such a path.')
  counts.failed += 1
}
if (isWhole && existsSync(coverage)) {
  const { neverMet } = await import('./support/coverage.ts')
  const missed = neverMet(coverage)
  for (const what of missed) console.error(`never met by a test: ${what}`)
  counts.failed += missed.length
}
if (files.length > 1) {
  const slowest = runs.toSorted((a, b) => b.ms - a.ms).slice(0, 10)
  console.log(`slowest: ${slowest.map(({ file, ms }) => `${file} ${seconds(ms)}`).join(', ')}`)
}
console.log(`${files.length} file${files.length === 1 ? '' : 's'} in ${seconds(performance.now() - began)}`)
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`)
process.exit(counts.failed > 0 || (counts.passed === 0 && !(base !== undefined && files.length === 0)) ? 1 : 0)

/** The files of the selected speed; with a base, only those that a change affects. */
function chosen(all: Set<string>): string[] {
  if (speed === undefined && base === undefined) return [...all]
  const graph = new ImportGraph(root)
  const concerned = base === undefined ? undefined : new Set(testsOf(changes(base), graph))
  return [...all].filter(
    (file) => (!concerned || concerned.has(file)) && (speed === undefined || speedOf(file, graph) === speed),
  )
}

function changes(base: string): string[] {
  try {
    return changedSince(base, root)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

/** Equal parts, one for each lane. */
function inShares(files: string[]): string[][] {
  const shares: string[][] = Array.from({ length: UNIT_LANES }, () => [])
  for (const [at, file] of files.entries()) shares[at % UNIT_LANES]?.push(file)
  return shares.filter((share) => share.length > 0)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
